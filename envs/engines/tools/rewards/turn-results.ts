/**
 * BFCL's check of a turn: the results so far contain those of the gold calls, as JSON texts, each as often as
 * it occurs.
 *
 * Source: gorilla BFCL v4, multi-turn response checker.
 */
export function containsResults(gold: readonly string[], produced: readonly string[]): boolean {
  const left = new Map<string, number>();
  for (const text of produced) left.set(text, (left.get(text) ?? 0) + 1);
  return gold.every((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  });
}
