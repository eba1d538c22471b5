import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { anchorKinds, keyReader, type AnchorKind } from './anchor-key.ts';
import { findAnchors, type Anchors } from './anchors.ts';
import { readRows, type BatchRows } from './batch-rows.ts';
import { episodeTerm, stepTerm, type EpisodeRule, type StepRule } from './credit-terms.ts';
import { numberExactly } from './key-numbering.ts';
import { discountReturns } from './returns.ts';

type Statistics = Record<string, number>;

/** How the two terms of an advantage are computed, independent of the key. */
export interface TermsRule extends EpisodeRule, StepRule {
  /** Weight of the step term. */
  readonly omega: number;
  /** Discount of the step return. */
  readonly gamma: number;
}

/** Size classes of anchor groups in the metrics: the smallest size of each, with its name. */
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
 * How often decisions repeat in a batch, for each kind of key, independent of the credit estimator. The names
 * begin with `anchor/KIND/`:
 * - `keyed-share`: share of steps that have the key
 * - `singleton-share`: share of keyed steps that are alone at their anchor
 * - `revisit-share`: share of keyed steps whose trajectory visited the anchor before
 * - `size-share/CLASS`: share of keyed steps at anchors of that size class
 * - `mean-size`: steps for each anchor
 * - `mean-key-length`: characters; a key that grows with the episode is slow
 * - `step-share`, only with a rule: the share of |advantage| from the step term if steps were grouped by that
 * key
 *
 * If no step has the key, only `keyed-share` is reported. Faulted members are excluded; single survivors are
 * not.
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

/** The step term's share of |advantage| for given anchors. */
function stepShares(rows: BatchRows, rule: TermsRule): (anchors: Anchors) => number {
  const returns = discountReturns(rows, rule.gamma, rule.invalidPenalty);
  const byEpisode = sizeOf(episodeTerm(rows, rule));
  return (anchors) => {
    const byStep = rule.omega * sizeOf(stepTerm(rows, anchors, returns, rule));
    return share(byStep, byEpisode + byStep);
  };
}

const sizeOf = (column: Float64Array): number => column.reduce((sum, value) => sum + Math.abs(value), 0);

/** The metrics of {@link anchorStatistics} for known anchors. */
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

/** Index of a size's class. Each class begins above a power of two. */
const classOf = (size: number): number => Math.min(sizeClasses.length - 1, 32 - Math.clz32(size - 1));

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
