import { terminalLine } from '../../envs/core/terminal-text.ts';
import type { Comparison } from './compare.ts';
import type { ScoreEstimate } from './estimate.ts';
import { percentDigits } from './percent.ts';

/** One sentence: how far the first is from the second on the same tasks, and how surely. */
export function describeComparison(comparison: Comparison): string {
  const { first, second, success, score } = comparison;
  const same = score.mean === success.mean && score.low === success.low && score.high === success.high;
  const difference = `${signed(success, 'points of success')}${same ? '' : `, ${signed(score, 'of score')}`}`; // as tables, which leave a score out that is success
  return `${terminalLine(first)} against ${terminalLine(second)}: ${difference}; ${describeTest(comparison)}.`;
}

function describeTest({ first, second, panel, pairs }: Comparison): string {
  if (panel.tasks === 1) return 'a single task tells nothing of others';
  if (pairs.kind === 'bootstrap') return 'intervals by bootstrap over tasks';
  const { onlyFirst, onlySecond, p } = pairs;
  const alone = `${onlyFirst} were solved by ${terminalLine(first)} alone, ${onlySecond} by ${terminalLine(second)} alone`;
  return `of ${panel.tasks} tasks ${alone}, McNemar p ${describeProbability(p)}`;
}

/** Times 100, with one digit, as tables print both. */
function signed({ mean, low, high }: ScoreEstimate, of: string): string {
  const interval = low === undefined || high === undefined ? '–' : `${percentDigits(low)}, ${percentDigits(high)}`;
  return `${mean < 0 ? '' : '+'}${percentDigits(mean)} ${of} [${interval}]`;
}

/** Below what a double holds it is 0, which no probability is. */
function describeProbability(p: number): string {
  if (p === 0) return '< 1e-300';
  return `= ${p < 0.001 ? p.toExponential(1) : p.toFixed(3)}`;
}
