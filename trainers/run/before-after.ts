import { compareResults, type Comparison } from '../results/compare.ts';
import type { EvaluationResult } from '../results/result.ts';
import { canonicalJson } from '../../envs/core/json.ts';
import { warmStartName } from './checkpoint-names.ts';

/** A panel's results before and after reinforcement learning, with the same decoding. */
export interface StartAndEnd {
  readonly start: EvaluationResult;
  readonly end: EvaluationResult;
}

/** One pair for each panel; none if the run is unfinished or had no iterations. */
export function startsAndEnds(results: readonly EvaluationResult[]): readonly StartAndEnd[] {
  const starts = results.filter(({ shown }) => shown.checkpoint === warmStartName);
  return starts.flatMap((start) => {
    const end = results.find((result) => isEndOf(start, result));
    return end === undefined ? [] : [{ start, end }];
  });
}

/** The effect of training, task by task: the end of each of {@link startsAndEnds} against its start. */
export function compareWithStart(results: readonly EvaluationResult[]): readonly Comparison[] {
  return startsAndEnds(results).map(({ start, end }) => compareResults(end, start));
}

function isEndOf(start: EvaluationResult, result: EvaluationResult): boolean {
  const { kind, decoding, checkpoint } = result.shown;
  const trained = checkpoint !== undefined && checkpoint !== warmStartName && kind === start.shown.kind;
  return (
    trained &&
    result.panel.fingerprint === start.panel.fingerprint &&
    canonicalJson(decoding) === canonicalJson(start.shown.decoding)
  );
}
