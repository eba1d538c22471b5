import { existsSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';
import { describeDuration } from '../terminal/progress.ts';
import type { Outcome, CommandContext } from '../command.ts';
import { defineCommand } from '../program/define-command.ts';
import { envArgument, loadRegistry } from '../options/named-env.ts';
import { describeFaults } from '../training/describe-faults.ts';
import { describeProgress } from '../training/describe-progress.ts';
import { trainFlags, trainOptions, type TrainOptions } from '../training/options.ts';
import type { OpenedTraining, TrainedRun } from '../training/open-training.ts';
import { wantsMany } from '../training/wants-many.ts';
import { describePlan } from '../training/describe-plan.ts';

export const trainCommand = defineCommand({
  arguments: [{ ...envArgument, required: false }],
  flags: trainFlags,
  configFile: 'own',
  examples: [
    {
      line: 'npx cairn-gym train household',
      says: 'the main job: clone the searcher, then GiGPO; writes a run folder with a report',
    },
    {
      line: 'npx cairn-gym train household --credit grpo --seed 1 --run runs/grpo-1',
      says: 'another method, another seed',
    },
    {
      line: 'npx cairn-gym train household --credit ./my-credit.ts --with credit.options.lambda=0.9',
      says: 'credit by an estimator of your own, with its options',
    },
    {
      line: 'npx cairn-gym train --config runs/first/config.json --seed 2 --run runs/second',
      says: 'repeats a run with one change',
    },
    {
      line: 'npx cairn-gym train household --policy token --model runs/taught',
      says: 'a language model, from the weights of `cairn-gym sft`',
    },
    {
      line: 'npx cairn-gym train household-hard --model runs/first',
      says: 'starts from the weights of another run, here on harder tasks',
    },
    {
      line: 'npx cairn-gym train household --keys',
      says: "every key with its meaning, its default and the recipe's value",
    },
    {
      line: 'npx cairn-gym train household --seeds 0..4 --jobs 2 --run runs/seeds',
      says: 'five seeds, two at a time, with a summary at the end',
    },
    {
      line: 'npx cairn-gym train household --sweep update.learningRate=0.001,0.003 --seeds 0..2',
      says: 'two learning rates with three seeds each, then their comparison',
    },
    {
      line: 'npx cairn-gym train household --schema > household.schema.json',
      says: 'for config files that begin with {"$schema": "./household.schema.json"}',
    },
    {
      line: 'npx cairn-gym train --resume runs/first',
      says: 'resumes from the last checkpoint; the results equal those of an uninterrupted run',
    },
  ],
  options: trainOptions,
  run: train,
});

/** Trains or resumes a run. `cairn-gym sft` is a training without iterations. */
export async function train(options: TrainOptions, session: CommandContext): Promise<Outcome> {
  if (options.resume !== undefined) refuseOthers(options);
  else if (options.acceptChangedEnv)
    throw new UsageError({
      where: 'cairn-gym train, --accept-changed-env',
      what: 'it applies to a run that is resumed, and none is.',
      fix: 'Remove it, or add --resume FOLDER.',
    });
  if (options.schema) {
    const { printSchema } = await import('../training/print-schema.ts');
    return printSchema(options, await loadRegistry(options.envModule, session.signal));
  }
  if (options.keys) {
    const { listKeys } = await import('../training/list-keys.ts');
    const { findEnvModules } = await import('../training/resolve-config.ts');
    const registry = await loadRegistry(await findEnvModules(options), session.signal);
    return listKeys(options, registry, session.signal);
  }
  if (wantsMany(options)) return await runMany(options, session);
  if ((options.dryRun || options.forecast) && options.run !== undefined) {
    const { assertRunCanBegin } = await import('../../trainers/run/open-run.ts');
    await assertRunCanBegin(options.run);
  }
  const began = session.now();
  const { openTraining } = await import('../training/open-training.ts');
  const { findEnvModules } = await import('../training/resolve-config.ts');
  const open = async (): Promise<OpenedTraining> =>
    openTraining(options, await loadRegistry(await findEnvModules(options), session.signal), session);
  await using training = await open().catch((thrown: unknown) => {
    if (session.signal.aborted) session.progress.say(nothingDone(options));
    throw thrown;
  });
  const folder =
    options.resume ?? options.run ?? defaultFolder(training.plan.config.env, session.wallClock());
  if (options.dryRun || options.forecast)
    return await describePlan(training, { folder, isMeasured: options.forecast }, session);
  const announce = once(() =>
    session.progress.say(`${options.resume === undefined ? 'writing' : 'going on in'} ${folder}`),
  );
  try {
    const { outcome, report, seconds, mishap } = await training.run(folder, (progress) => {
      announce(); // not before: the folder may be refused
      if (progress.warning === undefined) session.progress.report(describeProgress(progress));
      else session.progress.say(`warning: ${progress.warning}`);
    });
    return await describeOutcome(
      { outcome, report, mishap, folder, config: training.plan.config, definition: training.definition },
      {
        learning: seconds,
        whole: (session.now() - began) / 1000,
        resumed: options.resume !== undefined,
      },
      session,
    );
  } catch (thrown) {
    if (session.signal.aborted) {
      const begun = existsSync(path.join(folder, 'config.json'));
      const kept = begun ? await training.kept(folder) : undefined;
      session.progress.say(
        begun
          ? `${kept === undefined ? 'nothing is kept yet' : `${kept} is kept`}; ${howToGoOn(folder, options)}`
          : nothingDone(options),
      );
    }
    throw thrown;
  }
}

/** Trains with several seeds or settings, or says what would be trained. */
async function runMany(options: TrainOptions, session: CommandContext): Promise<Outcome> {
  const { planMany, trainMany } = await import('../training/train-many.ts');
  const registry = await loadRegistry(options.envModule, session.signal);
  const many = await planMany(options, registry, (env) => defaultFolder(env, session.wallClock()));
  if (!options.dryRun) {
    const { compareWords } = await import('./compare.ts');
    const compare = (words: readonly string[]): Promise<Outcome> =>
      compareWords({ results: [...words] }, session);
    return await trainMany(many, options, { session, compare });
  }
  return { document: { dryRun: true, ...many }, lines: [JSON.stringify(many, undefined, 2)] };
}

/** The outcome of a training: tables, comparisons, warnings and effort, as text and as a document. */
async function describeOutcome(
  {
    outcome,
    report,
    mishap,
    folder,
    config,
    definition,
  }: Omit<TrainedRun, 'seconds'> & {
    readonly folder: string;
    readonly definition: OpenedTraining['definition'];
    readonly config: OpenedTraining['plan']['config'];
  },
  effort: { readonly learning: number; readonly whole: number; readonly resumed: boolean },
  session: CommandContext,
): Promise<Outcome> {
  const { renderTable } = await import('../../trainers/results/table.ts');
  const { describeComparison } = await import('../../trainers/results/describe-comparison.ts');
  const { compareWithStart } = await import('../../trainers/run/before-after.ts');
  const panels = [...new Set(outcome.results.map(({ panel }) => panel.fingerprint))];
  const comparisons = compareWithStart(outcome.results);
  const { out } = session.terminal;
  const look = { bold: out.decorated, ...(out.isTerminal ? { width: out.columns } : {}) };
  const tables = panels.flatMap((fingerprint) => [
    renderTable(
      outcome.results.filter(({ panel }) => panel.fingerprint === fingerprint),
      look,
    ),
    ...comparisons
      .filter(({ panel }) => panel.fingerprint === fingerprint)
      .map((comparison) => `Before and after: ${describeComparison(comparison)}\n`),
  ]);
  const { describeStudy } = await import('../training/describe-study.ts');
  const studies = panels.flatMap((fingerprint) => describeStudy(definition, fingerprint, config));
  const { curriculum: _state, ...reached } = outcome.state;
  const results = outcome.results.map(({ episodes: _episodes, ...result }) => result);
  const { describeStall } = await import('../../trainers/loop/health/stalls.ts');
  const { describeSamplerGap } = await import('../../trainers/loop/health/sampler-gap.ts');
  const stalls = outcome.stalls.map((stall) => ({
    ...stall,
    says: describeStall(stall, config),
  }));
  const samplerGap = outcome.samplerGap && {
    ...outcome.samplerGap,
    says: describeSamplerGap(outcome.samplerGap, config),
  };
  const remarks = [
    ...[...stalls, ...(samplerGap === undefined ? [] : [samplerGap])].map(({ says }) => `Warning: ${says}`),
    ...(outcome.noTable === undefined ? [] : [outcome.noTable]),
  ];
  return {
    document: {
      run: folder,
      report,
      seconds: effort.learning,
      ...reached,
      faults: outcome.faults,
      stalls,
      samplerGap,
      noTable: outcome.noTable,
      results,
      comparisons,
    },
    lines: [
      ...tables,
      ...studies,
      ...describeFaults(outcome.faults),
      ...remarks.flatMap((remark) => [remark, '']),
      ...(await describeFailed(folder)),
      describeEffort(outcome.state, { ...effort, report }),
    ],
    failed: outcome.faults.excessive,
    ...(mishap === undefined ? {} : { mishap }),
  };
}

/** Env modules that have moved are named again; others are recorded in the run. */
const howToGoOn = (folder: string, { resume, envModule }: TrainOptions): string =>
  `resume with: npx cairn-gym train --resume ${folder}${resume === undefined ? '' : envModule.map((file) => ` --env-module ${file}`).join('')}`;

/** What remains of a training that was stopped before it started. */
const nothingDone = (options: TrainOptions): string =>
  options.resume === undefined
    ? 'nothing was started, and nothing is kept'
    : `nothing was done, and the run is unchanged; ${howToGoOn(options.resume, options)}`;

/** How to see the episodes that the final policy failed, if there are any. */
async function describeFailed(folder: string): Promise<readonly string[]> {
  const { listStores } = await import('../../lab/read/trajectory-stores.ts');
  const { isFailedStore } = await import('../../trainers/run/checkpoint-names.ts');
  const { runPaths } = await import('../../trainers/run/open-run.ts');
  const stores = await listStores(runPaths(folder).trajectories);
  return stores.some(isFailedStore)
    ? [`What the final policy failed: npx cairn-gym inspect ${folder} --failed`, '']
    : [];
}

/**
 * Results and effort of the run: its phases, including those before a resumption, and the total time of this
 * command.
 */
function describeEffort(
  { iteration, environmentSteps }: { readonly iteration: number; readonly environmentSteps: number },
  of: {
    readonly learning: number;
    readonly whole: number;
    readonly resumed: boolean;
    readonly report: string | undefined;
  },
): string {
  const took = `${describeDuration(of.learning)} of play and learning; ${of.resumed ? 'this resumption' : 'the whole'} took ${describeDuration(of.whole)}`;
  return `${iteration} ${iteration === 1 ? 'iteration' : 'iterations'}, ${environmentSteps} steps, ${took}. ${of.report === undefined ? 'There is no report.' : `Report: ${of.report}`}`;
}

/** Runs the work at the first call only. */
function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}

/** Resuming uses the run's own config, so that its results equal those of an uninterrupted run. */
function refuseOthers(options: TrainOptions): void {
  const {
    resume: _resume,
    env: _env,
    envModule: _envModule,
    dryRun: _dryRun,
    forecast: _forecast,
    tensorboard: _tensorboard,
    jobs,
    acceptChangedEnv: _acceptChangedEnv,
    with: changes,
    set,
    ...others
  } = options;
  const given = Object.entries(others).flatMap(([name, value]) =>
    value === undefined || value === false ? [] : [name],
  );
  if (jobs !== undefined && !wantsMany(options)) given.push('jobs');
  if (changes.length > 0) given.push('with');
  if (Object.keys(set).length > 0) given.push('set');
  if (given.length === 0) return;
  throw new UsageError({
    where: 'cairn-gym train, --resume',
    what: `it cannot be combined with other settings, and ${given.join(', ')} ${given.length === 1 ? 'is' : 'are'} given.`,
    fix: 'Remove them, or start a new run with --config FOLDER/config.json and your changes.',
  });
}

/** Without what some file systems refuse. A mixture of many envs is cut. */
const folderNameOf = (env: string): string => env.replaceAll(/[/:=,]/g, '-').slice(0, 100);

/** `runs/household-v1-20261121-093000`: the current time makes the name unique. */
function defaultFolder(env: string, now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split(/[T.]/);
  return path.join('runs', `${folderNameOf(env)}-${date.replaceAll('-', '')}-${time.replaceAll(':', '')}`);
}
