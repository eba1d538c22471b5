import { z } from 'zod';
import type { PanelInfo } from '../../../envs/core/task.ts';
import { breakVault, type Flaw } from './break-env.ts';
import { describeVault, startOf, vault, vaultPanels } from './vault.ts';

const [train, unseen] = vaultPanels as readonly [PanelInfo, PanelInfo];
let described = 0;

/** Flaws that show without playing. */
export const definitionFlaws: readonly Flaw[] = [
  {
    law: 'definition',
    says: 'accepts an unknown config key',
    definition: breakVault({ definition: { config: z.object({ bonus: z.number().default(0) }) } }),
  },
  {
    law: 'definition',
    says: 'has no default for a config key',
    definition: breakVault({ definition: { config: z.strictObject({ bonus: z.number() }) } }),
  },
  {
    law: 'definition',
    says: 'parses a parsed config to another config',
    definition: breakVault({
      definition: {
        config: z.strictObject({
          bonus: z
            .number()
            .default(1)
            .transform((bonus) => bonus * 2),
        }),
      },
    }),
  },
  {
    law: 'definition',
    says: 'parses to a config that is not JSON',
    definition: breakVault({
      definition: { config: z.strictObject({ since: z.coerce.date().default(new Date(0)) }) },
    }),
  },
  { law: 'definition', says: 'has a malformed id', definition: { ...breakVault({}), id: 'Vault-v0' } },
  {
    law: 'definition',
    says: 'has a turn limit of no steps',
    definition: { ...breakVault({}), turnLimit: () => 0 },
  },
  {
    law: 'definition',
    says: 'declares an unknown law uncheckable',
    where: { call: 'unchecked' },
    definition: { ...breakVault({}), unchecked: { secret: 'nothing is hidden' } },
  },
  {
    law: 'definition',
    says: 'gives no reason why a law cannot be checked',
    where: { call: 'unchecked' },
    definition: { ...breakVault({}), unchecked: { secrets: '' } },
  },
  {
    law: 'crash',
    says: 'cannot be opened',
    definition: { ...breakVault({}), open: () => Promise.reject(new Error('no such index')) },
  },
  {
    law: 'panels',
    says: 'gives two panels the same name',
    definition: breakVault({ host: () => ({ panels: [train, unseen, train] }) }),
  },
  {
    law: 'panels',
    says: 'has an empty panel',
    definition: breakVault({ host: () => ({ panels: [train, { ...unseen, size: 0 }] }) }),
  },
  {
    law: 'panels',
    says: 'has a panel without a known purpose',
    definition: breakVault({ host: () => ({ panels: [train, { ...unseen, purpose: 'test' as 'dev' }] }) }),
  },
  { law: 'panels', says: 'has no panels', definition: breakVault({ host: () => ({ panels: [] }) }) },
  {
    law: 'panels',
    says: 'puts a training task into a held-out panel',
    definition: breakVault({
      host: (host) => ({
        describeTask: (task) =>
          host.describeTask(task.panel === 'unseen' ? { panel: 'train', index: task.index } : task),
      }),
    }),
  },
  {
    law: 'tasks',
    says: 'describes a task differently each time',
    definition: breakVault({
      host: () => ({
        describeTask: (task) => ({ ...describeVault(task), family: `family-${(described += 1)}` }),
      }),
    }),
  },
  {
    law: 'tasks',
    says: 'gives different worlds equal task contents',
    definition: breakVault({
      host: () => ({
        describeTask: (task) => {
          const boxes = startOf(task).open.length; // but not the place of the coin
          return { ...describeVault(task), content: { boxes } };
        },
      }),
    }),
  },
  {
    law: 'tasks',
    says: 'gives the player another instruction than the description of the task',
    where: { call: 'reset' },
    definition: breakVault({
      env: (env) => ({
        reset: async (task, context) => ({
          ...(await env.reset(task, context)),
          instruction: 'Shake the lamp.',
        }),
      }),
    }),
  },
  {
    law: 'tasks',
    says: 'describes a task with an empty instruction',
    definition: breakVault({
      host: () => ({ describeTask: (task) => ({ ...describeVault(task), instruction: '' }) }),
    }),
  },
  {
    law: 'tasks',
    says: 'accepts tasks that do not exist',
    definition: vault,
    options: {
      open: (definition, config, context) => definition.open(definition.config.parse(config), context),
    },
  },
  {
    law: 'tasks',
    says: 'has tasks whose content is not JSON',
    definition: breakVault({
      host: () => ({ describeTask: (task) => ({ ...describeVault(task), content: new Map() as never }) }),
    }),
  },
  {
    law: 'text',
    says: 'throws on text that is not an action',
    definition: breakVault({
      definition: {
        text: { ...vault.text, parse: (text) => ({ kind: 'action', action: JSON.parse(text) as unknown }) },
      },
    }),
  },
  {
    law: 'audit',
    says: 'has an audit with a finding',
    where: { call: 'gold, seed 0' },
    definition: breakVault({
      host: ({ audit }) => ({
        audit: {
          ...audit,
          rules: () => ({
            advance: () => false,
            result: () => ({
              findings: [
                {
                  check: 'gold',
                  where: 'seed 0',
                  what: 'The coin is rejected.',
                  fix: 'Accept it.',
                  times: 1,
                },
              ],
              tried: { seeds: 1 },
            }),
          }),
        },
      }),
    }),
  },
];
