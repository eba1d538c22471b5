import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { Json } from '../../../envs/core/json.ts';
import type { BatchCredit, CreditEstimator, CreditLevel, Evidence } from '../estimator.ts';

/** What an estimator gets beside the groups. */
export interface AssignInputs {
  /** Default: what is stored on the trajectories. */
  readonly evidence?: Evidence;
  /** Default: the estimator's initial state. */
  readonly state?: Json | undefined;
}

/** What is known of an estimator, and how it is called. */
export interface EstimatorFacts {
  /** Name of the policy that it trains, in tables, such as `GiGPO`. */
  readonly name: string;
  readonly level: CreditLevel;
  readonly compares: NonNullable<CreditEstimator['compares']>;
  readonly needs: readonly string[];
  /** Undefined for estimators without state. */
  readonly initialState: Json | undefined;
}

/** An estimator whose credit is complete: see {@link BatchCredit}. */
export interface CompleteEstimator extends EstimatorFacts {
  /** The complete credit of a batch. @throws UsageError where the estimator fails or its output is invalid */
  assign(groups: readonly TrajectoryGroup[], inputs?: AssignInputs): BatchCredit;
  /** Figures of the iteration beside those of `assign`; they take time of their own. */
  statistics(groups: readonly TrajectoryGroup[]): Readonly<Record<string, number>>;
}

type Assign = (groups: readonly TrajectoryGroup[], inputs: AssignInputs) => BatchCredit;
type Statistics = (groups: readonly TrajectoryGroup[]) => Readonly<Record<string, number>>;

/**
 * A credit estimator as the trainer takes it: its output is validated and complete. `prepare` makes it from the config, so that the run
 * records how its credit was given. It is a class so that no other object can take its place.
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

  /** The same estimator with every call of the user's code made by `call`, such as under a watch. */
  calledBy(call: <T>(run: () => T) => T): ValidatedEstimator {
    return new ValidatedEstimator(this, {
      assign: (groups, inputs) => call(() => this.#assign(groups, inputs)),
      statistics: (groups) => call(() => this.#statistics(groups)),
    });
  }

  /** The same estimator with its credit changed. */
  mapCredit(change: (credit: BatchCredit) => BatchCredit): ValidatedEstimator {
    return new ValidatedEstimator(this, {
      assign: (groups, inputs) => change(this.#assign(groups, inputs)),
      statistics: this.#statistics,
    });
  }

  /** Refuses, with a `UsageError`, an object that only looks like one. */
  static require(estimator: unknown): void {
    if (typeof estimator === 'object' && estimator !== null && #assign in estimator) return;
    throw new UsageError({
      where: 'setup, estimator',
      what: 'it was replaced by hand, so the run could not record how its credit was given.',
      fix: "Name it in the config: credit: { kind: 'module', file } with a file that exports it (docs/guides/estimator.md).",
    });
  }
}
