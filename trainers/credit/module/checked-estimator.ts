import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import type { BatchCredit, CreditEstimator } from '../estimator.ts';

/**
 * An estimator as the trainer takes it: whatever it gives back has been looked through. `prepare` alone makes one, from the config, so that
 * the run says what its credit was given by; a class of its own keeps any other object from being put in its place.
 */
export class CheckedEstimator {
  /** What tables call the policy that is trained by it, such as `GiGPO`. */
  readonly name: string;
  readonly compares: NonNullable<CreditEstimator['compares']>;
  readonly #assign: (groups: readonly TrajectoryGroup[]) => BatchCredit;

  constructor(
    of: Pick<CheckedEstimator, 'name' | 'compares'>,
    assign: (groups: readonly TrajectoryGroup[]) => BatchCredit,
  ) {
    this.name = of.name;
    this.compares = of.compares;
    this.#assign = assign;
  }

  /** Credit of a batch, whole. @throws UsageError where the estimator gave back what cannot be trained on */
  assign(groups: readonly TrajectoryGroup[]): BatchCredit {
    return this.#assign(groups);
  }

  /** Refuses, with a `UsageError`, what only looks like one. */
  static require(estimator: unknown): void {
    if (typeof estimator === 'object' && estimator !== null && #assign in estimator) return;
    throw new UsageError({
      where: 'preparation, estimator',
      what: 'it was put there by hand, and the run would be written down as one by the credit of its config.',
      mend: "Name it in the config: credit: { kind: 'module', file } with a file that exports it (docs/credit.md).",
    });
  }
}
