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

/** A shuffle of 0..count-1 cut into parts of `size`, the last one shorter. */
export function shuffledParts(
  count: number,
  size: number,
  shuffle: (items: readonly number[]) => number[],
): Int32Array[] {
  const order = Int32Array.from(shuffle(Array.from({ length: count }, (_, index) => index)));
  const parts: Int32Array[] = [];
  for (let from = 0; from < count; from += size)
    parts.push(order.subarray(from, Math.min(count, from + size)));
  return parts;
}
