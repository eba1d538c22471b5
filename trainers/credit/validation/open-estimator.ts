import { z } from 'zod';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { placedMessageOf, RunError, UsageError } from '../../../envs/core/errors.ts';
import { describeIssues } from '../../../envs/core/issues.ts';
import type { Json } from '../../../envs/core/json.ts';
import { nameOf } from '../../../envs/core/result-shape.ts';
import { parsePluginOptions, type PluginOptions } from '../../plugins/plugin-options.ts';
import { creditKind } from '../credit-kind.ts';
import type { CreditEstimatorDefinition } from '../define-credit-estimator.ts';
import type { BatchCredit, CreditEstimator, Evidence } from '../estimator.ts';
import { storedEvidence } from '../parts/stored-evidence.ts';
import { assertGroupIndependent } from './assert-group-independent.ts';
import { completeCredit } from './complete-credit.ts';
import { ValidatedEstimator, type AssignInputs, type EstimatorFacts } from './validated-estimator.ts';
import { validateOutput, validateStatistics } from './validate-output.ts';

/** An estimator with its options. */
export interface OpenedEstimator {
  readonly estimator: ValidatedEstimator;
  /** Options with defaults, as a config stores them. */
  readonly options: PluginOptions['options'];
}

const isFunction = (value: unknown): boolean => typeof value === 'function';
const shape = z.strictObject({
  level: z.enum(['step', 'token']).default('step'),
  needs: z.array(z.string()).default([]),
  compares: z.enum(['group', 'batch']).default('group'),
  initialState: z.json().optional(),
  assign: z.custom<CreditEstimator['assign']>(isFunction, 'must be a function'),
  statistics: z
    .custom<NonNullable<CreditEstimator['statistics']>>(isFunction, 'must be a function')
    .optional(),
});

/**
 * Creates the estimator of a definition, built-in or a user's own. Its output is validated and completed from
 * then on.
 * @param settings.sources names of the evidence that the trainer gathers; `stored`: the evidence stored on
 * the trajectories
 * @throws UsageError for invalid options, for an object that is not an estimator, and for evidence without a
 * source
 */
export function openEstimator(
  definition: CreditEstimatorDefinition,
  given: PluginOptions['options'],
  { sources = [] }: { readonly sources?: readonly string[] | 'stored' } = {},
): OpenedEstimator {
  const { name } = definition;
  const where = `credit estimator "${name}"`;
  const { options, parsed } = parsePluginOptions(creditKind, definition, given);
  const created = callSafely(where, 'create', () => definition.create(parsed) as unknown);
  const { assign, statistics, initialState, ...others } = readEstimator(where, created);
  const facts = { name, initialState, ...others };
  if (sources !== 'stored') assertSources(where, facts.needs, sources);
  const call = new EstimatorCall(facts, (groups, evidence, state) =>
    assign.call(created, groups, evidence, state),
  );
  return {
    estimator: new ValidatedEstimator(facts, {
      assign: (groups, inputs) => call.assign(groups, inputs),
      statistics: (groups) => {
        const figures = callSafely(where, 'statistics', () => statistics?.call(created, groups) ?? {});
        validateStatistics(figures, (place, what) => {
          throw new UsageError({ where: `${where}${place}`, what, fix: 'Fix the estimator.' });
        });
        return figures;
      },
    }),
    options,
  };
}

function readEstimator(where: string, created: unknown): z.output<typeof shape> {
  const read = shape.safeParse(created);
  if (read.success) return read.data;
  const what =
    typeof created === 'object' && created !== null
      ? describeIssues(read.error)
      : `create returned ${nameOf(created)}`;
  throw new UsageError({
    where,
    what: `${what}.`,
    fix: 'Return { assign } from create, with level, needs, compares, initialState and statistics as needed.',
  });
}

function assertSources(where: string, needs: readonly string[], sources: readonly string[]): void {
  const missing = needs.filter((need) => !sources.includes(need));
  if (missing.length === 0) return;
  throw new UsageError({
    where: `${where}, needs`,
    what: `it needs ${missing.join(' and ')}, and the config has no source of ${missing.length === 1 ? 'it' : 'them'}.`,
    fix: `Add a source of ${missing.join(' and ')} to the key evidence of the training config.`,
  });
}

/** How the trainer calls an estimator. */
class EstimatorCall {
  readonly #facts: EstimatorFacts;
  readonly #where: string;
  readonly #call: (
    groups: readonly TrajectoryGroup[],
    evidence: Evidence,
    state: Json | undefined,
  ) => unknown;

  constructor(
    facts: EstimatorFacts,
    call: (groups: readonly TrajectoryGroup[], evidence: Evidence, state: Json | undefined) => unknown,
  ) {
    this.#facts = facts;
    this.#where = `credit estimator "${facts.name}"`;
    this.#call = call;
  }

  /**
   * Returns validated and complete credit. If the estimator declares `compares: 'group'`, that promise is
   * verified.
   */
  assign(
    groups: readonly TrajectoryGroup[],
    { evidence = storedEvidence(groups), state }: AssignInputs,
  ): BatchCredit {
    const { name, needs, compares, initialState } = this.#facts;
    const missing = needs.filter((need) => evidence[need]?.length !== groups.length);
    if (missing.length > 0)
      throw new UsageError({
        where: `${this.#where}, evidence`,
        what: `the evidence has no ${missing.join(' and no ')} for these groups.`,
        fix: 'Gather it for every group and member: evidence[name][group][member].',
      });
    const before = state ?? initialState;
    const credit = this.#assign(groups, evidence, before);
    if (compares === 'group')
      assertGroupIndependent(name, {
        credit,
        alone: (group) => this.#assign(groups.slice(group, group + 1), evidenceOf(evidence, group), before),
      });
    const after = credit.state ?? before;
    return after === undefined ? credit : { ...credit, state: after };
  }

  #assign(groups: readonly TrajectoryGroup[], evidence: Evidence, state: Json | undefined): BatchCredit {
    const output = callSafely(this.#where, 'assign', () => this.#call(groups, evidence, state));
    const validated = callSafely(this.#where, 'reading the output of assign', () => {
      validateOutput(this.#facts, groups, output);
      return output;
    });
    return completeCredit(groups, validated, this.#facts.compares);
  }
}

const evidenceOf = (evidence: Evidence, group: number): Evidence =>
  Object.fromEntries(
    Object.entries(evidence).map(([name, groups]) => [name, groups.slice(group, group + 1)]),
  );

/** Calls code of an estimator. @throws UsageError for any error that is not a `UsageError` or a `RunError` */
function callSafely<T>(where: string, call: string, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    if (RunError.is(thrown)) throw thrown;
    if (UsageError.is(thrown))
      throw thrown.parts.where.startsWith(where)
        ? thrown
        : new UsageError({ ...thrown.parts, where: `${where}, ${thrown.parts.where}` }, { cause: thrown });
    throw new UsageError(
      {
        where,
        what: `${call} threw: ${placedMessageOf(thrown).replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')}.`,
        fix: 'Fix the estimator and start a new run. `checkCreditEstimator` tests it outside of a run.',
      },
      { cause: thrown },
    );
  }
}
