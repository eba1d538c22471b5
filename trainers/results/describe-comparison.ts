import { terminalLine } from '../../envs/core/terminal-text.ts';
import type { Comparison } from './compare.ts';
import type { ScoreEstimate } from './estimate.ts';
import { arePooledTooFew, noIntervalWorthShowing } from './few-trainings.ts';
import { percentDigits } from './number-words.ts';

/** One sentence: the difference between the two on the same tasks, and its certainty. */
export function describeComparison(comparison: Comparison): string {
  const { first, second, success, score } = isOverTooFew(comparison)
    ? withoutIntervals(comparison)
    : comparison;
  const same = score.mean === success.mean && score.low === success.low && score.high === success.high;
  // like tables, which omit a score that equals success
  const difference = `${signed(success, 'points of success')}${same ? '' : `, ${signed(score, 'of score')}`}`;
  return `${terminalLine(first)} against ${terminalLine(second)}: ${difference}; ${describeTest(comparison)}.`;
}

/** Whether an interval of the comparison would be over two trainings of a side. */
export const isOverTooFew = ({ trainings }: Partial<Pick<Comparison, 'trainings'>>): boolean =>
  trainings !== undefined && (arePooledTooFew(trainings.first) || arePooledTooFew(trainings.second));

const withoutIntervals = (
  comparison: Comparison,
): Pick<Comparison, 'first' | 'second'> & ShownDifference => ({
  ...comparison,
  success: { mean: comparison.success.mean },
  score: { mean: comparison.score.mean },
});

interface ShownDifference {
  readonly success: ScoreEstimate;
  readonly score: ScoreEstimate;
}

function describeTest(comparison: Comparison): string {
  const { first, second, panel, pairs, trainings } = comparison;
  if (panel.tasks === 1) return 'a single task says nothing about others';
  if (isOverTooFew(comparison)) return noIntervalWorthShowing;
  if (pairs.kind === 'bootstrap')
    return Math.max(trainings.first, trainings.second) > 1
      ? 'intervals over seeds (Student’s t) and tasks (bootstrap)'
      : 'intervals by bootstrap over tasks';
  const { onlyFirst, onlySecond, p, adjusted } = pairs;
  const alone = `${onlyFirst} were solved by ${terminalLine(first)} alone, ${onlySecond} by ${terminalLine(second)} alone`;
  return `of ${panel.tasks} tasks ${alone}, McNemar p ${describeProbability(p)}${adjusted === undefined ? '' : ` (p ${describeProbability(adjusted)} adjusted by Holm)`}`;
}

/**
 * What a comparison does not cover: the variation between trainings. Undefined if it is covered, or nothing
 * was trained.
 */
export function describeScope({
  first,
  second,
  trainings,
  pairs,
}: Pick<Comparison, 'first' | 'second' | 'trainings' | 'pairs'>): string | undefined {
  const [one, other] = [terminalLine(first), terminalLine(second)];
  const p = pairs.kind === 'mcnemar' ? ' or in p' : '';
  if (trainings.first === 1 && trainings.second === 1) {
    return `This compares only these two checkpoints on these tasks, not the methods: each side is one training run, and the variation between training runs is not in the interval${p}. Give several seeds of each side to include it.`;
  }
  if (trainings.first !== 1 && trainings.second !== 1) return undefined;
  const [single, rest, seeds] =
    trainings.first === 1 ? [one, other, trainings.second] : [other, one, trainings.first];
  const beside = seeds === 0 ? '' : `, while ${rest} is ${seeds} training runs`;
  return `${single} is one training run${beside}: this covers only that checkpoint on these tasks, and the variation between training runs is not in the interval${p}.`;
}

/** {@link describeScope} of several comparisons, in as few sentences as they need. */
export function describeScopes(comparisons: readonly Comparison[]): readonly string[] {
  const [only, ...more] = comparisons;
  if (only === undefined) return [];
  if (more.length === 0) return [describeScope(only) ?? []].flat();
  const p = comparisons.some(({ pairs }) => pairs.kind === 'mcnemar') ? ' or in p' : '';
  const singles = new Set(
    comparisons.flatMap(({ first, second, trainings }) => [
      ...(trainings.first === 1 ? [first] : []),
      ...(trainings.second === 1 ? [second] : []),
    ]),
  );
  if (singles.size === 0) return [];
  const between = `the variation between training runs is not in the intervals${p}`;
  if (comparisons.every(({ trainings }) => trainings.first === 1 && trainings.second === 1))
    return [
      `These compare only checkpoints on these tasks, not the methods: each side is one training run, and ${between}. Give several seeds of each side to include it.`,
    ];
  const names = [...singles].map(terminalLine).join(', ');
  return [
    singles.size === 1
      ? `${names} is one training run: this covers only that checkpoint on these tasks, and ${between}.`
      : `${names} are one training run each: this covers only those checkpoints on these tasks, and ${between}.`,
  ];
}

/** How to read several comparisons with one side; undefined for a single one. */
export function describeSeveral(
  comparisons: readonly (Pick<Comparison, 'pairs'> & Partial<Pick<Comparison, 'trainings'>>)[],
): string | undefined {
  if (comparisons.length < 2 || comparisons.every(isOverTooFew)) return undefined;
  const adjusted = comparisons.some(({ pairs }) => pairs.kind === 'mcnemar')
    ? 'p is given unadjusted and adjusted for their number; '
    : '';
  return `${comparisons.length} comparisons: ${adjusted}the intervals are not adjusted; each one covers its own difference with 95 %.`;
}

/** Times 100, with one digit, as tables print both. */
function signed({ mean, low, high }: ScoreEstimate, of: string): string {
  const interval =
    low === undefined || high === undefined ? '–' : `${percentDigits(low)}, ${percentDigits(high)}`;
  return `${mean < 0 ? '' : '+'}${percentDigits(mean)} ${of} [${interval}]`;
}

/** A p-value that underflows to 0 is printed as a bound. */
function describeProbability(p: number): string {
  if (p === 0) return '< 1e-300';
  return `= ${p < 0.001 ? p.toExponential(1) : p.toFixed(3)}`;
}
