import type { Comparison } from './compare.ts';

/**
 * Adjusts probabilities for their number, in their order, so that all together err as rarely as one alone.
 * Source: Holm, "A simple sequentially rejective multiple test procedure", 1979.
 */
export function adjustByHolm(probabilities: readonly number[]): readonly number[] {
  const rising = probabilities
    .map((_, index) => index)
    .toSorted((a, b) => (probabilities[a] ?? 0) - (probabilities[b] ?? 0));
  const adjusted = Array.from<number>({ length: probabilities.length });
  let largest = 0;
  for (const [rank, index] of rising.entries()) {
    largest = Math.max(largest, Math.min(1, (probabilities.length - rank) * (probabilities[index] ?? 0)));
    adjusted[index] = largest;
  }
  return adjusted;
}

/** Comparisons with the probabilities of all tests among them adjusted for their number; a single test stays as it is. */
export function adjustComparisons(comparisons: readonly Comparison[]): readonly Comparison[] {
  const tested = comparisons.flatMap(({ pairs }) => (pairs.kind === 'mcnemar' ? [pairs.p] : []));
  if (tested.length < 2) return comparisons;
  const adjusted = [...adjustByHolm(tested)];
  return comparisons.map((one) => {
    if (one.pairs.kind !== 'mcnemar') return one;
    const own = adjusted.shift();
    return own === undefined ? one : { ...one, pairs: { ...one.pairs, adjusted: own } };
  });
}
