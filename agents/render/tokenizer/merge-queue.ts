/** Two neighbouring tokens, by number. */
export interface TokenPair {
  readonly left: number;
  readonly right: number;
  /** Its frequency in the texts. */
  count: number;
  /** Rank in the order in which pairs were first seen. */
  readonly seen: number;
  /** Words that contain it, or did. */
  readonly words: Set<number>;
}

interface Entry {
  readonly pair: TokenPair;
  readonly count: number;
}

/**
 * Returns the most frequent pair, on a tie the one seen first. When the count of a pair changes, the pair is
 * added again.
 */
export class MergeQueue {
  readonly #heap: Entry[] = [];

  add(pair: TokenPair): void {
    const heap = this.#heap;
    const entry: Entry = { pair, count: pair.count };
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry, heap[parent] as Entry)) break;
      heap[at] = heap[parent] as Entry;
      at = parent;
    }
    heap[at] = entry;
  }

  /** Removes and returns the first pair; undefined if none is left. */
  take(): TokenPair | undefined {
    for (let entry = this.#pop(); entry !== undefined; entry = this.#pop()) {
      // otherwise it was added again with its new count
      if (entry.count === entry.pair.count) return entry.pair;
    }
    return undefined;
  }

  #pop(): Entry | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      const other = child + 1;
      const best =
        other < heap.length && isBefore(heap[other] as Entry, heap[child] as Entry) ? other : child;
      if (!isBefore(heap[best] as Entry, last)) break;
      heap[at] = heap[best] as Entry;
      at = best;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.count === b.count ? a.pair.seen < b.pair.seen : a.count > b.count;
}
