import { UsageError } from '../../envs/core/errors.ts';
import type { TaskRef, TaskSource } from '../../envs/core/task.ts';
import type { Semaphore } from '../../envs/core/waiting.ts';
import type { EpisodePlan } from './episode.ts';
import type { Trajectory, TrajectoryGroup } from './trajectory.ts';

/**
 * What to do when a member of a group is faulted. No strategy looks at rewards, so none favours easy or hard
 * tasks.
 *
 * `fail-fast` stops the whole rollout. `retry` replays a faulted member under a new path, at most `retries`
 * times. A member that still faults stays in the group.
 */
export type GroupStrategy =
  | { readonly kind: 'fail-fast' }
  | { readonly kind: 'retry'; readonly retries: number };

/** How groups are played, independent of their tasks. */
export interface RolloutPlan<Obs, Act> extends Pick<
  EpisodePlan<Obs, Act>,
  'envs' | 'env' | 'agent' | 'limits'
> {
  /** Describes the tasks. An opened host can be used. */
  readonly source: Pick<TaskSource, 'describeTask'>;
  /**
   * Purpose of the episodes, such as `iteration-3` or `greedy`. It is part of their paths, so another label
   * draws other random numbers.
   */
  readonly label: string;
  /** Episodes for each task. */
  readonly members: number;
  readonly strategy: GroupStrategy;
  /** Most concurrent episodes over all groups. It does not change results. */
  readonly concurrency: number;
  /**
   * Semaphore shared with concurrent rollouts, `concurrency` slots in all. By default the rollout has its
   * own.
   */
  readonly slots?: Semaphore;
  /** Priority among rollouts that share slots: the smallest gets a slot first; 0 by default. */
  readonly turn?: number;
  /** Called after each step and each episode. */
  readonly onProgress?: (progress: RolloutProgress) => void;
}

/** Progress of a rollout. */
export interface RolloutProgress {
  readonly episodesDone: number;
  readonly episodesPlanned: number;
  /** Steps recorded so far, including those of retried episodes. */
  readonly stepsDone: number;
}

/** A group that has been played. */
export interface GroupResult<Obs, Act> {
  /** Position of its task in the requested list. */
  readonly index: number;
  /** All members in order, including faulted ones. */
  readonly group: TrajectoryGroup<Obs, Act>;
  /** Faulted attempts that a retry replaced. They are not part of the group but count in the fault rate. */
  readonly replaced: readonly Trajectory<Obs, Act>[];
}

/** Validates a plan before the first episode. @throws UsageError if it cannot be played */
export function assertRolloutPlan<Obs, Act>(plan: RolloutPlan<Obs, Act>, tasks: readonly TaskRef[]): void {
  assertCount('members', plan.members, 1);
  assertCount('concurrency', plan.concurrency, 1);
  if (plan.label === '')
    refuse('label', 'it is empty.', 'Name the purpose of the episodes, such as "iteration-3".');
  const { strategy } = plan;
  if (strategy.kind === 'retry') assertCount('strategy.retries', strategy.retries, 0);
  const names = new Set<string>();
  for (const { panel, index } of tasks) {
    const name = `${panel}/${index}`;
    if (names.has(name)) {
      refuse(
        'tasks',
        `${name} is listed twice, so its episodes would share paths and random numbers.`,
        'Ask for more members, or use another label.',
      );
    }
    names.add(name);
  }
}

function assertCount(name: string, count: number, least: number): void {
  if (Number.isSafeInteger(count) && count >= least) return;
  refuse(name, `${count} is invalid.`, `It must be an integer of at least ${least}.`);
}

function refuse(name: string, what: string, fix: string): never {
  throw new UsageError({ where: `rollout plan, ${name}`, what, fix });
}
