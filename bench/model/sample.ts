import { createRng } from '../../envs/core/rng.ts';
import type { ChoiceBatch } from '../../models/choice/choice-batch.ts';

/** How large the decisions of the household and shop envs are, about. */
export const decisionShape = { candidates: 25, candidateFeatures: 30, stateFeatures: 80 } as const;

/** Decisions of which no two rows are alike. Features as hashing gives them: anywhere in the table, a few of them very often. */
export function sampleBatch(decisions: number, buckets: number): ChoiceBatch {
  const rng = createRng(decisions);
  const rows = decisions * decisionShape.candidates;
  const feature = (): number => (rng.int(10) === 0 ? rng.int(16) : rng.int(buckets));
  const evenly = (count: number, each: number): Int32Array =>
    Int32Array.from({ length: count + 1 }, (_, at) => at * each);
  return {
    stateFeatures: Int32Array.from({ length: decisions * decisionShape.stateFeatures }, feature),
    stateStart: evenly(decisions, decisionShape.stateFeatures),
    candidateFeatures: Int32Array.from({ length: rows * decisionShape.candidateFeatures }, feature),
    candidateStart: evenly(rows, decisionShape.candidateFeatures),
    rowStart: evenly(decisions, decisionShape.candidates),
  };
}
