import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { messageOf, placedMessageOf, UsageError } from '../../../envs/core/errors.ts';
import type { Json } from '../../../envs/core/json.ts';
import { createRng, type Rng } from '../../../envs/core/rng.ts';
import { isFaulted } from '../parts/batch-rows.ts';
import { parsePluginOptions } from '../../plugins/plugin-options.ts';
import { creditKind } from '../credit-kind.ts';
import type { CreditEstimatorDefinition } from '../define-credit-estimator.ts';
import type { CreditEstimator, Evidence } from '../estimator.ts';
import { advantagesOf, isNear } from '../validation/assert-group-independent.ts';
import { completeCredit } from '../validation/complete-credit.ts';
import { validateOutput } from '../validation/validate-output.ts';
import { creditLaws, type CreditFinding, type CreditLaw, type CreditReport } from './credit-laws.ts';
import { loneMember, sampleBatch } from './sample-batch.ts';

export interface CreditCheckOptions {
  /** Options of the estimator. Default: its defaults. */
  readonly options?: Readonly<Record<string, Json>>;
  /** Batches to try besides the random ones, such as episodes played in your environment. */
  readonly batches?: readonly (readonly TrajectoryGroup[])[];
  /**
   * Evidence for a batch; required if the estimator needs some. A member's evidence must not depend on the
   * other members.
   */
  readonly evidence?: (groups: readonly TrajectoryGroup[]) => Evidence;
  /** Number of random batches. Default: 20. */
  readonly samples?: number;
  /** Seed of the random batches. Default: 0. */
  readonly seed?: number;
}

/**
 * The numbers that the update uses, indexed [group][member][step][token]. Step-level credit has one number
 * for each step.
 */
type Advantages = readonly (readonly (readonly (readonly number[])[])[])[];
type Assign = (groups: readonly TrajectoryGroup[]) => Advantages;

/**
 * Tests a credit estimator against the laws ({@link creditLaws}). Findings are returned; only wrong use
 * throws. It works in any test runner and takes milliseconds for a fast estimator.
 * @throws UsageError for invalid options, and if the estimator needs evidence and none is given
 */
export function checkCreditEstimator(
  definition: CreditEstimatorDefinition,
  options: CreditCheckOptions = {},
): CreditReport {
  const { name } = definition;
  const estimator = definition.create(
    parsePluginOptions(creditKind, definition, options.options ?? {}).parsed,
  );
  const { needs = [], level = 'step' } = estimator;
  if (needs.length > 0 && options.evidence === undefined)
    throw new UsageError({
      where: `credit estimator "${name}", needs`,
      what: `it needs ${needs.join(' and ')}, and the check was given no evidence.`,
      fix: 'Pass evidence: (groups) => ({ ... }) among the options of the check.',
    });
  const rng = createRng(options.seed ?? 0);
  const batches = [
    ...Array.from({ length: options.samples ?? 20 }, () => sampleBatch(rng, level)),
    ...(options.batches ?? []),
  ];
  const trial = new Trial({ name, estimator, evidence: options.evidence ?? (() => ({})) }, rng);
  for (const groups of batches) trial.run(groups);
  return trial.report();
}

/** The same, but throws a `UsageError` that lists all findings. */
export function assertCreditEstimator(
  definition: CreditEstimatorDefinition,
  options: CreditCheckOptions = {},
): CreditReport {
  const report = checkCreditEstimator(definition, options);
  if (report.findings.length === 0) return report;
  const what = report.findings
    .map(({ law, batch, what: found, fix }) => `${law} (batch ${batch}): ${found} ${fix}`)
    .join(' ');
  throw new UsageError({
    where: `credit estimator "${report.estimator}"`,
    what: `it breaks ${report.findings.length} of the laws.`,
    fix: what,
  });
}

/** What is tested. */
interface Subject {
  readonly name: string;
  readonly estimator: CreditEstimator;
  readonly evidence: NonNullable<CreditCheckOptions['evidence']>;
}

/** The test of one estimator. */
class Trial {
  readonly #subject: Subject;
  readonly #rng: Rng;
  readonly #findings = new Map<CreditLaw, CreditFinding>();
  readonly #checked = new Map<CreditLaw, number>();
  #batch = -1;

  constructor(subject: Subject, rng: Rng) {
    this.#subject = subject;
    this.#rng = rng;
  }

  run(groups: readonly TrajectoryGroup[]): void {
    this.#batch += 1;
    const before = JSON.stringify(groups);
    let whole: Advantages | undefined;
    this.#try(
      'shape',
      'Return a finite number for each step of each member, and none for a faulted episode.',
      () => {
        whole = this.#assign(groups);
      },
    );
    this.#try('pure', 'Copy a list before you sort or change it.', () =>
      JSON.stringify(groups) === before ? undefined : 'it changed the trajectories.',
    );
    if (whole === undefined) return; // nothing more can be tested
    const given = whole;
    this.#same(
      'deterministic',
      'Use no randomness, and keep nothing between batches outside the state.',
      () => ({ wanted: given, got: this.#assign(groups) }),
    );
    this.#order(groups, given);
    this.#inert(groups, given);
    if (this.#subject.estimator.compares === 'batch') return;
    this.#same('alone', "Compare within a group only, or declare compares: 'batch'.", () => ({
      wanted: given,
      got: groups.flatMap((group) => this.#assign([group])),
    }));
    this.#lone(groups);
  }

  report(): CreditReport {
    const unchecked = (Object.keys(creditLaws) as CreditLaw[]).filter((law) => !this.#checked.has(law));
    return {
      estimator: this.#subject.name,
      findings: [...this.#findings.values()],
      checked: Object.fromEntries(this.#checked),
      unchecked,
    };
  }

  readonly #assign: Assign = (groups) => {
    const { name, estimator, evidence } = this.#subject;
    const { level = 'step', compares = 'group', initialState } = estimator;
    const output: unknown = estimator.assign(groups, evidence(groups), initialState);
    validateOutput({ name, level }, groups, output);
    return completeCredit(groups, output, compares).groups.map((members) => members.map(advantagesOf));
  };

  #order(groups: readonly TrajectoryGroup[], whole: Advantages): void {
    const places = this.#rng.shuffle(groups.map((_, index) => index));
    const moved = <T>(list: readonly T[], order: readonly number[]): readonly T[] =>
      order.map((place) => list[place] as T);
    this.#same(
      'order-of-groups',
      'The credit of a group must not depend on its position in the batch.',
      () => ({
        wanted: moved(whole, places),
        got: this.#assign(moved(groups, places)),
      }),
    );
    const orders = groups.map(({ members }) => this.#rng.shuffle(members.map((_, index) => index)));
    const shuffled = groups.map((group, index) => ({
      ...group,
      members: moved(group.members, orders[index] as readonly number[]),
    }));
    const wanted = whole.map((members, index) => moved(members, orders[index] as readonly number[]));
    this.#same(
      'order-of-members',
      'The credit of a member must not depend on its position in the group.',
      () => ({
        wanted,
        got: this.#assign(shuffled),
      }),
    );
  }

  #inert(groups: readonly TrajectoryGroup[], whole: Advantages): void {
    if (!groups.some(({ members }) => members.some(isFaulted))) return;
    const played = groups.map((group) => ({
      ...group,
      members: group.members.filter((member) => !isFaulted(member)),
    }));
    const wanted = whole.map((members, index) =>
      members.filter(
        (_, member) => !isFaulted(groups[index]?.members[member] as TrajectoryGroup['members'][number]),
      ),
    );
    this.#same(
      'faults-are-inert',
      'Exclude episodes whose stop.kind is "faulted" from all sums and counts.',
      () => ({ wanted, got: this.#assign(played) }),
    );
  }

  #lone(groups: readonly TrajectoryGroup[]): void {
    const lone = loneMember(groups.length, this.#rng, this.#subject.estimator.level);
    const single = { ...lone, members: lone.members.slice(2) };
    for (const group of [lone, single]) {
      let given: Advantages = [];
      try {
        given = this.#assign([group]);
      } catch {
        // a refusal is as good as no credit
      }
      this.#try('lone-member', 'Return 0 if fewer than two members finished without a fault.', () =>
        given.flat(3).some((value) => value !== 0)
          ? 'the only episode of a group that did not fault has an advantage.'
          : undefined,
      );
    }
  }

  #same(
    law: CreditLaw,
    fix: string,
    run: () => { readonly wanted: Advantages; readonly got: Advantages },
  ): void {
    this.#try(law, fix, () => {
      const { wanted, got } = run();
      return differenceOf(wanted, got);
    });
  }

  /** Records the problem that `run` returns, or that it threw. */
  #try(law: CreditLaw, fix: string, run: () => string | undefined | void): void {
    this.#checked.set(law, (this.#checked.get(law) ?? 0) + 1);
    let what: string | undefined | void;
    try {
      what = run();
    } catch (thrown) {
      what = UsageError.is(thrown) ? messageOf(thrown) : `it threw: ${placedMessageOf(thrown)}.`;
    }
    if (typeof what === 'string' && !this.#findings.has(law))
      this.#findings.set(law, { law, batch: this.#batch, what, fix });
  }
}

/** The first difference between two credits, as text. */
function differenceOf(wanted: Advantages, got: Advantages): string | undefined {
  for (const [group, members] of wanted.entries()) {
    for (const [member, steps] of members.entries()) {
      for (const [step, values] of steps.entries()) {
        for (const [place, value] of values.entries()) {
          const other = got[group]?.[member]?.[step]?.[place] ?? Number.NaN;
          if (!isNear(value, other))
            return `group ${group}, member ${member}, step ${step}: its advantage is ${value} first and ${other} later.`;
        }
      }
    }
  }
  return undefined;
}
