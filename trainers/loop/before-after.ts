import { compareResults, type Comparison } from '../evaluate/compare.ts';
import type { EvaluationResult } from '../evaluate/result.ts';
import { canonicalJson } from '../../envs/core/json.ts';
import { warmStartName } from './checkpoint-names.ts';

/**
 * What training came to, task by task: on each panel the final policy against the policy that training by reward began with,
 * decoded alike. None where a run has not got so far, or had no iterations.
 */
export function compareWithStart(results: readonly EvaluationResult[]): readonly Comparison[] {
  const starts = results.filter(({ shown }) => shown.checkpoint === warmStartName);
  return starts.flatMap((start) => {
    const end = results.find((result) => isEndOf(start, result));
    return end === undefined ? [] : [compareResults(end, start)];
  });
}

function isEndOf(start: EvaluationResult, result: EvaluationResult): boolean {
  const { kind, decoding, checkpoint } = result.shown;
  const trained = checkpoint !== undefined && checkpoint !== warmStartName && kind === start.shown.kind;
  return trained && result.panel.fingerprint === start.panel.fingerprint && canonicalJson(decoding) === canonicalJson(start.shown.decoding);
}
