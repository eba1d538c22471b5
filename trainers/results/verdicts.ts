import { terminalLine } from '../../envs/core/terminal-text.ts';
import { percentDigits, plural } from './number-words.ts';
import type { EvaluationResult } from './result.ts';

/**
 * How an agent judged documents that mislead, where its env reports the metrics `misleadingShown` (documents shown that mislead) and
 * `misleadingCaught` (those judged misleading). Undefined where no document was judged.
 * `qwen: 34 of 120 misleading documents judged misleading (28.3 %), 5 of 61 verdicts wrong.`
 */
export function describeVerdicts({
  agent,
  episodes,
}: Pick<EvaluationResult, 'agent' | 'episodes'>): string | undefined {
  const total = (name: string): number =>
    episodes.reduce((sum, { metrics }) => sum + (metrics?.[name] ?? 0), 0);
  const [shown, caught] = [total('misleadingShown'), total('misleadingCaught')];
  const [right, wrong] = [total('judgedRight'), total('judgedWrong')];
  if (shown === 0 || right + wrong === 0) return undefined;
  return `${terminalLine(agent)}: ${caught} of ${shown} misleading ${plural(shown, 'document')} judged misleading (${percentDigits(caught / shown)} %), ${wrong} of ${right + wrong} ${plural(right + wrong, 'verdict')} wrong.`;
}
