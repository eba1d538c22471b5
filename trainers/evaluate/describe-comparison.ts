import { terminalLine } from '../../envs/core/terminal-text.ts';
import type { Comparison } from './compare.ts';
import type { MeanEstimate } from './estimate.ts';
import { percentDigits } from './percent.ts';

/** One sentence: how far the first is from the second on the same tasks, and how surely. */
export function describeComparison({ first, second, panel, success, score, pairs }: Comparison): string {
  const [one, other] = [terminalLine(first), terminalLine(second)];
  const difference = `${signed(success, 'points of success')}, ${signed(score, 'of score')}`;
  const test =
    pairs.kind === 'mcnemar'
      ? `of ${panel.tasks} tasks ${pairs.onlyFirst} were solved by ${one} alone, ${pairs.onlySecond} by ${other} alone, McNemar p ${describeProbability(pairs.p)}`
      : 'intervals by bootstrap over tasks';
  return `${one} against ${other}: ${difference}; ${test}.`;
}

/** Times 100, with one digit, as tables print both. */
function signed({ mean, low, high }: MeanEstimate, of: string): string {
  return `${mean < 0 ? '' : '+'}${percentDigits(mean)} ${of} [${percentDigits(low)}, ${percentDigits(high)}]`;
}

/** Below what a double holds it is 0, which no probability is. */
function describeProbability(p: number): string {
  if (p === 0) return '< 1e-300';
  return `= ${p < 0.001 ? p.toExponential(1) : p.toFixed(3)}`;
}
