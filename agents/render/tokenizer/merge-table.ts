/** A position fits below it: JavaScript's strings are shorter. Ranks stay below 2^24, so that a rank and a position fit in a number. */
const positions = 2 ** 29;
const gone = -1;

/**
 * The merges of a BPE model by pairs of ids, in a hash table with open addressing.
 *
 * Source: Sennrich et al., 2016, "Neural Machine Translation of Rare Words with Subword Units".
 */
export class MergeTable {
  readonly #mask: number;
  readonly #left: Int32Array;
  readonly #right: Int32Array;
  readonly #rank: Int32Array;
  readonly #merged: Int32Array;

  /** @param size most merges that are added */
  constructor(size: number) {
    const slots = 2 ** Math.ceil(Math.log2(2 * size + 2));
    this.#mask = slots - 1;
    this.#left = new Int32Array(slots).fill(gone);
    this.#right = new Int32Array(slots);
    this.#rank = new Int32Array(slots);
    this.#merged = new Int32Array(slots);
  }

  /** Adds the merge of two neighbours into `merged`. Lower ranks come first. A second merge of the same pair replaces the first. */
  add(
    left: number,
    right: number,
    { rank, merged }: { readonly rank: number; readonly merged: number },
  ): void {
    const slot = this.#slotOf(left, right);
    this.#left[slot] = left;
    this.#right[slot] = right;
    this.#rank[slot] = rank;
    this.#merged[slot] = merged;
  }

  /**
   * Merges neighbours, the lowest rank first and among equal ranks the leftmost, until no pair is left. The time is
   * O(n log n) for n ids.
   */
  apply(ids: readonly number[]): number[] {
    const count = ids.length;
    const tokens = Int32Array.from(ids);
    const next = Int32Array.from(ids, (_, at) => at + 1);
    const previous = Int32Array.from(ids, (_, at) => at - 1);
    const heap: number[] = [];
    const offer = (at: number): void => {
      const slot = this.#slotOf(tokens[at] as number, tokens[next[at] as number] as number);
      if (this.#left[slot] !== gone) push(heap, (this.#rank[slot] as number) * positions + at);
    };
    for (let at = 0; at + 1 < count; at += 1) offer(at);
    while (heap.length > 0) {
      const entry = pop(heap);
      const at = entry % positions;
      const behind = next[at] as number;
      if (tokens[at] === gone || behind >= count) continue;
      const slot = this.#slotOf(tokens[at] as number, tokens[behind] as number);
      // otherwise the pair has changed since it was added
      if (this.#left[slot] === gone || this.#rank[slot] !== (entry - at) / positions) continue;
      tokens[at] = this.#merged[slot] as number;
      tokens[behind] = gone;
      const after = next[behind] as number;
      next[at] = after;
      if (after < count) {
        previous[after] = at;
        offer(at);
      }
      const before = previous[at] as number;
      if (before >= 0) offer(before);
    }
    const out: number[] = [];
    for (const token of tokens) if (token !== gone) out.push(token);
    return out;
  }

  /** The slot of a pair: its own, or the free one where it would be. */
  #slotOf(left: number, right: number): number {
    let hash = Math.imul(left, 0x9e_37_79_b1) ^ Math.imul(right, 0x85_eb_ca_6b);
    hash ^= hash >>> 15;
    for (let slot = hash & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const found = this.#left[slot];
      if (found === gone || (found === left && this.#right[slot] === right)) return slot;
    }
  }
}

/** Adds a number to a binary heap whose first number is the least. */
function push(heap: number[], value: number): void {
  let at = heap.push(value) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as number;
    if (above <= value) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = value;
}

/** Removes and returns the least number of a heap that is not empty. */
function pop(heap: number[]): number {
  const least = heap[0] as number;
  const value = heap.pop() as number;
  const count = heap.length;
  if (count === 0) return least;
  let at = 0;
  for (let child = 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && (heap[child + 1] as number) < (heap[child] as number)) child += 1;
    const below = heap[child] as number;
    if (below >= value) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = value;
  return least;
}
