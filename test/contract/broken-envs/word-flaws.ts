import type { AnyEnvDefinition } from '../../../envs/core/env.ts';
import { breakVault, type Breakage, type Flaw } from './break-env.ts';
import { vault, type Action, type Sight } from './vault.ts';

type Text = AnyEnvDefinition['text'];

const { text } = vault;

/** The good env with other texts. */
const saying = (said: Partial<Text>, breakage: Breakage = {}): AnyEnvDefinition =>
  breakVault({ ...breakage, definition: { text: { ...(text as Text), ...said } } });

let saidUntilNow = 0;
const coinBeside = new WeakMap<Sight, number>();

/** Flaws in the texts of sound observations and actions. */
export const wordFlaws: readonly Flaw[] = [
  {
    law: 'text',
    says: 'accepts any JSON as an action',
    where: { call: 'text.parse' },
    definition: saying({
      parse: (words) =>
        words.endsWith('}') ? { kind: 'action', action: JSON.parse(words) as unknown } : text.parse(words),
    }),
  },
  {
    law: 'text',
    says: 'declares a grid with rows of different lengths',
    definition: saying({ features: () => ({ grid: { rows: ['..', '.'] } }) }),
  },
  {
    law: 'text',
    says: 'declares fields that depend on what was asked before',
    definition: saying({ features: () => ({ fields: { asked: (saidUntilNow += 1) } }) }),
  },
  {
    law: 'text',
    says: 'declares hidden facts that only the object of the observation leads to',
    definition: saying(
      { features: (observation) => ({ fields: { coin: coinBeside.get(observation as Sight) ?? -1 } }) },
      {
        turn: ({ observation }, { world }) => {
          coinBeside.set(observation as Sight, world.coin);
          return {};
        },
      },
    ),
  },
  {
    law: 'text',
    says: 'names the target of an action by an unknown key',
    definition: saying({ target: () => ({ place: 'left' }) as object }),
  },
  {
    law: 'repeat',
    says: 'draws words at random',
    definition: saying({
      observation: (observation) =>
        `${text.observation(observation as Sight)}${Math.random() < 0.5 ? '.' : '!'}`,
    }),
  },
  {
    law: 'repeat',
    says: 'prints the time of day',
    definition: saying({
      observation: (observation) =>
        `${text.observation(observation as Sight)}, at ${process.hrtime.bigint()}`,
    }),
  },
  {
    law: 'repeat',
    says: 'names an action differently each time',
    definition: saying({
      action: (action) => `${text.action(action as Action)}${'!'.repeat((saidUntilNow += 1) % 3)}`,
      parse: (words) => text.parse(words.replace(/!+$/, '')),
    }),
  },
  {
    law: 'hidden',
    says: 'prints hidden facts of the world beside the observation',
    definition: saying(
      {
        observation: (observation) =>
          `${text.observation(observation as Sight)}; it smells ${'so '.repeat(coinBeside.get(observation as Sight) ?? 0)}`,
      },
      {
        turn: ({ observation }, { world }) => {
          const shown = { ...(observation as Sight) };
          coinBeside.set(shown, world.coin);
          return { observation: shown };
        },
      },
    ),
  },
];
