import type { ClippedObjective } from './objective.ts';

/** Bound on a log-ratio before it is exponentiated (F18): beyond it the ratio is constant. */
export const largestLogRatio = 20;

/** What was chosen, and how likely it was to whom. */
export interface SurrogateFacts {
  readonly advantage: number;
  /** Log of current / proximal. */
  readonly logRatio: number;
  /** Bound on the log-ratio from above. */
  readonly ceiling?: number;
  /** Log-probabilities. */
  readonly proximal: number;
  readonly behaviour: number;
}

export interface Surrogate {
  readonly loss: number;
  /** Its derivative by the log-probability: the ratio is its own. */
  readonly slope: number;
  /** Current / proximal. */
  readonly ratio: number;
  /** Weight of staleness. */
  readonly importance: number;
  /** Whether a bound cut the gradient off. */
  readonly clipped: boolean;
}

/** The clipped loss of one decision or token: see `clippedObjectiveSchema` for its sources (F18). */
export function clippedSurrogate(
  {
    low,
    high,
    dualClip,
    importanceCap,
  }: Pick<ClippedObjective, 'low' | 'high' | 'dualClip' | 'importanceCap'>,
  facts: SurrogateFacts,
): Surrogate {
  const { advantage, logRatio, ceiling = largestLogRatio, proximal, behaviour } = facts;
  const boundedLogRatio = bounded(logRatio, -largestLogRatio, ceiling);
  const ratio = Math.exp(boundedLogRatio);
  const open = -advantage * ratio;
  const held = -advantage * bounded(ratio, 1 - low, 1 + high);
  const most = dualClip !== undefined && advantage < 0 ? -advantage * dualClip : Number.POSITIVE_INFINITY;
  const clipped = held > open || open > most || logRatio !== boundedLogRatio;
  const importance =
    importanceCap === undefined ? 1 : Math.min(importanceCap, Math.exp(proximal - behaviour));
  return {
    loss: importance * Math.min(Math.max(open, held), most),
    slope: clipped ? 0 : importance * open,
    ratio,
    importance,
    clipped,
  };
}

/** The estimate k3 of a KL, `e^x - 1 - x`, of a log-ratio that is bounded first (Schulman 2020). */
export function k3(logRatio: number): number {
  const apart = bounded(logRatio, -largestLogRatio, largestLogRatio);
  return Math.expm1(apart) - apart;
}

function bounded(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
