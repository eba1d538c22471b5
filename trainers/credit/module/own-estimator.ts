import { z } from 'zod';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { placedMessageOf, UsageError } from '../../../envs/core/errors.ts';
import { describeIssues } from '../../../envs/core/issues.ts';
import { nameOf } from '../../../envs/core/result-shape.ts';
import { assertGiven } from './check-given.ts';
import { assertSameAlone } from './check-scope.ts';
import { CheckedEstimator } from './checked-estimator.ts';
import { completeCredit } from './complete-credit.ts';
import type { CreditEstimatorDefinition } from '../define-credit-estimator.ts';
import type { CreditEstimator, Evidence, GivenCredit } from '../estimator.ts';
import { parseOwnOptions, type OwnOptions } from './own-options.ts';

/** What the trainer can gather of {@link Evidence}: it has no critic yet, and nobody who judges steps. */
const sources: readonly (keyof Evidence)[] = [];

/** An estimator of a user's own with its options, those that were left out among them. */
export interface OwnEstimator {
  readonly estimator: CheckedEstimator;
  readonly options: OwnOptions['options'];
}

const parts = z.strictObject({
  needs: z.array(z.enum(['values', 'judgements'])).optional(),
  compares: z.enum(['group', 'batch']).optional(),
  assign: z.custom<CreditEstimator['assign']>((value) => typeof value === 'function', 'must be a function'),
});

/**
 * Makes the estimator of a definition, whose credit is looked through from then on.
 * @throws UsageError on options that its schema refuses, on an estimator that is none, and on evidence that nobody gathers
 */
export function createOwnEstimator(
  definition: CreditEstimatorDefinition,
  given: OwnOptions['options'],
): OwnEstimator {
  const { name } = definition;
  const where = `credit estimator "${name}"`;
  const { options, parsed } = parseOwnOptions(definition, given);
  const made = calledSafely(where, 'create', () => definition.create(parsed) as unknown);
  const shape = parts.safeParse(made);
  if (!shape.success) {
    const what =
      typeof made === 'object' && made !== null
        ? describeIssues(shape.error)
        : `create gave back ${nameOf(made)}`;
    throw new UsageError({
      where,
      what: `${what}.`,
      mend: 'Let create give back { assign }, with needs and compares where they apply.',
    });
  }
  const { needs = [], compares = 'group', assign } = shape.data;
  const missing = needs.filter((need) => !sources.includes(need));
  if (missing.length > 0) {
    throw new UsageError({
      where: `${where}, needs`,
      what: `it needs ${missing.join(' and ')}, and this trainer has no source of ${missing.length === 1 ? 'it' : 'them'}.`,
      mend: 'Take credit from what trajectories hold, and leave needs out.',
    });
  }
  const assignChecked = (groups: readonly TrajectoryGroup[]): GivenCredit => {
    const credit: unknown = calledSafely(where, 'assign', () => assign.call(made, groups, {}));
    return calledSafely(where, 'reading what assign gave back', () => givenTo(name, groups, credit));
  };
  const assignWhole: CheckedEstimator['assign'] = (groups) => {
    const credit = completeCredit(groups, assignChecked(groups), compares);
    if (compares === 'group') assertSameAlone(name, { groups, credit, assign: assignChecked });
    return credit;
  };
  return { estimator: new CheckedEstimator({ name, compares }, assignWhole), options };
}

function givenTo(name: string, groups: readonly TrajectoryGroup[], credit: unknown): GivenCredit {
  assertGiven(name, groups, credit);
  return credit;
}

/** Calls a user's code. @throws UsageError where that throws */
function calledSafely<T>(where: string, call: string, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    if (UsageError.is(thrown))
      throw thrown.parts.where.startsWith(where)
        ? thrown
        : new UsageError({ ...thrown.parts, where: `${where}, ${thrown.parts.where}` }, { cause: thrown });
    throw new UsageError(
      {
        where,
        what: `${call} threw: ${placedMessageOf(thrown).replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')}.`,
        mend: 'Mend the estimator, and start a new run: `checkCreditEstimator` tries it without one.',
      },
      { cause: thrown },
    );
  }
}
