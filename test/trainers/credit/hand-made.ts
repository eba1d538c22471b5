import {
  trajectorySchema,
  type Trajectory,
  type TrajectoryGroup,
  type TrajectoryStep,
} from '../../../agents/rollout/trajectory.ts';
import type { BatchCredit, TrajectoryCredit } from '../../../trainers/credit/estimator.ts';

/** A step in a few words: what matters to credit and nothing else. */
export interface StepSketch {
  /** Anchor key; undefined for none. */
  readonly key?: string | undefined;
  readonly state?: string | undefined;
  readonly observation?: unknown;
  /** What the env pays; 0 when left out, never scored when `unscored`. */
  readonly reward?: number;
  /** What the rollout subtracts. */
  readonly penalty?: number | undefined;
  readonly unscored?: boolean;
  readonly seat?: number;
}

export function step(sketch: StepSketch = {}): TrajectoryStep {
  const { reward = 0, penalty } = sketch;
  return {
    observation: 'observation' in sketch ? sketch.observation : `you see ${sketch.key ?? 'nothing'}`,
    seat: sketch.seat ?? 0,
    stateKey: sketch.state,
    anchorKey: sketch.key,
    stepsLeft: undefined,
    reply: { kind: 'action', action: 'go' },
    decision: undefined,
    policyVersion: undefined,
    verdict: penalty === undefined ? 'admissible' : 'inadmissible',
    reward: sketch.unscored === true ? undefined : { total: reward, terms: { goal: reward } },
    penalty,
  };
}

export function episode(
  steps: readonly StepSketch[],
  options: { readonly faulted?: boolean; readonly env?: string } = {},
): Trajectory {
  return {
    schema: trajectorySchema,
    path: 'test/0/member',
    env: { id: options.env ?? 'corridor-v1', config: {} },
    task: { panel: 'train', index: 0 },
    family: 'corridor',
    agent: 'scripted',
    instruction: 'find the goal',
    steps: steps.map(step),
    finalObservation: 'the end',
    finalStateKey: undefined,
    finalAnchorKey: undefined,
    stop:
      options.faulted === true
        ? { kind: 'faulted', fault: { kind: 'env-crashed', where: 'step', message: 'on purpose' } }
        : { kind: 'terminated', outcome: 'failed' },
  };
}

/** An episode that passes the anchors named by the letters of `keys` and is paid `score` at its end. */
export function walk(keys: string, score: number): Trajectory {
  return episode(Array.from(keys, (key, place) => ({ key, reward: place === keys.length - 1 ? score : 0 })));
}

export function group(...members: readonly Trajectory[]): TrajectoryGroup {
  return { task: { panel: 'train', index: 0 }, members };
}

/** Anchors of a member by the first grouping. */
export const anchorOf = ({ anchors }: Pick<TrajectoryCredit, 'anchors'>): Int32Array =>
  Object.values(anchors)[0] ?? new Int32Array(0);

/** Sizes of the anchors of the first grouping. */
export const sizesOf = ({ anchorSizes }: Pick<BatchCredit, 'anchorSizes'>): Int32Array =>
  Object.values(anchorSizes)[0] ?? new Int32Array(0);
