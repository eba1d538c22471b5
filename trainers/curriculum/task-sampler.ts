import type { Trajectory } from '../../agents/rollout/trajectory.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { TaskPanel, TaskRef } from '../../envs/core/task.ts';
import type { TrainConfig } from '../config/config.ts';
import { successAfter, type FamilySuccess } from './family-success.ts';
import { tasksByFamily } from './task-families.ts';
import { tasksOf } from './task-order.ts';
import { drawUnsolved } from './unsolved-tasks.ts';

/** Which tasks an iteration plays, and what is kept in mind for that of those played. Both are functions of what they are given. */
export interface TaskSampler {
  /** The tasks of iteration `iteration`, from 0. */
  next(iteration: number, success: FamilySuccess): readonly TaskRef[];
  /** What is known of success after `episodes`, in the order of the tasks. */
  learn(success: FamilySuccess, episodes: readonly Trajectory[]): FamilySuccess;
}

export function createTaskSampler(options: {
  readonly config: Pick<TrainConfig, 'taskSampling' | 'groups'>;
  readonly panel: TaskPanel;
  /** The stream of the run. */
  readonly rng: Rng;
}): TaskSampler {
  const { panel } = options;
  const { groups: count, taskSampling } = options.config;
  const rng = options.rng.fork('task-order');
  if (taskSampling.kind === 'passes')
    return { next: (iteration) => tasksOf(panel, iteration, count, rng), learn: (success) => success };
  const { floor, memory } = taskSampling;
  const families = tasksByFamily(panel);
  return {
    next: (iteration, success) => drawUnsolved(families, success, { count, floor, rng: rng.fork(iteration) }),
    learn: (success, episodes) => successAfter(success, episodes, memory),
  };
}
