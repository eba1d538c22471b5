import type { Fault } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Reward } from '../../envs/core/step.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Reply } from '../../envs/core/textual.ts';
import type { Decision } from '../core/agent.ts';

/** Number of the trajectory format; it moves when a file of the old code could not be read by the new. */
export const trajectorySchema = 2;

/** One action and what came of it. */
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
  /** How the reply was read. An inadmissible action and a malformed reply are errors of the model, and the rollout charges `penalty`. */
  readonly verdict: 'admissible' | 'inadmissible' | 'malformed';
  /** What the env paid, untouched; total 0 without terms for a malformed reply. Undefined when the step was never scored, which is not zero. */
  readonly reward: Reward | undefined;
  /**
   * What the rollout charged for the model's error: 0 or more, in the unit of the reward, to be subtracted from it. Undefined for an
   * admissible action.
   */
  readonly penalty: number | undefined;
  readonly otherRewards?: Readonly<Record<number, Reward>>;
  readonly metrics?: Readonly<Record<string, number>>;
}

/** The one record of why an episode ended. Only `faulted` is unusable for training. */
export type Stop =
  | { readonly kind: 'terminated'; readonly outcome: 'solved' | 'failed'; readonly limit?: string }
  | { readonly kind: 'truncated'; readonly limit: string }
  | { readonly kind: 'faulted'; readonly fault: Fault };

/** An episode as it was played: all that credit, training, replay and a viewer need. */
export interface Trajectory<Obs = unknown, Act = unknown> {
  readonly schema: typeof trajectorySchema;
  /** The context path: id, seed and log key in one. */
  readonly path: string;
  readonly env: { readonly id: string; readonly config: Json };
  readonly task: TaskRef;
  readonly family: string;
  readonly agent: string;
  readonly instruction: string;
  readonly steps: readonly TrajectoryStep<Obs, Act>[];
  /** What was seen after the last step; undefined when the episode faulted. */
  readonly finalObservation: Obs | undefined;
  /** Key of the world after the last step. Undefined when the episode faulted, the env gives none, or schema 1 stored the episode. */
  readonly finalStateKey: string | undefined;
  /** Key of the decision after the last step, under the same conditions. */
  readonly finalAnchorKey: string | undefined;
  readonly stop: Stop;
  /**
   * Named arrays, the names in kebab case, that were computed from the episode after it was played, such as values or judgements. Each source documents the shape
   * of its array, such as one number a step. They are stored bit by bit, NaN included.
   */
  readonly evidence?: Readonly<Record<string, Float64Array>>;
}

/** Trajectories of one task: the same initial state, different luck. */
export interface TrajectoryGroup<Obs = unknown, Act = unknown> {
  readonly task: TaskRef;
  readonly members: readonly Trajectory<Obs, Act>[];
}

/** The sum of what the env paid, without penalties: the score that tables print. */
export function scoreOf(trajectory: Trajectory): number {
  let score = 0;
  for (const { reward } of trajectory.steps) score += reward?.total ?? 0;
  return score;
}

/** The reward of the step less its penalty: what training sees. Undefined when the step was never scored. */
export function netRewardOf({
  reward,
  penalty = 0,
}: Pick<TrajectoryStep, 'reward' | 'penalty'>): number | undefined {
  return reward === undefined ? undefined : reward.total - penalty;
}

/** The sum of the rewards less the penalties: what training sees of the episode. */
export function returnOf(trajectory: Trajectory): number {
  let total = 0;
  for (const step of trajectory.steps) total += netRewardOf(step) ?? 0;
  return total;
}

/** What the env counted beside rewards, summed over the steps; undefined where it counted nothing. */
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
