import { openTrajectoryStore } from '../../agents/rollout/store/store.ts';
import { UsageError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { TaskPanel } from '../../envs/core/task.ts';
import { ValidatedEstimator } from '../credit/validation/validated-estimator.ts';
import { assertFreeSpace } from '../../files/free-space.ts';
import { createRun, resumeRun, type RunFolder } from '../run/open-run.ts';
import { storeName } from '../run/checkpoint-names.ts';
import { findStart } from './resume/find-start.ts';
import { findTrajectoriesEnd } from './resume/find-trajectories-end.ts';
import type { ProgressListener } from './progress.ts';
import { panelsOf, type Preparation } from './setup/session.ts';
import { train, type TrainOutcome } from './train.ts';

/** Where the caller does not listen. */
const unheard: ProgressListener = () => undefined;

const megabyte = 2 ** 20;

/** Checkpoints beside the newest ones: the best, that of the warm start, and one that is being written. */
const besides = 3;

/**
 * A new run in a folder that is missing or empty. The preparation stays the caller's to dispose. A disk without room for the
 * checkpoints of the run is a `RunError` before anything is written. One that is refused before it has done any work leaves nothing.
 */
export async function startTraining(
  preparation: Preparation,
  folder: string,
  onProgress: ProgressListener = unheard,
): Promise<TrainOutcome> {
  ValidatedEstimator.require(preparation.estimator);
  const { config, policy, versions } = preparation;
  await assertFreeSpace(folder, (config.checkpoints.keep + besides) * policy.checkpointBytes + megabyte);
  await using run = await createRun(folder, {
    versions: { 'cairn-gym': 'unknown', ...versions },
    panels: panelFacts(panelsOf(preparation)),
    ...(preparation.bench.host.identity === undefined ? {} : { identity: preparation.bench.host.identity }),
    config: config as Json,
  });
  try {
    return await trainIn(run, preparation, onProgress);
  } catch (thrown) {
    if (UsageError.is(thrown)) await run.discardUnlessBegun();
    throw thrown;
  }
}

/**
 * A run that was begun before, from its newest checkpoint. A `preparation` that is not of the config in the folder, or finds
 * other tasks, other traits of the policy or another backend than the run began with, is refused.
 */
export async function resumeTraining(
  preparation: Preparation,
  folder: string,
  onProgress: ProgressListener = unheard,
): Promise<TrainOutcome> {
  ValidatedEstimator.require(preparation.estimator);
  await using run = await resumeRun(folder);
  return await trainIn(run, preparation, onProgress);
}

async function trainIn(
  run: RunFolder,
  preparation: Preparation,
  onProgress: ProgressListener,
): Promise<TrainOutcome> {
  const start = await findStart(run, preparation);
  const { warning, ...end } = await findTrajectoriesEnd(run, start, preparation.config);
  const { maxMegabytes } = preparation.config.trajectories;
  await using store = await openTrajectoryStore({
    folder: run.paths.trajectories,
    name: storeName,
    maxFileBytes: Math.round((maxMegabytes * megabyte) / 4),
    maxTotalBytes: Math.round(maxMegabytes * megabyte),
    goOn: `go on with \`cairn train --resume ${run.folder}\` and the --env-module it has, if any`,
    ...end,
  });
  return await train({ ...preparation, run, store, onProgress }, start, warning);
}

function panelFacts(panels: readonly TaskPanel[]): Record<string, { fingerprint: string; tasks: number }> {
  return Object.fromEntries(
    panels.map(({ name, fingerprint, tasks }) => [name, { fingerprint, tasks: tasks.length }]),
  );
}
