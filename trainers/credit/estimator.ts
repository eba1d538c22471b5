import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';

/** Facts that cost time to get. They are gathered first, so that giving credit is pure arithmetic. Indexed [group][member]. */
export interface Evidence {
  /** Critic values: (steps + 1), before each step and then of the final observation. */
  readonly values?: readonly (readonly Float32Array[])[];
  /** Score of each step by a process reward model or a judge. */
  readonly judgements?: readonly (readonly Float32Array[])[];
}

/** The credit of one trajectory, step by step. All arrays have one entry a step; a faulted trajectory has none. */
export interface TrajectoryCredit {
  /** What training uses; always finite. */
  readonly advantage: Float64Array; // (steps)
  /** The part that the whole episode earned, before weighting. */
  readonly episode: Float64Array; // (steps)
  /** The part that the step earned against its anchor group, before weighting. */
  readonly step: Float64Array; // (steps)
  /** Number of the anchor group within the batch; -1 where the step has no key. */
  readonly anchor: Int32Array; // (steps)
  /** Discounted return from this step on; NaN where a reward it needs was never scored. */
  readonly stepReturn: Float64Array; // (steps)
  /** False where the estimator tells no part of the episode and none of the step: then `step` is the advantage. */
  readonly tellsParts?: boolean;
}

/**
 * What became of a group. Only a `credited` group can teach: with fewer than two members that did not fault there is
 * nothing to compare, so the group is dropped and all its credit is 0.
 */
export type GroupVerdict = 'credited' | 'single-survivor' | 'all-faulted';

/** The credit of a batch. */
export interface BatchCredit {
  /** Indexed [group][member], as the groups were given. */
  readonly groups: readonly (readonly TrajectoryCredit[])[];
  readonly verdicts: readonly GroupVerdict[]; // (groups)
  /** Steps in each anchor group. */
  readonly anchorSizes: Int32Array; // (anchors)
  /** Named figures for the metrics of the iteration, such as `anchor/information/singleton-share`. */
  readonly statistics: Readonly<Record<string, number>>;
}

/** Numbers in a row: an array or a typed one. */
type Numbers = ArrayLike<number>;

/** What an estimator says of one trajectory. All that is given has one entry a step; of a faulted trajectory it is empty. */
export interface GivenTrajectoryCredit {
  /** What training uses: finite, positive to do the step more often. */
  readonly advantage: Numbers; // (steps)
  /** The part that the whole episode earned; left out: 0. For people, as is all that follows. */
  readonly episode?: Numbers; // (steps)
  /** The part that the step earned itself; left out: what `episode` leaves of the advantage. */
  readonly step?: Numbers; // (steps)
  /** Which steps of the batch were compared with each other: they have one number, from 0; -1 for none. Left out: none was. */
  readonly anchor?: Numbers; // (steps)
  /** What is earned from this step on, as the estimator counts; NaN where it is not known. Left out: nowhere known. */
  readonly stepReturn?: Numbers; // (steps)
}

/** What an estimator says of a batch. The trainer works out the rest of a {@link BatchCredit}. */
export interface GivenCredit {
  /** Indexed [group][member], as the groups were given. */
  readonly groups: readonly (readonly GivenTrajectoryCredit[])[];
  /** Finite figures for the metrics of the iteration, such as `baseline/error`. */
  readonly statistics?: Readonly<Record<string, number>>;
}

/** Gives credit: pure and synchronous, so that its laws can be tested (`checkCreditEstimator` does). */
export interface CreditEstimator<Credit extends GivenCredit = GivenCredit> {
  readonly name: string;
  /** What must be in the evidence; the trainer refuses to start without a source for it. Left out: nothing. */
  readonly needs?: readonly (keyof Evidence)[];
  /**
   * What the credit of a group hangs on: that group alone, which is so unless said, or the whole batch, as where advantages are normalised
   * over it. Of a batch stored episodes do not tell the credit again: `cairn inspect` and `cairn export` say so.
   */
  readonly compares?: 'group' | 'batch';
  assign(groups: readonly TrajectoryGroup[], evidence: Evidence): Credit;
}
