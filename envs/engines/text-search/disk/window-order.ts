const buckets = 1 << 12;

/** Visits windows in descending order of their bounds, roughly: windows with nearly equal bounds come in ascending order. */
export class WindowOrder {
  /** The bound of each window; its owner sums them up. 0: the window has no document. */
  readonly bounds: Float64Array; // (windows)
  readonly #sorted: Uint32Array; // (windows)
  readonly #starts = new Uint32Array(buckets + 1);
  readonly #highest = new Float64Array(buckets);

  constructor(windows: number) {
    this.bounds = new Float64Array(windows);
    this.#sorted = new Uint32Array(windows);
  }

  clear(): void {
    this.bounds.fill(0);
  }

  /** Visits windows until `mayPass` is false for the highest bound of those that remain. */
  visit(mayPass: (bound: number) => boolean, search: (window: number, bound: number) => void): void {
    const { bounds } = this;
    let highest = 0;
    for (let window = 0; window < bounds.length; window += 1)
      highest = Math.max(highest, bounds[window] as number);
    if (highest === 0) return;
    this.#sort((buckets - 1) / highest);
    for (let bucket = buckets - 1; bucket >= 0; bucket -= 1) {
      const start = this.#starts[bucket] as number;
      const end = this.#starts[bucket + 1] as number;
      if (start === end) continue;
      if (!mayPass(this.#highest[bucket] as number)) return;
      for (let place = start; place < end; place += 1) {
        const window = this.#sorted[place] as number;
        search(window, bounds[window] as number);
      }
    }
  }

  /** A counting sort. Windows without documents are left out. */
  #sort(scale: number): void {
    const { bounds } = this;
    const starts = this.#starts.fill(0);
    const highest = this.#highest.fill(0);
    let total = 0;
    for (let window = 0; window < bounds.length; window += 1) {
      const bound = bounds[window] as number;
      if (bound === 0) continue;
      const bucket = Math.floor(bound * scale);
      starts[bucket + 1] = (starts[bucket + 1] as number) + 1;
      total += 1;
      if (bound > (highest[bucket] as number)) highest[bucket] = bound;
    }
    for (let bucket = 0; bucket < buckets; bucket += 1)
      starts[bucket + 1] = (starts[bucket + 1] as number) + (starts[bucket] as number);
    for (let window = bounds.length - 1; window >= 0; window -= 1) {
      const bound = bounds[window] as number;
      if (bound === 0) continue;
      const bucket = Math.floor(bound * scale);
      const place = (starts[bucket + 1] as number) - 1;
      starts[bucket + 1] = place;
      this.#sorted[place] = window;
    }
    starts.copyWithin(0, 1); // the end of each bucket has become its start
    starts[buckets] = total;
  }
}
