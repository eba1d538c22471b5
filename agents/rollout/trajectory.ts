import type { Fault } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import { invalidActionTerm, type Reward } from '../../envs/core/step.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Reply } from '../../envs/core/textual.ts';
import type { Decision } from '../core/agent.ts';

/** Number of the trajectory format; it moves when a file of the old code could not be read by the new. */
export const trajectorySchema = 1;

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
  /** How the reply was taken: the two last are the model's error and earn the term `invalid-action`. */
  readonly verdict: 'admissible' | 'inadmissible' | 'malformed';
  /** Undefined when it was never scored, which is not zero. */
  readonly reward: Reward | undefined;
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
  readonly stop: Stop;
}

/** Trajectories of one task: the same initial state, different luck. */
export interface TrajectoryGroup<Obs = unknown, Act = unknown> {
  readonly task: TaskRef;
  readonly members: readonly Trajectory<Obs, Act>[];
}

/** What the env paid in all, without the rollout's penalties: the score that tables print. */
export function scoreOf(trajectory: Trajectory): number {
  let score = 0;
  for (const step of trajectory.steps) score += scoreOfStep(step);
  return score;
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

/** What the env paid for the step; 0 where it was never scored. */
export function scoreOfStep({ reward }: Pick<TrajectoryStep, 'reward'>): number {
  return reward === undefined ? 0 : reward.total - (reward.terms[invalidActionTerm] ?? 0);
}

/** What training sees in all: the score and the penalties. */
export function returnOf(trajectory: Trajectory): number {
  let total = 0;
  for (const { reward } of trajectory.steps) total += reward?.total ?? 0;
  return total;
}

export const isSolved = (trajectory: Trajectory): boolean =>
  trajectory.stop.kind === 'terminated' && trajectory.stop.outcome === 'solved';
