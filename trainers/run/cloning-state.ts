import { passBegins, type PassPosition } from '../update/policy.ts';

/** Progress of cloning. Together with the current and the best weights it is all that resuming needs. */
export interface CloningState {
  /** Passes done. */
  readonly epoch: number;
  /** Mean cross entropy in the last of them, in nats. */
  readonly loss: number;
  /** The pass after which `dev` was last played. */
  readonly evaluated: number;
  /** The best success on it so far; -1 before the first. */
  readonly best: number;
  /** Evaluations since the best one. */
  readonly stale: number;
  /** How far the pass of now has come. */
  readonly pass: PassPosition;
}

export const cloningBegins: CloningState = {
  epoch: 0,
  loss: 0,
  evaluated: 0,
  best: -1,
  stale: 0,
  pass: passBegins,
};

/** Whether the weights of now are the best so far. */
export function isBest({ epoch, evaluated, stale, pass }: CloningState): boolean {
  return evaluated > 0 && evaluated === epoch && stale === 0 && pass.batches === 0;
}

/** The state as counters of a checkpoint. */
export function cloningCounters({
  epoch,
  loss,
  evaluated,
  best,
  stale,
  pass,
}: CloningState): Readonly<Record<string, number>> {
  const whole = {
    cloningEpoch: epoch,
    cloningLoss: loss,
    cloningEvaluated: evaluated,
    cloningBest: best,
    cloningStale: stale,
  };
  return {
    ...whole,
    cloningPassBatches: pass.batches,
    cloningPassOf: pass.of,
    cloningPassLossSum: pass.lossSum,
    cloningPassWeight: pass.weight,
  };
}

/** The state that the counters of a checkpoint describe. */
export function cloningFrom({
  counters,
}: {
  readonly counters: Readonly<Record<string, number>>;
}): CloningState {
  const {
    cloningEpoch = 0,
    cloningLoss = 0,
    cloningEvaluated = 0,
    cloningBest = -1,
    cloningStale = 0,
  } = counters;
  const {
    cloningPassBatches = 0,
    cloningPassOf = 0,
    cloningPassLossSum = 0,
    cloningPassWeight = 0,
  } = counters;
  const pass = {
    batches: cloningPassBatches,
    of: cloningPassOf,
    lossSum: cloningPassLossSum,
    weight: cloningPassWeight,
  };
  return {
    epoch: cloningEpoch,
    loss: cloningLoss,
    evaluated: cloningEvaluated,
    best: cloningBest,
    stale: cloningStale,
    pass,
  };
}
