import { join } from 'node:path';
import { createContext } from '../../envs/core/context.ts';
import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Registry } from '../../envs/core/registry.ts';
import type { LoadPluginOptions } from '../../trainers/plugins/load-plugin.ts';
import { expectedFile } from '../../trainers/run/open-run-credit.ts';
import { describePlace } from '../../trainers/run/checkpoint-names.ts';
import { forecastTraining, type TrainingForecast } from '../../trainers/loop/dry-run.ts';
import { parseTrainConfig } from '../../trainers/config/parse-train-config.ts';
import type { ProgressListener } from '../../trainers/loop/progress.ts';
import { prepare } from '../../trainers/loop/setup/session.ts';
import type { SettledTrainConfig } from '../../trainers/config/settle-config.ts';
import { resumeTraining, startTraining } from '../../trainers/loop/start-training.ts';
import type { TrainOutcome } from '../../trainers/loop/train.ts';
import { backendNames, type BackendName, type TensorBackend } from '../../models/backend/backend.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { writeReport } from '../../lab/report/write-report.ts';
import { newestCheckpoint } from '../../trainers/run/checkpoint-store.ts';
import { timingsLineSchema } from '../../trainers/run/metrics-schema.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import { readJsonl } from '../../files/read-jsonl.ts';
import { readRunDocument } from '../../trainers/run/run-document.ts';
import type { Session } from '../command.ts';
import { importCredit, watchCredit } from '../watch/own-credit.ts';
import { createOpeningLog } from '../watch/opening-log.ts';
import { takeKey } from '../evaluation/api-key.ts';
import type { TrainOptions } from './options.ts';
import { resolveTraining, type ResolvedTraining } from './resolve-config.ts';
import { warnOfClips } from './warn-of-clips.ts';
import { systemOf } from '../program/system-variables.ts';
import { warnOfFinalPanels, warnOfPanels } from './warn-of-panels.ts';

/** A training whose env, panels and policy are open, and that has written nothing yet. */
export interface OpenedTraining extends AsyncDisposable {
  readonly plan: {
    readonly config: SettledTrainConfig;
    /** Of the env, as resolved: what the config leaves out has its default. */
    readonly envConfig: Json;
    readonly panels: readonly {
      readonly name: string;
      readonly fingerprint: string;
      readonly tasks: number;
    }[];
    readonly versions: Readonly<Record<string, string>>;
  };
  /** What a run would take, measured on one iteration; no run can follow. */
  readonly forecast: (onEpisode: (done: number) => void) => Promise<TrainingForecast>;
  /** How far the run in that folder has come by what is on the disk, such as `iteration 12`; undefined when nothing is kept yet. */
  readonly kept: (folder: string) => Promise<string | undefined>;
  /** Trains in the folder, or goes on there, and writes the report, also when it is interrupted. */
  readonly run: (folder: string, onProgress: ProgressListener) => Promise<TrainedRun>;
}

/** A run that has come to its end. */
export interface TrainedRun {
  readonly outcome: TrainOutcome;
  /** Path of the page; undefined where it could not be written. */
  readonly report: string | undefined;
  /** What went wrong then. */
  readonly mishap: unknown;
  /** Of the whole run, with what was done before it was resumed. */
  readonly seconds: number;
}

export async function openTraining(
  options: TrainOptions,
  registry: Registry<readonly AnyEnvDefinition[]>,
  session: Session,
): Promise<OpenedTraining> {
  const { resume } = options;
  const { definition, config } =
    resume === undefined
      ? await resolveTraining(options, registry)
      : await readTraining(resume, registry, options.env);
  const recorded = resume === undefined ? undefined : await recordedVersions(resume, session);
  const own = config.credit.kind === 'module' ? config.credit.file : undefined;
  if (own !== undefined) await importCredit(own, { signal: session.signal, ...(await fileOfRun(resume)) });
  const backend = async (): Promise<TensorBackend> => {
    const opened = await openBackend(recorded?.backend ?? config.backend, {
      environment: session.environment,
    });
    session.progress.say(`backend ${opened.name}: ${opened.why}`);
    return opened;
  };
  const context = createContext({
    seed: config.seed,
    now: session.now,
    signal: session.signal,
    system: systemOf(session.environment),
    log: createOpeningLog(session.progress, session.now),
  });
  const versions = { 'cairn-gym': session.version, node: process.version };
  const begun =
    resume === undefined || (await newestCheckpoint(runPaths(resume).checkpoints)) === undefined
      ? undefined
      : await readRunDocument(resume);
  const prepared = await prepare({
    config,
    definition,
    backend,
    versions,
    begun,
    keyOf: (name) => takeKey(session.environment, name),
    context,
  });
  const preparation =
    own !== undefined ? { ...prepared, estimator: watchCredit(prepared.estimator) } : prepared;
  for (const warning of [
    warnOfClips(config),
    warnOfPanels(preparation.config, preparation.bench.host.panels),
    warnOfFinalPanels(preparation.config, preparation.bench.host.panels),
  ]) {
    if (warning !== undefined) session.progress.say(`warning: ${warning}`);
  }
  const { train, dev, final } = preparation.panels;
  return {
    plan: {
      config: preparation.config,
      envConfig: preparation.bench.envConfig,
      panels: [train, dev, ...final].map(({ name, fingerprint, tasks }) => ({
        name,
        fingerprint,
        tasks: tasks.length,
      })),
      versions: preparation.versions,
    },
    forecast: (onEpisode) => forecastTraining(preparation, onEpisode),
    kept: async (folder) => {
      const newest = await newestCheckpoint(runPaths(folder).checkpoints);
      return newest === undefined ? undefined : describePlace(newest);
    },
    run: async (folder, onProgress) => {
      try {
        const start = resume === undefined ? startTraining : resumeTraining;
        const outcome = await start(preparation, folder, onProgress);
        const seconds = await secondsOf(folder, outcome);
        const told = await writeReport(folder).then(
          (report) => ({ report, mishap: undefined }),
          (mishap: unknown) => ({ report: undefined, mishap }),
        );
        return { outcome, ...told, seconds };
      } catch (thrown) {
        if (session.signal.aborted) await writeReport(folder).catch(() => undefined); // the interruption is what is reported
        throw thrown;
      }
    },
    [Symbol.asyncDispose]: () => preparation[Symbol.asyncDispose](),
  };
}

/** The content that the file of the run's own estimator must have; of a new run it may have any. */
async function fileOfRun(resume: string | undefined): Promise<Pick<LoadPluginOptions, 'expected'>> {
  if (resume === undefined) return {};
  const expected = expectedFile(
    { folder: resume, document: await readRunDocument(resume) },
    `or start a new run with --config ${join(resume, 'config.json')}`,
  );
  return expected === undefined ? {} : { expected };
}

/** What the run has noted of its phases and its final evaluations; what a kill lost was played again and counts once. */
async function secondsOf(folder: string, { results }: TrainOutcome): Promise<number> {
  const { lines } = await readJsonl(runPaths(folder).timings, timingsLineSchema);
  return [...lines, ...results].reduce((sum, { seconds }) => sum + seconds, 0);
}

/** @param env what the command line names beside the run, which must be the env of the run */
async function readTraining(
  folder: string,
  registry: Registry<readonly AnyEnvDefinition[]>,
  env: string | undefined,
): Promise<ResolvedTraining> {
  const { config: stored } = await readRunDocument(folder);
  const config = parseTrainConfig(stored, { where: `config of ${folder}` });
  const definition = registry.find(config.env);
  if (env === undefined || registry.find(env).id === definition.id) return { definition, config };
  throw new UsageError({
    where: `run ${folder}`,
    what: `it trains on ${definition.id}, and ${env} is asked for.`,
    mend: 'Leave the environment out.',
  });
}

/**
 * The backend that the run was begun on: `auto` may find another one here, and then the numbers would not be those of an
 * uninterrupted run. Another version of Cairn or Node is said, since numbers may differ.
 */
async function recordedVersions(
  folder: string,
  session: Session,
): Promise<{ readonly backend: BackendName | undefined }> {
  const { versions } = await readRunDocument(folder);
  for (const [name, now] of [
    ['cairn-gym', session.version],
    ['node', process.version],
  ] as const) {
    const begun = versions[name];
    if (begun !== undefined && begun !== now)
      session.progress.say(`the run was begun with ${name} ${begun}, this is ${now}: numbers may differ`);
  }
  return { backend: backendNames.find((name) => name === versions['backend']) };
}
