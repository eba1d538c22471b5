import { terminalLine } from '../../envs/core/terminal-text.ts';
import type { Comparison } from './compare.ts';
import type { ScoreEstimate } from './estimate.ts';
import { percentDigits } from './number-words.ts';

/** One sentence: the difference between the two on the same tasks, and its certainty. */
export function describeComparison(comparison: Comparison): string {
  const { first, second, success, score } = comparison;
  const same = score.mean === success.mean && score.low === success.low && score.high === success.high;
  // like tables, which omit a score that equals success
  const difference = `${signed(success, 'points of success')}${same ? '' : `, ${signed(score, 'of score')}`}`;
  return `${terminalLine(first)} against ${terminalLine(second)}: ${difference}; ${describeTest(comparison)}.`;
}

function describeTest({ first, second, panel, pairs, trainings }: Comparison): string {
  if (panel.tasks === 1) return 'a single task says nothing about others';
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

/** How to read several comparisons with one side; undefined for a single one. */
export function describeSeveral(comparisons: readonly Pick<Comparison, 'pairs'>[]): string | undefined {
  if (comparisons.length < 2) return undefined;
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
