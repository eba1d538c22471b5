import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { anchorKinds, keyReader, type AnchorKind } from './anchor-key.ts';
import { findAnchors, type Anchors } from './anchors.ts';
import { readRows, type BatchRows } from './batch-rows.ts';
import { episodeTerm, stepTerm, type EpisodeRule, type StepRule } from './credit-terms.ts';
import { numberExactly } from './key-numbering.ts';
import { discountReturns } from './returns.ts';

type Statistics = Record<string, number>;

/** By what the two terms of an advantage are made, whichever key steps are grouped by. */
export interface TermsRule extends EpisodeRule, StepRule {
  /** Weight of the step term. */
  readonly omega: number;
  /** Discount of the step return. */
  readonly gamma: number;
}

/** Sizes of anchor groups are reported in these classes: the first size of each, with its name. */
const sizeClasses = [
  [1, '1'],
  [2, '2'],
  [3, '3-4'],
  [5, '5-8'],
  [9, '9-16'],
  [17, '17-32'],
  [33, '33+'],
] as const;

/**
 * How often decisions repeat in a batch, for each kind of key, whatever credit is given by: `anchor/KIND/` and
 * `keyed-share` (share of steps that have the key); of the keyed steps `singleton-share` (alone at their anchor),
 * `revisit-share` (their trajectory had been there before) and `size-share/CLASS` (at an anchor of so many steps);
 * `mean-size` (steps an anchor); and `mean-key-length` (characters: a key that grows with the episode costs time); with a rule also
 * `step-share`, the share of |advantage| that would come from the step term were steps grouped by that key. Where no
 * step has the key, only `keyed-share` is given. Faulted members are left out; single survivors are not.
 */
export function anchorStatistics(
  groups: readonly TrajectoryGroup[],
  { kinds = anchorKinds, rule }: { readonly kinds?: readonly AnchorKind[]; readonly rule?: TermsRule } = {},
): Readonly<Record<string, number>> {
  const rows = readRows(groups);
  const shareOf = rule === undefined ? undefined : stepShares(rows, rule);
  const statistics: Statistics = {};
  for (const kind of kinds) {
    const anchors = findAnchors(groups, rows, { keyOf: keyReader(kind), numbering: numberExactly });
    Object.assign(statistics, describeAnchors(kind, anchors));
    if (shareOf !== undefined && anchors.sizes.length > 0)
      statistics[`anchor/${kind}/step-share`] = shareOf(anchors);
  }
  return statistics;
}

/** What the step term would be of |advantage|, by the anchors that are given. */
function stepShares(rows: BatchRows, rule: TermsRule): (anchors: Anchors) => number {
  const returns = discountReturns(rows, rule.gamma, rule.invalidPenalty);
  const byEpisode = sizeOf(episodeTerm(rows, rule));
  return (anchors) => {
    const byStep = rule.omega * sizeOf(stepTerm(rows, anchors, returns, rule));
    return share(byStep, byEpisode + byStep);
  };
}

const sizeOf = (column: Float64Array): number => column.reduce((sum, value) => sum + Math.abs(value), 0);

/** The figures of {@link anchorStatistics} for anchors that are already found. */
export function describeAnchors(kind: AnchorKind, anchors: Anchors): Statistics {
  const { ofRow, sizes, revisit, characters } = anchors;
  const stepsIn = new Float64Array(sizeClasses.length);
  let keyed = 0;
  for (const size of sizes) {
    keyed += size;
    const place = classOf(size);
    stepsIn[place] = (stepsIn[place] as number) + size;
  }
  let revisits = 0;
  for (let row = 0; row < revisit.length; row += 1) revisits += revisit[row] as number;
  const statistics: Statistics = { [`anchor/${kind}/keyed-share`]: share(keyed, ofRow.length) };
  if (keyed === 0) return statistics;
  statistics[`anchor/${kind}/singleton-share`] = share(stepsIn[0] as number, keyed);
  statistics[`anchor/${kind}/revisit-share`] = share(revisits, keyed);
  statistics[`anchor/${kind}/mean-size`] = keyed / sizes.length;
  statistics[`anchor/${kind}/mean-key-length`] = characters / keyed;
  sizeClasses.forEach(([, name], place) => {
    statistics[`anchor/${kind}/size-share/${name}`] = share(stepsIn[place] as number, keyed);
  });
  return statistics;
}

/** Place of a size among the classes, each of which begins above a power of two. */
const classOf = (size: number): number => Math.min(sizeClasses.length - 1, 32 - Math.clz32(size - 1));

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
