import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { Json } from '../../envs/core/json.ts';

/** Numbers in order: an array or a typed array. */
export type Numbers = ArrayLike<number>;

/**
 * Facts gathered before credit is assigned, by name, such as the values of a critic. Indexed [group][member].
 * The source defines the meaning of a member's numbers.
 */
export type Evidence = Readonly<Record<string, readonly (readonly Numbers[])[]>>;

/** Credit is given to the steps of the environment, or to each token that a language model sampled. */
export type CreditLevel = 'step' | 'token';

/**
 * What an estimator returns for one trajectory. Every array has one entry for each step, and none for a
 * faulted trajectory.
 */
export interface TrajectoryOutput {
  /**
   * The advantage that the update uses: finite, above 0 to make the step more likely. Required of a
   * step-level estimator. A token-level estimator may add it for display; the default is the mean over the
   * tokens of the step.
   */
  readonly advantage?: Numbers; // (steps)
  /**
   * The advantage of each sampled token of the step's token decision. Required of a token-level estimator,
   * refused from others.
   */
  readonly tokenAdvantage?: readonly Numbers[]; // (steps)(sampled tokens of the step)
  /**
   * The part of the advantage that belongs to the whole episode, before weighting. Default: 0. This field and
   * all below are for display.
   */
  readonly episode?: Numbers; // (steps)
  /** The part that belongs to the step itself, before weighting. Default: the advantage without `episode`. */
  readonly step?: Numbers; // (steps)
  /**
   * Which steps were compared with each other, by the name of the grouping: equal numbers within the batch, from 0; -1 for no anchor.
   * The first grouping is the one that inspection and progress show first. Default: none.
   */
  readonly anchors?: Readonly<Record<string, Numbers>>; // (steps) each
  /** Return from this step on; NaN if unknown. Default: NaN. */
  readonly stepReturn?: Numbers; // (steps)
}

/** What an estimator returns for a batch. The trainer validates it and completes it to a {@link BatchCredit}. */
export interface EstimatorOutput {
  /** Indexed [group][member], as the groups were given. */
  readonly groups: readonly (readonly TrajectoryOutput[])[];
  /** Weight of `step` within the advantage, for the reported share of the step term. Default: 1. */
  readonly stepWeight?: number;
  /** Finite figures for the metrics of the iteration, such as `baseline/error`. */
  readonly statistics?: Readonly<Record<string, number>>;
  /** The state for the next iteration. Default: the state that was given. */
  readonly state?: Json;
}

/**
 * Assigns credit. `assign` is pure and synchronous: the same groups, evidence and state give the same output,
 * and nothing is remembered outside the state. `checkCreditEstimator` tests this.
 */
export interface CreditEstimator<State extends Json | undefined = Json | undefined> {
  /** Default: `step`. A token-level estimator does not work with a choice policy, which refuses it. */
  readonly level?: CreditLevel;
  /** Names of the evidence that it needs. Training refuses to start if one has no source. Default: none. */
  readonly needs?: readonly string[];
  /**
   * What the credit of a group depends on. `group`: on that group alone. `batch`: on all groups, for example
   * if advantages are normalised over the batch. Credit of stored groups then cannot be recomputed one by
   * one. Default: `group`.
   */
  readonly compares?: 'group' | 'batch';
  /** State before the first iteration; checkpoints store it. Without it the estimator has no state. */
  readonly initialState?: State;
  assign(groups: readonly TrajectoryGroup[], evidence: Evidence, state: State): EstimatorOutput;
  /** Metrics that are slow to compute. The trainer calls it once an iteration. */
  statistics?(groups: readonly TrajectoryGroup[]): Readonly<Record<string, number>>;
}

/**
 * The credit of one trajectory. Every array has one entry for each step, and none for a faulted trajectory.
 */
export interface TrajectoryCredit {
  /**
   * Finite. For token-level credit it is the mean over the tokens of the step, unless the estimator returned
   * it.
   */
  readonly advantage: Float64Array; // (steps)
  /** Present for token-level credit only. The update then uses it instead of `advantage`. */
  readonly tokenAdvantage?: readonly Float64Array[]; // (steps)(sampled tokens of the step)
  /** The part that belongs to the whole episode, before weighting. */
  readonly episode: Float64Array; // (steps)
  /** The part that belongs to the step itself, before weighting. */
  readonly step: Float64Array; // (steps)
  /** Anchors of the steps by the name of the grouping, numbered over the batch; -1 for a step without one. */
  readonly anchors: Readonly<Record<string, Int32Array>>; // (steps) each
  /** Return from this step on; NaN if unknown. */
  readonly stepReturn: Float64Array; // (steps)
}

/**
 * Training learns only from `credited` groups. Others have fewer than two members to compare, and their
 * credit is 0.
 */
export type GroupVerdict = 'credited' | 'single-survivor' | 'all-faulted';

/** The credit of a batch, complete. */
export interface BatchCredit {
  /** Indexed [group][member], as the groups were given. */
  readonly groups: readonly (readonly TrajectoryCredit[])[];
  readonly verdicts: readonly GroupVerdict[]; // (groups)
  /** Steps at each anchor, by the name of the grouping. */
  readonly anchorSizes: Readonly<Record<string, Int32Array>>; // (anchors) each
  /** False if the estimator returned neither part. Then `episode` is 0 and `step` is the advantage. */
  readonly hasParts: boolean;
  /** Figures for the metrics of the iteration, such as `credit/groups`. */
  readonly statistics: Readonly<Record<string, number>>;
  /** State for the next iteration; absent for estimators without state. */
  readonly state?: Json;
}
