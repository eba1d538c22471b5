import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { Outcome, CommandContext } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { describeDamage, notesOf } from '../../lab/inspect/describe-damage.ts';
import { envFlags, envOptions, loadRegistry } from '../options/named-env.ts';
import { wholeNumber } from '../options/option-values.ts';

const options = z.strictObject({
  envModule: envOptions.envModule,
  path: z.string().min(1, 'must be a folder or a file'),
  store: z.string().optional(),
  iteration: wholeNumber(1).optional(),
  group: wholeNumber(0).optional(),
  member: wholeNumber(0).optional(),
  credit: z.string().min(1, 'must be a file').optional(),
});

export const inspectCommand = defineCommand({
  name: 'inspect',
  summary: 'inspect a run, its trajectories and their credit',
  arguments: [
    {
      name: 'path',
      says: "the folder of a run, an agent's folder under --keep, or one file of trajectories",
      required: true,
    },
  ],
  flags: [
    ...envFlags.filter(({ flags }) => flags.startsWith('--env-module')),
    { flags: '--store <name>', says: 'which trajectories of the run (default: those of its iterations)' },
    { flags: '--iteration <number>', says: 'the groups of one iteration of training' },
    {
      flags: '--group <number>',
      says: 'the episodes of one group of the iteration, or of all stored groups, counted from 0',
    },
    { flags: '--member <number>', says: 'one episode of the group, counted from 0, step by step' },
    {
      flags: '--credit <file>',
      says: "the unchanged file of the run's own estimator, if it was moved",
    },
    { flags: '--config <file>', says: 'a JSON file of options; flags override it' },
  ],
  examples: [
    {
      line: 'npx cairn-gym inspect runs/first',
      says: 'panels, progress, evaluations, checkpoints, and the iterations whose episodes are stored',
    },
    {
      line: 'npx cairn-gym inspect runs/first --iteration 12',
      says: 'the groups of the twelfth iteration: episodes of one task each',
    },
    {
      line: 'npx cairn-gym inspect runs/first --iteration 12 --group 3',
      says: 'the episodes of its fourth group',
    },
    {
      line: 'npx cairn-gym inspect kept/searcher',
      says: 'the episodes that `cairn-gym eval --keep kept` stored',
    },
    {
      line: 'npx cairn-gym inspect runs/first --iteration 12 --group 3 --member 2',
      says: 'one of them with the reward, anchor group and credit of each step',
    },
  ],
  options,
  run: inspect,
});

async function inspect(chosen: z.output<typeof options>, session: CommandContext): Promise<Outcome> {
  const { path, iteration, group: number, member } = chosen;
  if (member !== undefined && number === undefined) {
    throw new UsageError({
      where: 'cairn-gym inspect, --member',
      what: 'it needs --group.',
      fix: 'Add --group.',
    });
  }
  if (chosen.credit !== undefined && number === undefined) {
    throw new UsageError({
      where: 'cairn-gym inspect, --credit',
      what: 'credit is shown only for groups and episodes.',
      fix: 'Add --group, or remove it.',
    });
  }
  const { findEpisodes } = await import('../../lab/inspect/episode-place.ts');
  const place = await findEpisodes(path);
  const { signal } = session;
  const source = {
    path,
    place,
    store: chosen.store,
    say: (line: string) => session.progress.say(line),
    signal,
  };
  if (place.kind === 'run' && iteration === undefined && number === undefined) {
    const { surveyRun } = await import('../../lab/inspect/survey-run.ts');
    const { describeRun } = await import('../inspect/describe-run.ts');
    return describeRun(await surveyRun(source));
  }
  const { selectGroups } = await import('../../lab/inspect/select-groups.ts');
  const { readGroup } = await import('../../lab/inspect/groups.ts');
  const { describeEpisode, describeGroup, describeGroups } = await import('../inspect/describe-groups.ts');
  const { selection, ofRun } = await selectGroups(source, iteration);
  if (number === undefined) return describeGroups(selection, source);
  const group = await readGroup(selection, number);
  for (const line of describeDamage(selection.damage)) source.say(line);
  const { tellCredit } = await import('../inspect/tell-credit.ts');
  const { estimator, untold } = await tellCredit(ofRun, { file: chosen.credit, signal });
  for (const line of untold) source.say(line);
  const { document, ...told } =
    member === undefined
      ? describeGroup(group, estimator)
      : describeEpisode(group, { member, estimator, registry: await loadRegistry(chosen.envModule, signal) });
  return { ...told, document: { ...document, ...notesOf([...describeDamage(selection.damage), ...untold]) } };
}
