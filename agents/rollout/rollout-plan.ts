import { UsageError } from '../../envs/core/errors.ts';
import type { TaskRef, TaskSource } from '../../envs/core/task.ts';
import type { Semaphore } from '../../envs/core/waiting.ts';
import type { EpisodePlan } from './episode.ts';
import type { Trajectory, TrajectoryGroup } from './trajectory.ts';

/**
 * What happens when the world fails a member of a group. Neither looks at rewards, so neither favours easy or hard tasks.
 *
 * `fail-fast` stops the whole rollout. `retry` plays a faulted member again under a new name, at most `retries` times. A member that
 * still faults stays in the group.
 */
export type GroupStrategy =
  | { readonly kind: 'fail-fast' }
  | { readonly kind: 'retry'; readonly retries: number };

/** How groups are played, whatever their tasks. */
export interface RolloutPlan<Obs, Act> extends Pick<
  EpisodePlan<Obs, Act>,
  'envs' | 'env' | 'agent' | 'limits'
> {
  /** Describes the tasks; an opened host is one. */
  readonly source: Pick<TaskSource, 'describeTask'>;
  /** What the episodes are for, such as `iteration-3` or `greedy`: part of their paths, so another label is other luck. */
  readonly label: string;
  /** Episodes of one task. */
  readonly members: number;
  readonly strategy: GroupStrategy;
  /** Most episodes that run at one time, over all groups. It changes no result. */
  readonly concurrency: number;
  /** Shared with rollouts beside this one, `concurrency` in all; of its own unless given. */
  readonly slots?: Semaphore;
  /** Of those who share slots the smallest gets one first; 0 unless given. */
  readonly turn?: number;
  /** Called after each step and each episode. */
  readonly onProgress?: (progress: RolloutProgress) => void;
}

/** How far a rollout has come. */
export interface RolloutProgress {
  readonly episodesDone: number;
  readonly episodesPlanned: number;
  /** Steps recorded so far, those of retried episodes included. */
  readonly stepsDone: number;
}

/** A group that has been played. */
export interface GroupResult<Obs, Act> {
  /** Place of its task in the list that was asked for. */
  readonly index: number;
  /** All members, in order, faulted ones included. */
  readonly group: TrajectoryGroup<Obs, Act>;
  /** The faulted tries that a later try replaced: no part of the group, but part of the fault rate. */
  readonly replaced: readonly Trajectory<Obs, Act>[];
}

/** Refuses a plan that makes no sense, before the first episode. */
export function assertRolloutPlan<Obs, Act>(plan: RolloutPlan<Obs, Act>, tasks: readonly TaskRef[]): void {
  assertCount('members', plan.members, 1);
  assertCount('concurrency', plan.concurrency, 1);
  if (plan.label === '')
    refuse('label', 'it is empty.', 'Say what the episodes are for, such as "iteration-3".');
  const { strategy } = plan;
  if (strategy.kind === 'retry') assertCount('strategy.retries', strategy.retries, 0);
  const names = new Set<string>();
  for (const { panel, index } of tasks) {
    const name = `${panel}/${index}`;
    if (names.has(name)) {
      refuse(
        'tasks',
        `${name} is listed twice, so its episodes would share names and luck.`,
        'Ask for more members, or use another label.',
      );
    }
    names.add(name);
  }
}

function assertCount(name: string, count: number, least: number): void {
  if (Number.isSafeInteger(count) && count >= least) return;
  refuse(name, `${count} will not do.`, `Give a whole number from ${least} up.`);
}

function refuse(name: string, what: string, fix: string): never {
  throw new UsageError({ where: `rollout plan, ${name}`, what, fix });
}
