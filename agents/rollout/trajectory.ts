import type { Fault } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Reward } from '../../envs/core/step.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Reply } from '../../envs/core/textual.ts';
import type { Decision } from '../core/agent.ts';

/** Version of the trajectory format. It increases when new code could not read a file of the old code. */
export const trajectorySchema = 2;

/** One action and its result. */
export interface TrajectoryStep<Obs = unknown, Act = unknown> {
  /** What the agent saw before it acted. */
  readonly observation: Obs;
  readonly seat: number;
  readonly stateKey: string | undefined;
  readonly anchorKey: string | undefined;
  readonly stepsLeft: number | undefined;
  readonly reply: Reply<Act>;
  readonly decision: Decision | undefined;
  readonly policyVersion: number | undefined;
  /**
   * How the reply was classified. Inadmissible actions and malformed replies are errors of the model, and the
   * rollout charges `penalty`.
   */
  readonly verdict: 'admissible' | 'inadmissible' | 'malformed';
  /**
   * What the env paid, unchanged. A malformed reply has total 0 without terms. Undefined if the step has no
   * reward, which is not zero.
   */
  readonly reward: Reward | undefined;
  /**
   * The rollout's charge for an error of the model: 0 or more, in the unit of the reward, to be subtracted
   * from it. Undefined for an admissible action.
   */
  readonly penalty: number | undefined;
  readonly otherRewards?: Readonly<Record<number, Reward>>;
  readonly metrics?: Readonly<Record<string, number>>;
}

/** Why an episode ended; nothing else records it. Only `faulted` episodes are unusable for training. */
export type Stop =
  | { readonly kind: 'terminated'; readonly outcome: 'solved' | 'failed'; readonly limit?: string }
  | { readonly kind: 'truncated'; readonly limit: string }
  | { readonly kind: 'faulted'; readonly fault: Fault };

/** An episode as it was played. Credit, training, replay and viewers need nothing else. */
export interface Trajectory<Obs = unknown, Act = unknown> {
  readonly schema: typeof trajectorySchema;
  /** The context path. It identifies the episode, seeds it and tags its logs. */
  readonly path: string;
  readonly env: { readonly id: string; readonly config: Json };
  readonly task: TaskRef;
  readonly family: string;
  readonly agent: string;
  readonly instruction: string;
  readonly steps: readonly TrajectoryStep<Obs, Act>[];
  /** The observation after the last step. Undefined if the episode faulted. */
  readonly finalObservation: Obs | undefined;
  /**
   * State key after the last step. Undefined if the episode faulted, the env gives none, or schema 1 stored
   * the episode.
   */
  readonly finalStateKey: string | undefined;
  /** Anchor key after the last step, undefined under the same conditions. */
  readonly finalAnchorKey: string | undefined;
  readonly stop: Stop;
  /**
   * Named arrays computed from the episode after it was played, such as values or judgements. Names are in
   * kebab case. Each source documents the shape of its array, such as one number a step. They are stored
   * exactly, NaN included.
   */
  readonly evidence?: Readonly<Record<string, Float64Array>>;
}

/** Trajectories of one task: same initial state, different random streams. */
export interface TrajectoryGroup<Obs = unknown, Act = unknown> {
  readonly task: TaskRef;
  readonly members: readonly Trajectory<Obs, Act>[];
}

/** The sum of the env's rewards without penalties. Tables print it as the score. */
export function scoreOf(trajectory: Trajectory): number {
  let score = 0;
  for (const { reward } of trajectory.steps) score += reward?.total ?? 0;
  return score;
}

/** Reward of the step less its penalty, which training uses. Undefined if the step has no reward. */
export function netRewardOf({
  reward,
  penalty = 0,
}: Pick<TrajectoryStep, 'reward' | 'penalty'>): number | undefined {
  return reward === undefined ? undefined : reward.total - penalty;
}

/** Sum of rewards less penalties, which training uses. */
export function returnOf(trajectory: Trajectory): number {
  let total = 0;
  for (const step of trajectory.steps) total += netRewardOf(step) ?? 0;
  return total;
}

/** The env's metrics, which are no rewards, summed over the steps. Undefined if there are none. */
export function metricsOf({
  steps,
}: Pick<Trajectory, 'steps'>): Readonly<Record<string, number>> | undefined {
  const sums = new Map<string, number>();
  for (const { metrics = {} } of steps)
    for (const [name, value] of Object.entries(metrics)) sums.set(name, (sums.get(name) ?? 0) + value);
  return sums.size === 0 ? undefined : Object.fromEntries(sums);
}

export const isSolved = (trajectory: Trajectory): boolean =>
  trajectory.stop.kind === 'terminated' && trajectory.stop.outcome === 'solved';
