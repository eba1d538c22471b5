/**
 * Rows in the order given, dealt out to mini-batches of about so many steps: each closes with the row that fills it. Rows of one step each
 * make mini-batches of exactly that many.
 *
 * @param steps that each row has
 */
export function miniBatches(
  order: readonly number[],
  steps: Int32Array,
  batchSteps: number,
): readonly (readonly number[])[] {
  const batches: number[][] = [];
  let room = 0;
  for (const row of order) {
    if (room <= 0) {
      batches.push([]);
      room = batchSteps;
    }
    batches.at(-1)?.push(row);
    room -= steps[row] as number;
  }
  return batches;
}

/** The numbers below `count`. */
export const rowNumbers = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, row) => row);
