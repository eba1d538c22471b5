import { openTrajectoryStore } from '../../agents/rollout/store/store.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { TaskPanel } from '../../envs/core/task.ts';
import { ValidatedEstimator } from '../credit/validation/validated-estimator.ts';
import { assertFreeSpace } from '../../files/free-space.ts';
import { createRun, resumeRun, type RunFolder } from '../run/open-run.ts';
import { withChangedEnv } from '../run/user-files.ts';
import { storeName } from '../run/checkpoint-names.ts';
import { findResumePoint } from './resume/find-resume-point.ts';
import { findTrajectoriesEnd } from './resume/find-trajectories-end.ts';
import type { ProgressListener, TrainingListeners } from './progress.ts';
import { panelsOf, type TrainingSetup } from './setup/training-setup.ts';
import { train, type TrainOutcome } from './train.ts';

/** For callers without a listener. */
const unheard = (): void => undefined;

const megabyte = 2 ** 20;

/** Checkpoints besides the newest: the best, that of the warm start, and one that is being written. */
const besides = 3;

/**
 * Starts a new run in a folder that is missing or empty. The caller disposes the setup. If the disk has no
 * room for the run's checkpoints, a `RunError` is thrown before anything is written. A run that is refused
 * before it has done any work leaves nothing.
 * @param listeners a function hears the progress
 */
export async function startTraining(
  setup: TrainingSetup,
  folder: string,
  listeners: ProgressListener | TrainingListeners = {},
): Promise<TrainOutcome> {
  ValidatedEstimator.require(setup.estimator);
  const { config, policy, versions } = setup;
  await assertFreeSpace(folder, (config.checkpoints.keep + besides) * policy.checkpointBytes + megabyte);
  await using run = await createRun(folder, {
    versions: { 'cairn-gym': 'unknown', ...versions },
    panels: panelFacts(panelsOf(setup)),
    ...(setup.envSession.host.identity === undefined ? {} : { identity: setup.envSession.host.identity }),
    config: config as Json,
  });
  try {
    return await trainIn(run, setup, listeners);
  } catch (thrown) {
    if (UsageError.is(thrown)) await run.discardUnlessBegun();
    throw thrown;
  }
}

/**
 * Resumes a run from its newest checkpoint. Refuses a `setup` that does not belong to the folder's config.
 * Refuses other tasks, other policy traits or another backend than the run started with.
 */
export async function resumeTraining(
  setup: TrainingSetup,
  folder: string,
  listeners: ProgressListener | TrainingListeners = {},
): Promise<TrainOutcome> {
  ValidatedEstimator.require(setup.estimator);
  const { acceptsChangedEnv, versions } = setup;
  await using run = await resumeRun(
    folder,
    acceptsChangedEnv ? (document) => withChangedEnv(document, versions) : undefined,
  );
  return await trainIn(run, setup, listeners);
}

async function trainIn(
  run: RunFolder,
  setup: TrainingSetup,
  listeners: ProgressListener | TrainingListeners,
): Promise<TrainOutcome> {
  const { onProgress = unheard, onMetrics = unheard } =
    typeof listeners === 'function' ? { onProgress: listeners } : listeners;
  const start = await findResumePoint(run, setup);
  const { warning, ...end } = await findTrajectoriesEnd(run, start, setup.config);
  const { maxMegabytes } = setup.config.trajectories;
  await using store = await openTrajectoryStore({
    folder: run.paths.trajectories,
    name: storeName,
    maxFileBytes: Math.round((maxMegabytes * megabyte) / 4),
    maxTotalBytes: Math.round(maxMegabytes * megabyte),
    goOn: `resume with \`npx cairn-gym train --resume ${run.folder}\``,
    ...end,
  });
  return await train({ ...setup, run, store, onProgress, onMetrics }, start, warning);
}

function panelFacts(panels: readonly TaskPanel[]): Record<string, { fingerprint: string; tasks: number }> {
  return Object.fromEntries(
    panels.map(({ name, fingerprint, tasks }) => [name, { fingerprint, tasks: tasks.length }]),
  );
}
