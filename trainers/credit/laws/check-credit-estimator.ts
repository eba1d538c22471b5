import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { messageOf, placedMessageOf, UsageError } from '../../../envs/core/errors.ts';
import type { Json } from '../../../envs/core/json.ts';
import { createRng, type Rng } from '../../../envs/core/rng.ts';
import { isFaulted } from '../parts/batch-rows.ts';
import { assertGiven } from '../module/check-given.ts';
import { isNear } from '../module/check-scope.ts';
import type { CreditEstimatorDefinition } from '../define-credit-estimator.ts';
import type { CreditEstimator, GivenTrajectoryCredit } from '../estimator.ts';
import { parseOwnOptions } from '../module/own-options.ts';
import { creditLaws, type CreditFinding, type CreditLaw, type CreditReport } from './credit-laws.ts';
import { loneMember, sampleBatch } from './sample-batch.ts';

export interface CreditCheckOptions {
  /** Options of a definition; those that are left out have their defaults. */
  readonly options?: Readonly<Record<string, Json>>;
  /** Batches to try beside those by chance, such as episodes that were played in an env of one's own. */
  readonly batches?: readonly (readonly TrajectoryGroup[])[];
  /** How many batches by chance are tried; 20 unless given. */
  readonly samples?: number;
  /** Of the chance; 0 unless given. */
  readonly seed?: number;
}

type Advantages = readonly (readonly (readonly number[])[])[];
type Assign = (groups: readonly TrajectoryGroup[]) => Advantages;

/**
 * Holds a credit estimator, or a definition of one, to its laws ({@link creditLaws}). It never throws for what it finds, it reports. Works in
 * any test runner, and takes milliseconds for a fast estimator.
 */
export function checkCreditEstimator(
  of: CreditEstimator | CreditEstimatorDefinition,
  options: CreditCheckOptions = {},
): CreditReport {
  const estimator =
    'create' in of ? { ...of.create(parseOwnOptions(of, options.options ?? {}).parsed), name: of.name } : of;
  const rng = createRng(options.seed ?? 0);
  const batches = [
    ...Array.from({ length: options.samples ?? 20 }, () => sampleBatch(rng)),
    ...(options.batches ?? []),
  ];
  const trial = new Trial(estimator, rng);
  for (const groups of batches) trial.run(groups);
  return trial.report();
}

/** The same, throwing a `UsageError` that lists all findings. */
export function assertCreditEstimator(
  of: CreditEstimator | CreditEstimatorDefinition,
  options: CreditCheckOptions = {},
): CreditReport {
  const report = checkCreditEstimator(of, options);
  if (report.findings.length === 0) return report;
  const what = report.findings
    .map(({ law, batch, what: found, mend }) => `${law} (batch ${batch}): ${found} ${mend}`)
    .join(' ');
  throw new UsageError({
    where: `credit estimator "${report.estimator}"`,
    what: `it breaks ${report.findings.length} of the laws.`,
    mend: what,
  });
}

/** A check under way. */
class Trial {
  readonly #estimator: CreditEstimator;
  readonly #rng: Rng;
  readonly #findings = new Map<CreditLaw, CreditFinding>();
  readonly #checked = new Map<CreditLaw, number>();
  #batch = -1;

  constructor(estimator: CreditEstimator, rng: Rng) {
    this.#estimator = estimator;
    this.#rng = rng;
  }

  run(groups: readonly TrajectoryGroup[]): void {
    this.#batch += 1;
    const before = JSON.stringify(groups);
    let whole: Advantages | undefined;
    this.#try('shape', 'Give each step of each member a finite number, and a faulted episode none.', () => {
      whole = this.#assign(groups);
    });
    this.#try('pure', 'Copy what is to be changed or sorted.', () =>
      JSON.stringify(groups) === before ? undefined : 'the trajectories are others than before.',
    );
    if (whole === undefined) return; // nothing more can be said of it
    const given = whole;
    this.#same(
      'deterministic',
      'Draw nothing by chance, and remember nothing from one batch to the next.',
      () => ({ wanted: given, got: this.#assign(groups) }),
    );
    this.#order(groups, given);
    this.#inert(groups, given);
    if (this.#estimator.compares === 'batch') return;
    this.#same('alone', "Compare within a group alone, or say compares: 'batch'.", () => ({
      wanted: given,
      got: groups.flatMap((group) => this.#assign([group])),
    }));
    this.#lone(groups);
  }

  report(): CreditReport {
    const unchecked = (Object.keys(creditLaws) as CreditLaw[]).filter((law) => !this.#checked.has(law));
    return {
      estimator: this.#estimator.name,
      findings: [...this.#findings.values()],
      checked: Object.fromEntries(this.#checked),
      unchecked,
    };
  }

  readonly #assign: Assign = (groups) => {
    const given: unknown = this.#estimator.assign(groups, {});
    assertGiven(this.#estimator.name, groups, given);
    return given.groups.map((members) =>
      members.map(({ advantage }: GivenTrajectoryCredit) => Array.from(advantage)),
    );
  };

  #order(groups: readonly TrajectoryGroup[], whole: Advantages): void {
    const places = this.#rng.shuffle(groups.map((_, index) => index));
    const moved = <T>(list: readonly T[], order: readonly number[]): readonly T[] =>
      order.map((place) => list[place] as T);
    this.#same('order-of-groups', 'Let no group hang on its place in the batch.', () => ({
      wanted: moved(whole, places),
      got: this.#assign(moved(groups, places)),
    }));
    const orders = groups.map(({ members }) => this.#rng.shuffle(members.map((_, index) => index)));
    const shuffled = groups.map((group, index) => ({
      ...group,
      members: moved(group.members, orders[index] as readonly number[]),
    }));
    const wanted = whole.map((members, index) => moved(members, orders[index] as readonly number[]));
    this.#same('order-of-members', 'Let no member hang on its place in the group.', () => ({
      wanted,
      got: this.#assign(shuffled),
    }));
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
      'Leave episodes whose stop.kind is "faulted" out of all sums and counts.',
      () => ({ wanted, got: this.#assign(played) }),
    );
  }

  #lone(groups: readonly TrajectoryGroup[]): void {
    const lone = loneMember(groups.length, this.#rng);
    const single = { ...lone, members: lone.members.slice(2) };
    for (const group of [lone, single]) {
      let given: Advantages = [];
      try {
        given = this.#assign([group]);
      } catch {
        // refused, which is as good as no credit
      }
      this.#try('lone-member', 'Give 0 where fewer than two members came to their end.', () =>
        given.flat(2).some((value) => value !== 0)
          ? 'the only episode of a group that came to its end has an advantage.'
          : undefined,
      );
    }
  }

  #same(
    law: CreditLaw,
    mend: string,
    run: () => { readonly wanted: Advantages; readonly got: Advantages },
  ): void {
    this.#try(law, mend, () => {
      const { wanted, got } = run();
      return differenceOf(wanted, got);
    });
  }

  /** Notes what `run` says is wrong, or that it threw. */
  #try(law: CreditLaw, mend: string, run: () => string | undefined | void): void {
    this.#checked.set(law, (this.#checked.get(law) ?? 0) + 1);
    let what: string | undefined | void;
    try {
      what = run();
    } catch (thrown) {
      what = UsageError.is(thrown) ? messageOf(thrown) : `it threw: ${placedMessageOf(thrown)}.`;
    }
    if (typeof what === 'string' && !this.#findings.has(law))
      this.#findings.set(law, { law, batch: this.#batch, what, mend });
  }
}

/** The first place at which two credits differ, in words. */
function differenceOf(wanted: Advantages, got: Advantages): string | undefined {
  for (const [group, members] of wanted.entries()) {
    for (const [member, steps] of members.entries()) {
      for (const [step, value] of steps.entries()) {
        const other = got[group]?.[member]?.[step] ?? Number.NaN;
        if (!isNear(value, other))
          return `group ${group}, member ${member}, step ${step}: its advantage is ${value}, and then ${other}.`;
      }
    }
  }
  return undefined;
}
