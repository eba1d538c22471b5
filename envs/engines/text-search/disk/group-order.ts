import { groupWindows } from './disk-format.ts';

const buckets = 1 << 12;

/**
 * Visits groups of windows in descending order of their bounds, roughly: groups with nearly equal bounds come in ascending
 * order.
 */
export class GroupOrder {
  /** The bound of each window; its owner sums them up. 0: the window has no document. */
  readonly bounds: Float64Array; // (windows)
  readonly #highest: Float64Array; // (groups) bounds of groups
  readonly #sorted: Uint32Array; // (groups)
  readonly #starts = new Uint32Array(buckets + 1);
  readonly #bucketBounds = new Float64Array(buckets);

  constructor(windows: number) {
    const groups = Math.ceil(windows / groupWindows);
    this.bounds = new Float64Array(windows);
    this.#highest = new Float64Array(groups);
    this.#sorted = new Uint32Array(groups);
  }

  clear(): void {
    this.bounds.fill(0);
  }

  /** Visits groups until `mayPass` is false for the highest bound of those that remain. */
  visit(mayPass: (bound: number) => boolean, search: (group: number, bound: number) => void): void {
    const highest = this.#findHighest();
    if (highest === 0) return;
    this.#sort((buckets - 1) / highest);
    for (let bucket = buckets - 1; bucket >= 0; bucket -= 1) {
      const start = this.#starts[bucket] as number;
      const end = this.#starts[bucket + 1] as number;
      if (start === end) continue;
      if (!mayPass(this.#bucketBounds[bucket] as number)) return;
      for (let place = start; place < end; place += 1) {
        const group = this.#sorted[place] as number;
        search(group, this.#highest[group] as number);
      }
    }
  }

  /** Finds the bound of each group. Returns the highest. */
  #findHighest(): number {
    const { bounds } = this;
    let highest = 0;
    for (let group = 0; group < this.#highest.length; group += 1) {
      const end = Math.min(bounds.length, (group + 1) * groupWindows);
      let bound = 0;
      for (let window = group * groupWindows; window < end; window += 1)
        bound = Math.max(bound, bounds[window] as number);
      this.#highest[group] = bound;
      highest = Math.max(highest, bound);
    }
    return highest;
  }

  /** A counting sort. Groups without documents are left out. */
  #sort(scale: number): void {
    const starts = this.#starts.fill(0);
    const bucketBounds = this.#bucketBounds.fill(0);
    const groups = this.#highest.length;
    let total = 0;
    for (let group = 0; group < groups; group += 1) {
      const bound = this.#highest[group] as number;
      if (bound === 0) continue;
      const bucket = Math.floor(bound * scale);
      starts[bucket + 1] = (starts[bucket + 1] as number) + 1;
      total += 1;
      if (bound > (bucketBounds[bucket] as number)) bucketBounds[bucket] = bound;
    }
    for (let bucket = 0; bucket < buckets; bucket += 1)
      starts[bucket + 1] = (starts[bucket + 1] as number) + (starts[bucket] as number);
    for (let group = groups - 1; group >= 0; group -= 1) {
      const bound = this.#highest[group] as number;
      if (bound === 0) continue;
      const bucket = Math.floor(bound * scale);
      const place = (starts[bucket + 1] as number) - 1;
      starts[bucket + 1] = place;
      this.#sorted[place] = group;
    }
    starts.copyWithin(0, 1); // the end of each bucket has become its start
    starts[buckets] = total;
  }
}
