/** Milliseconds that the work takes with each of the items, one after the other. */
export function timeEach<T>(items: readonly T[], work: (item: T) => void): readonly number[] {
  return items.map((item) => {
    const start = performance.now();
    work(item);
    return performance.now() - start;
  });
}

/** Of milliseconds, each as `rounded` gives it. */
export function quantiles(
  times: readonly number[],
  rounded: (ms: number) => number,
): Readonly<Record<'p50Ms' | 'p95Ms' | 'p99Ms' | 'maxMs', number>> {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    rounded(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN);
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), maxMs: at(1) };
}
