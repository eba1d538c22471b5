import type { ChoiceBatch } from '../../../models/choice/choice-batch.ts';
import { selectBags } from '../../../models/kernels/bag.ts';

/** The decisions of `batch` named by `which`, in that order, as a batch of their own. */
export function selectDecisions(batch: ChoiceBatch, which: Int32Array): ChoiceBatch {
  const rows = rowsOf(batch, which);
  const states = selectBags({ members: batch.stateFeatures, start: batch.stateStart }, which);
  const candidates = selectBags({ members: batch.candidateFeatures, start: batch.candidateStart }, rows);
  const rowStart = new Int32Array(which.length + 1);
  for (let at = 0; at < which.length; at += 1) {
    const decision = which[at] as number;
    rowStart[at + 1] =
      (rowStart[at] as number) +
      (batch.rowStart[decision + 1] as number) -
      (batch.rowStart[decision] as number);
  }
  return {
    stateFeatures: states.members,
    stateStart: states.start,
    candidateFeatures: candidates.members,
    candidateStart: candidates.start,
    rowStart,
  };
}

/** The candidate rows of the decisions named by `which`, in order. */
export function rowsOf(batch: ChoiceBatch, which: Int32Array): Int32Array {
  let count = 0;
  for (const decision of which)
    count += (batch.rowStart[decision + 1] as number) - (batch.rowStart[decision] as number);
  const rows = new Int32Array(count);
  let at = 0;
  for (const decision of which) {
    for (
      let row = batch.rowStart[decision] as number;
      row < (batch.rowStart[decision + 1] as number);
      row += 1
    ) {
      rows[at] = row;
      at += 1;
    }
  }
  return rows;
}

/** `values` at the places named by `which`. */
export function selectValues(values: Float32Array, which: Int32Array): Float32Array {
  return Float32Array.from(which, (at) => values[at] as number);
}
