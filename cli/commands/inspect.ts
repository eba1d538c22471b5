import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import type { Outcome, CommandContext } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { describeDamage, notesOf } from '../../lab/inspect/describe-damage.ts';
import { envFlags, envOptions, loadRegistry } from '../options/named-env.ts';
import { wholeNumber } from '../options/option-values.ts';
import { describeModuleChanges, findModulesOfRuns } from '../options/run-modules.ts';
import { isFailedStore } from '../../trainers/run/checkpoint-names.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import type { Selection } from '../../lab/inspect/select-groups.ts';
import type { CreditOfRun } from '../../trainers/run/open-run-credit.ts';

const options = z.strictObject({
  envModule: envOptions.envModule,
  path: z.string().min(1, 'must be a folder or a file').optional(),
  store: z.string().optional(),
  iteration: wholeNumber(1).optional(),
  group: wholeNumber(0).optional(),
  member: wholeNumber(0).optional(),
  failed: z.boolean().default(false),
  worst: z.boolean().default(false),
  family: z.string().min(1, 'must be a family').optional(),
  credit: z.string().min(1, 'must be a file').optional(),
});

export const inspectCommand = defineCommand({
  arguments: [
    {
      name: 'path',
      says: "the folder of a run, an agent's folder under --keep, or one file of trajectories (default: the newest run in runs)",
      required: false,
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
      flags: '--failed',
      says: 'list the episodes that are not solved; of a finished run those of its final policy, unless --iteration or --store selects others',
    },
    {
      flags: '--worst',
      says: 'list the episodes from the lowest return; of a finished run as with --failed',
    },
    { flags: '--family <name>', says: 'list only the episodes of this family of tasks' },
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
    { line: 'npx cairn-gym inspect', says: 'the same for the newest run in runs' },
    {
      line: 'npx cairn-gym inspect runs/first --failed --worst --family look',
      says: 'what went wrong in the final evaluation, the lowest return first',
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
  const { iteration, group: number, member } = chosen;
  refuseUnfit(chosen);
  const { findEpisodes } = await import('../../lab/inspect/episode-place.ts');
  const { signal } = session;
  const say = (line: string): void => session.progress.say(line);
  const path = chosen.path ?? (await newestRun(say));
  const place = await findEpisodes(path);
  const picks = isPick(chosen);
  const store =
    chosen.store ?? (picks && place.kind === 'run' ? await findFailed(place.folder, chosen, say) : undefined);
  const source = { path, place, store, say, signal };
  if (place.kind === 'run' && iteration === undefined && number === undefined && !picks) {
    if (chosen.store !== undefined)
      refuse(
        '--store',
        'the summary of a run shows all stores.',
        'Add --failed, --worst, --family NAME or --group NUMBER, or remove it.',
      );
    const { surveyRun } = await import('../../lab/inspect/survey-run.ts');
    const { describeRun } = await import('../inspect/describe-run.ts');
    return describeRun(await surveyRun(source));
  }
  const { selectGroups } = await import('../../lab/inspect/select-groups.ts');
  const { describeGroups, describePicked } = await import('../inspect/describe-groups.ts');
  const { selection, ofRun } = await selectGroups(source, iteration);
  if (picks) {
    const where = iteration === undefined ? '' : ` --iteration ${iteration}`;
    const command = `npx cairn-gym inspect ${path}${store === undefined ? '' : ` --store ${store}`}${where}`;
    return describePicked(selection, chosen, { say, signal, command });
  }
  if (number === undefined) return describeGroups(selection, source);
  return await describeOne({ selection, ofRun, number, member }, chosen, session);
}

/** One group, or one episode of it, with its credit. */
async function describeOne(
  of: {
    readonly selection: Selection;
    readonly ofRun: CreditOfRun | undefined;
    readonly number: number;
    readonly member: number | undefined;
  },
  chosen: z.output<typeof options>,
  session: CommandContext,
): Promise<Outcome> {
  const { selection, ofRun, number, member } = of;
  const { signal, progress, terminal } = session;
  const { readGroup } = await import('../../lab/inspect/groups.ts');
  const { describeEpisode, describeGroup } = await import('../inspect/describe-groups.ts');
  const group = await readGroup(selection, number);
  for (const line of describeDamage(selection.damage)) progress.say(line);
  const { tellCredit } = await import('../inspect/tell-credit.ts');
  const isFinal = chosen.store !== undefined && isFailedStore(chosen.store); // played once a task: nothing to compare
  const { estimator, untold } = await tellCredit(isFinal ? undefined : ofRun, {
    file: chosen.credit,
    signal,
  });
  const { changes, files } = await findModules(chosen.envModule, ofRun);
  for (const line of [...untold, ...changes]) progress.say(line);
  const { document, ...told } =
    member === undefined
      ? describeGroup(group, estimator)
      : describeEpisode(group, {
          member,
          estimator,
          registry: await loadRegistry(files, signal),
          colours: terminal.out.decorated,
        });
  return {
    ...told,
    document: { ...document, ...notesOf([...describeDamage(selection.damage), ...untold, ...changes]) },
  };
}

const isPick = ({ failed, worst, family }: z.output<typeof options>): boolean =>
  failed || worst || family !== undefined;

/** Refuses options that would have no effect. */
function refuseUnfit(chosen: z.output<typeof options>): void {
  const { group: number, member, credit, failed, worst } = chosen;
  if (member !== undefined && number === undefined) refuse('--member', 'it needs --group.', 'Add --group.');
  if (credit !== undefined && number === undefined)
    refuse('--credit', 'credit is shown only for groups and episodes.', 'Add --group, or remove it.');
  if (number === undefined || !isPick(chosen)) return;
  refuse(
    failed ? '--failed' : worst ? '--worst' : '--family',
    'it lists episodes of all groups, and --group names one.',
    'Remove one of the two.',
  );
}

function refuse(option: string, what: string, fix: string): never {
  throw new UsageError({ where: `cairn-gym inspect, ${option}`, what, fix });
}

/** The folder in which `cairn-gym train` writes by default. */
const runsFolder = 'runs';

async function newestRun(say: (line: string) => void): Promise<string> {
  const { findNewestRun } = await import('../../lab/inspect/newest-run.ts');
  const path = await findNewestRun(runsFolder);
  say(`no path is named: showing ${path}, the newest run in ${runsFolder}`);
  return path;
}

/** The store of the episodes that the final policy failed, where nothing else is selected and there is one. */
async function findFailed(
  folder: string,
  { iteration, failed, worst }: z.output<typeof options>,
  say: (line: string) => void,
): Promise<string | undefined> {
  if (iteration !== undefined || !(failed || worst)) return undefined;
  const { listStores } = await import('../../lab/read/trajectory-stores.ts');
  const [store, ...others] = (await listStores(folder)).filter(isFailedStore);
  if (store === undefined) {
    const { results } = runPaths(folder);
    if ((await readdir(results).catch(() => [])).length > 0)
      say('the final policy failed no episode; showing the episodes of training');
    return undefined;
  }
  const rest = others.length === 0 ? '' : `; others: ${others.map((other) => `--store ${other}`).join(', ')}`;
  say(`showing what the final policy failed (--store ${store}${rest})`);
  return store;
}

/**
 * The env modules whose words show an episode, and a note for each that has changed since the run. A changed
 * module is loaded only if it is named.
 */
async function findModules(
  named: readonly string[],
  run: CreditOfRun | undefined,
): Promise<{ readonly files: readonly string[]; readonly changes: readonly string[] }> {
  const modules = await findModulesOfRuns(named, run === undefined ? [] : [run]);
  const changes = describeModuleChanges(modules);
  return named.length > 0 || changes.length === 0
    ? { files: modules.files, changes }
    : {
        files: [],
        changes: [
          ...changes,
          'the words of the environment cannot be shown; --env-module FILE shows those of the file as it is now',
        ],
      };
}
