import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { Json } from '../../envs/core/json.ts';

/** Numbers in order: an array or a typed array. */
export type Numbers = ArrayLike<number>;

/**
 * Facts that are gathered before credit is given, by name, such as the values of a critic. Indexed [group][member]; what the numbers of a
 * member mean is up to whoever gathers them.
 */
export type Evidence = Readonly<Record<string, readonly (readonly Numbers[])[]>>;

/** Credit is given to the steps of the environment, or to each token that a language model sampled. */
export type CreditLevel = 'step' | 'token';

/** What an estimator returns for one trajectory. Every array has one entry a step; those of a faulted trajectory are empty. */
export interface TrajectoryOutput {
  /**
   * What the update uses: finite, above 0 to make the step more likely. Required of a step-level estimator. A token-level estimator may add
   * it for display; without it, it is the mean over the tokens of the step.
   */
  readonly advantage?: Numbers; // (steps)
  /** The same for each sampled token of the step's token decision. Required of a token-level estimator, refused of others. */
  readonly tokenAdvantage?: readonly Numbers[]; // (steps)(sampled tokens of the step)
  /** The part of the advantage that belongs to the whole episode, before weighting. Default: 0. This and all below is for display. */
  readonly episode?: Numbers; // (steps)
  /** The part that belongs to the step itself, before weighting. Default: the advantage without `episode`. */
  readonly step?: Numbers; // (steps)
  /**
   * Which steps were compared with each other, by the name of the grouping: equal numbers within the batch, from 0; -1 for no anchor.
   * The first grouping is the one that inspection and progress show first. Default: none.
   */
  readonly anchors?: Readonly<Record<string, Numbers>>; // (steps) each
  /** Return from this step on; NaN where it is unknown. Default: NaN. */
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
 * Assigns credit. `assign` is pure and synchronous: the same groups, evidence and state give the same output, and nothing is remembered
 * outside of the state. `checkCreditEstimator` tests this.
 */
export interface CreditEstimator<State extends Json | undefined = Json | undefined> {
  /** Default: `step`. A choice policy is refused with a token-level estimator. */
  readonly level?: CreditLevel;
  /** Names of the evidence that it needs. Training is refused at the start when there is no source for one. Default: none. */
  readonly needs?: readonly string[];
  /**
   * What the credit of a group depends on. `group`: that group alone. `batch`: all groups, as when advantages are normalised over the
   * batch; then stored groups cannot be credited again one by one. Default: `group`.
   */
  readonly compares?: 'group' | 'batch';
  /** State of the first iteration; checkpoints keep it. An estimator without one has no state. */
  readonly initialState?: State;
  assign(groups: readonly TrajectoryGroup[], evidence: Evidence, state: State): EstimatorOutput;
  /** Figures for the metrics that cost time; the trainer asks for them once an iteration. */
  statistics?(groups: readonly TrajectoryGroup[]): Readonly<Record<string, number>>;
}

/** The credit of one trajectory. Every array has one entry a step; those of a faulted trajectory are empty. */
export interface TrajectoryCredit {
  /** Finite. Of token-level credit it is the mean over the tokens of the step, unless the estimator gave it. */
  readonly advantage: Float64Array; // (steps)
  /** Present for token-level credit only: then the update uses it in place of `advantage`. */
  readonly tokenAdvantage?: readonly Float64Array[]; // (steps)(sampled tokens of the step)
  /** The part that belongs to the whole episode, before weighting. */
  readonly episode: Float64Array; // (steps)
  /** The part that belongs to the step itself, before weighting. */
  readonly step: Float64Array; // (steps)
  /** Anchors of the steps by the name of the grouping, numbered over the batch; -1 where a step has none. */
  readonly anchors: Readonly<Record<string, Int32Array>>; // (steps) each
  /** Return from this step on; NaN where it is unknown. */
  readonly stepReturn: Float64Array; // (steps)
}

/** Only a `credited` group is learned from. The others have fewer than two members to compare, and all their credit is 0. */
export type GroupVerdict = 'credited' | 'single-survivor' | 'all-faulted';

/** The credit of a batch, complete. */
export interface BatchCredit {
  /** Indexed [group][member], as the groups were given. */
  readonly groups: readonly (readonly TrajectoryCredit[])[];
  readonly verdicts: readonly GroupVerdict[]; // (groups)
  /** Steps at each anchor, by the name of the grouping. */
  readonly anchorSizes: Readonly<Record<string, Int32Array>>; // (anchors) each
  /** False where the estimator gave neither part: then `episode` is 0 and `step` is the advantage. */
  readonly hasParts: boolean;
  /** Figures for the metrics of the iteration, such as `credit/groups`. */
  readonly statistics: Readonly<Record<string, number>>;
  /** For the next iteration; absent for estimators without state. */
  readonly state?: Json;
}
