import type { AnyEnvDefinition } from '../../envs/core/env.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Registry } from '../../envs/core/registry.ts';
import { describePlace } from '../../trainers/run/checkpoint-names.ts';
import { forecastTraining, type TrainingForecast } from '../../trainers/loop/dry-run.ts';
import { parseTrainConfig } from '../../trainers/config/parse-train-config.ts';
import type { ProgressListener } from '../../trainers/loop/progress.ts';
import { warningsOf } from '../../trainers/loop/setup/warnings.ts';
import { prepareTraining } from '../../trainers/loop/setup/training-setup.ts';
import type { ResolvedTrainConfig } from '../../trainers/config/resolve-config.ts';
import { backendPreferenceOf } from '../../trainers/policy/policy-config.ts';
import { resumeTraining, startTraining } from '../../trainers/loop/start-training.ts';
import type { TrainOutcome } from '../../trainers/loop/train.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { writeReport } from '../../lab/report/write-report.ts';
import { hasEventLog } from '../../lab/watch/event-log.ts';
import { newestCheckpoint } from '../../trainers/run/checkpoint-store.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import { readResumedRun, secondsOfRun, type ResumedRun } from '../../trainers/run/resumed-run.ts';
import type { CommandContext } from '../command.ts';
import { importCredit, watchCredit } from '../watch/own-credit.ts';
import { createOpeningLog } from '../watch/opening-log.ts';
import { takeKey } from '../options/api-key.ts';
import type { TrainOptions } from './options.ts';
import { resolveTraining, type ResolvedTraining } from './resolve-config.ts';
import { watchTraining } from './watch-training.ts';
import { contextOf } from '../program/session-context.ts';

/** A training with open env, panels and policy that has written nothing yet. */
export interface OpenedTraining extends AsyncDisposable {
  readonly definition: AnyEnvDefinition;
  readonly plan: {
    readonly config: ResolvedTrainConfig;
    /** The env's config with defaults. */
    readonly envConfig: Json;
    readonly panels: readonly {
      readonly name: string;
      readonly fingerprint: string;
      readonly tasks: number;
    }[];
    readonly versions: Readonly<Record<string, string>>;
  };
  readonly checkpointBytes: number;
  /** The cost of a run, measured on one iteration; no run can follow. */
  readonly forecast: (onEpisode: (done: number) => void) => Promise<TrainingForecast>;
  /**
   * How far the run in that folder is stored on disk, such as `iteration 12`; undefined if nothing is stored
   * yet.
   */
  readonly kept: (folder: string) => Promise<string | undefined>;
  /** Trains or resumes in the folder and writes the report, also if it is interrupted. */
  readonly run: (folder: string, onProgress: ProgressListener) => Promise<TrainedRun>;
}

/** A finished run. */
export interface TrainedRun {
  readonly outcome: TrainOutcome;
  /** Path of the page; undefined if it could not be written. */
  readonly report: string | undefined;
  /** The error in that case. */
  readonly mishap: unknown;
  /** Seconds of the whole run, including those before it was resumed. */
  readonly seconds: number;
}

export async function openTraining(
  options: TrainOptions,
  registry: Registry<readonly AnyEnvDefinition[]>,
  session: CommandContext,
): Promise<OpenedTraining> {
  const { resume } = options;
  const say = (line: string): void => session.progress.say(line);
  const versions = { 'cairn-gym': session.version, node: process.version };
  const resumed = resume === undefined ? undefined : await readResumedRun(resume);
  const { definition, config } =
    resume === undefined || resumed === undefined
      ? await resolveTraining(options, registry)
      : configOf(resumed, resume, { registry, env: options.env });
  if (resumed !== undefined) sayOtherVersions(resumed, versions, say);
  const own = config.credit.kind === 'module' ? config.credit.file : undefined;
  if (own !== undefined) await importCredit(own, { signal: session.signal });
  const prepared = await prepareTraining({
    config,
    definition,
    backend: async () => {
      const opened = await openBackend(resumed?.backend ?? config.backend, {
        environment: session.environment,
        prefer: backendPreferenceOf(config.policy),
      });
      say(`backend ${opened.name}: ${opened.why}`);
      return opened;
    },
    versions,
    movedEnvModules: resumed === undefined || options.envModule.length === 0 ? undefined : options.envModule,
    acceptsChangedEnv: options.acceptChangedEnv,
    begun: resumed?.hasCheckpoint === true ? resumed.document : undefined,
    keyOf: (name) => takeKey(session.environment, name),
    context: contextOf(session, {
      seed: config.seed,
      log: createOpeningLog(session.progress, session.now),
    }),
  });
  for (const note of prepared.policy.notes) say(note);
  const preparation =
    own !== undefined ? { ...prepared, estimator: watchCredit(prepared.estimator) } : prepared;
  for (const warning of warningsOf(preparation.config, preparation.envSession.host.panels))
    say(`warning: ${warning}`);
  const { train, dev, final } = preparation.panels;
  return {
    plan: {
      config: preparation.config,
      envConfig: preparation.envSession.envConfig,
      panels: [train, dev, ...final].map(({ name, fingerprint, tasks }) => ({
        name,
        fingerprint,
        tasks: tasks.length,
      })),
      versions: preparation.versions,
    },
    definition,
    checkpointBytes: preparation.policy.checkpointBytes,
    forecast: (onEpisode) => forecastTraining(preparation, onEpisode),
    kept: async (folder) => {
      const newest = await newestCheckpoint(runPaths(folder).checkpoints);
      return newest === undefined ? undefined : describePlace(newest);
    },
    run: async (folder, onProgress) => {
      await using watch = await watchTraining(folder, {
        isEventLogWanted: options.tensorboard || (resume !== undefined && (await hasEventLog(folder))),
        config: { ...preparation.config, envConfig: preparation.envSession.envConfig },
        session,
      });
      try {
        const start = resume === undefined ? startTraining : resumeTraining;
        const outcome = await start(preparation, folder, { onProgress, onMetrics: watch.record });
        await watch.end('finished');
        const seconds = await secondsOfRun(folder, outcome.results);
        const told = await writeReport(folder).then(
          (report) => ({ report, mishap: undefined }),
          (mishap: unknown) => ({ report: undefined, mishap }),
        );
        return { outcome, ...told, seconds };
      } catch (thrown) {
        await watch.end(session.signal.aborted ? 'interrupted' : 'failed');
        // the interruption is reported
        if (session.signal.aborted) await writeReport(folder).catch(() => undefined);
        throw thrown;
      }
    },
    [Symbol.asyncDispose]: () => preparation[Symbol.asyncDispose](),
  };
}

/** @param env the env named on the command line with the run; it must be that of the run */
function configOf(
  { document }: ResumedRun,
  folder: string,
  {
    registry,
    env,
  }: { readonly registry: Registry<readonly AnyEnvDefinition[]>; readonly env: string | undefined },
): ResolvedTraining {
  const config = parseTrainConfig(document.config, { where: `config of ${folder}` });
  const definition = registry.find(config.env);
  if (env === undefined || registry.find(env).id === definition.id) return { definition, config };
  throw new UsageError({
    where: `run ${folder}`,
    what: `it trains on ${definition.id}, and ${env} is named.`,
    fix: 'Remove the environment.',
  });
}

/** With another version of Cairn or Node the results may differ from those of an uninterrupted run. */
function sayOtherVersions(
  { document }: ResumedRun,
  versions: Readonly<Record<string, string>>,
  say: (line: string) => void,
): void {
  for (const [name, now] of Object.entries(versions)) {
    const begun = document.versions[name];
    if (begun !== undefined && begun !== now)
      say(`the run was started with ${name} ${begun}, this is ${now}: numbers may differ`);
  }
}
