import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { Json } from '../../../envs/core/json.ts';
import type { BatchCredit, CreditEstimator, CreditLevel, Evidence } from '../estimator.ts';

/** What an estimator receives besides the groups. */
export interface AssignInputs {
  /** Default: the evidence stored on the trajectories. */
  readonly evidence?: Evidence;
  /** Default: the estimator's initial state. */
  readonly state?: Json | undefined;
}

/** Properties of an estimator. */
export interface EstimatorFacts {
  /** Name of the trained policy in tables, such as `GiGPO`. */
  readonly name: string;
  readonly level: CreditLevel;
  readonly compares: NonNullable<CreditEstimator['compares']>;
  readonly needs: readonly string[];
  /** Undefined for estimators without state. */
  readonly initialState: Json | undefined;
}

/** An estimator whose credit is complete: see {@link BatchCredit}. */
export interface CompleteEstimator extends EstimatorFacts {
  /**
   * Returns the complete credit of a batch. @throws UsageError if the estimator fails or its output is
   * invalid
   */
  assign(groups: readonly TrajectoryGroup[], inputs?: AssignInputs): BatchCredit;
  /** Further statistics of the iteration, which are slower to compute than those of `assign`. */
  statistics(groups: readonly TrajectoryGroup[]): Readonly<Record<string, number>>;
}

type Assign = (groups: readonly TrajectoryGroup[], inputs: AssignInputs) => BatchCredit;
type Statistics = (groups: readonly TrajectoryGroup[]) => Readonly<Record<string, number>>;

/**
 * A credit estimator as the trainer uses it: its output is validated and complete. `prepare` creates it from
 * the config, so that the run records how its credit was assigned. It is a class so that no other object can
 * replace it.
 */
export class ValidatedEstimator implements CompleteEstimator {
  readonly name: string;
  readonly level: CreditLevel;
  readonly compares: NonNullable<CreditEstimator['compares']>;
  readonly needs: readonly string[];
  readonly initialState: Json | undefined;
  readonly #assign: Assign;
  readonly #statistics: Statistics;

  constructor(
    { name, level, compares, needs, initialState }: EstimatorFacts,
    { assign, statistics }: { readonly assign: Assign; readonly statistics: Statistics },
  ) {
    this.name = name;
    this.level = level;
    this.compares = compares;
    this.needs = needs;
    this.initialState = initialState;
    this.#assign = assign;
    this.#statistics = statistics;
  }

  assign(groups: readonly TrajectoryGroup[], inputs: AssignInputs = {}): BatchCredit {
    return this.#assign(groups, inputs);
  }

  statistics(groups: readonly TrajectoryGroup[]): Readonly<Record<string, number>> {
    return this.#statistics(groups);
  }

  /** The same estimator, with every call of the user's code made through `call`, such as under a watchdog. */
  calledBy(call: <T>(run: () => T) => T): ValidatedEstimator {
    return new ValidatedEstimator(this, {
      assign: (groups, inputs) => call(() => this.#assign(groups, inputs)),
      statistics: (groups) => call(() => this.#statistics(groups)),
    });
  }

  /** The same estimator with its credit transformed. */
  mapCredit(change: (credit: BatchCredit) => BatchCredit): ValidatedEstimator {
    return new ValidatedEstimator(this, {
      assign: (groups, inputs) => change(this.#assign(groups, inputs)),
      statistics: this.#statistics,
    });
  }

  /** Refuses an object that only looks like one. @throws UsageError */
  static require(estimator: unknown): void {
    if (typeof estimator === 'object' && estimator !== null && #assign in estimator) return;
    throw new UsageError({
      where: 'setup, estimator',
      what: 'it was replaced after prepare, so the run could not record how its credit was assigned.',
      fix: "Name it in the config: credit: { kind: 'module', file } with a file that exports it (docs/guides/estimator.md).",
    });
  }
}
