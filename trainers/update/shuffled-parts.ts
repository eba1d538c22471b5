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
