import { createContext } from '../../../envs/core/context.ts';
import type { AnyEnvDefinition } from '../../../envs/core/env.ts';
import type { GymEvent } from '../../../envs/core/log.ts';
import { lightsOutEnv } from '../../../envs/puzzle/lights-out.ts';
import { trainConfigSchema, type TrainConfigInput } from '../../../trainers/config/config.ts';
import type { MetricsListener, TrainProgress } from '../../../trainers/loop/progress.ts';
import { prepareTraining } from '../../../trainers/loop/setup/training-setup.ts';
import { resumeTraining, startTraining } from '../../../trainers/loop/start-training.ts';
import type { TrainOutcome } from '../../../trainers/loop/train.ts';
import { readRunDocument } from '../../../trainers/run/run-document.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';

/** A run of seconds with all the parts of a long one. */
export const smallConfig = {
  env: 'lights-out-v1',
  envConfig: { size: 3 },
  finalPanels: [],
  seed: 3,
  backend: 'cpu',
  iterations: 3,
  groups: 3,
  groupSize: 2,
  concurrency: 2,
  faultRetries: 0,
  policy: { buckets: 256, width: 4, hidden: 4 },
  warmStart: { episodes: 3, epochs: 6, evaluateEvery: 2, patience: 2 },
  evaluation: { tasks: 6, every: 2 },
  trajectories: { every: 1 },
} as const satisfies TrainConfigInput;

export interface SmallTraining {
  readonly config?: Partial<TrainConfigInput>;
  readonly definition?: AnyEnvDefinition;
  /** The run has a checkpoint to go on from. */
  readonly begun?: boolean;
  /** Stops the run, as a signal would, at the first event of which it is true. */
  readonly stopAt?: (path: string, event: GymEvent) => boolean;
  readonly onEvent?: (path: string, event: GymEvent) => void;
  readonly onProgress?: (progress: TrainProgress, stop: () => void) => void;
  readonly onMetrics?: MetricsListener;
}

/** What a stopped run is thrown. */
export const stopped = new Error('stopped by the test');

const run = async (
  start: typeof startTraining,
  folder: string,
  options: SmallTraining,
): Promise<TrainOutcome> => {
  const { definition = lightsOutEnv, stopAt, onEvent } = options;
  const begun = options.begun === true ? await readRunDocument(folder) : undefined;
  const config = trainConfigSchema.parse({ ...smallConfig, ...options.config });
  const controller = new AbortController();
  const stop = (): void => controller.abort(stopped);
  const event = (path: string, happened: GymEvent): void => {
    onEvent?.(path, happened);
    if (stopAt?.(path, happened) === true) stop();
  };
  const context = createContext({
    seed: config.seed,
    now: () => performance.now(),
    signal: controller.signal,
    log: { event },
  });
  await using setup = await prepareTraining({
    config,
    definition,
    backend: () => openBackend(config.backend),
    versions: { 'cairn-gym': '0.1.0' },
    begun,
    context,
  });
  const { onMetrics } = options;
  return await start(setup, folder, {
    onProgress: (progress) => options.onProgress?.(progress, stop),
    ...(onMetrics === undefined ? {} : { onMetrics }),
  });
};

export const trainSmall = (folder: string, options: SmallTraining = {}): Promise<TrainOutcome> =>
  run(startTraining, folder, options);
export const resumeSmall = (folder: string, options: SmallTraining = {}): Promise<TrainOutcome> =>
  run(resumeTraining, folder, options);
