import { setImmediate as nextTurn } from 'node:timers/promises';
import { RunError } from '../../../core/errors.ts';
import { TopDocuments, type Hit } from '../../text-search/top-documents.ts';

/** Numbers of a block: 16 MiB. Other work gets a turn after each. */
const blockNumbers = 1 << 22;
/** Numbers of a table, at most: 8 GiB. */
const mostNumbers = 2 ** 31;

/**
 * Vectors of length 1 in memory, numbered as they are added: 4 bytes a number. A search scans all of them, so its
 * results are exact.
 */
export class VectorTable {
  readonly dimensions: number;
  readonly #blockRows: number;
  readonly #blocks: Float32Array[] = []; // (blockRows * dimensions) each
  #size = 0;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#blockRows = Math.max(1, Math.floor(blockNumbers / dimensions));
  }

  get size(): number {
    return this.#size;
  }

  /**
   * Adds whole vectors, one after the other.
   *
   * @throws RunError above 2^31 numbers
   */
  add(numbers: Float32Array): void {
    const { dimensions } = this;
    if (this.#size * dimensions + numbers.length > mostNumbers) throw tooLarge(dimensions);
    for (let from = 0; from < numbers.length;) {
      const row = this.#size % this.#blockRows;
      if (row === 0) this.#blocks.push(new Float32Array(this.#blockRows * dimensions));
      const room = (this.#blockRows - row) * dimensions;
      const part = numbers.subarray(from, from + room);
      this.#blocks.at(-1)?.set(part, row * dimensions);
      this.#size += part.length / dimensions;
      from += part.length;
    }
  }

  /**
   * The vectors with the highest cosine, best first, ties by the lower number.
   *
   * @param query a vector of length 1
   */
  async best(query: Float32Array, limit: number, signal: AbortSignal): Promise<readonly Hit[]> {
    const top = new TopDocuments();
    top.begin(Math.min(limit, this.#size));
    for (const [number, block] of this.#blocks.entries()) {
      signal.throwIfAborted();
      this.#scan(query, { block, first: number * this.#blockRows, top });
      await nextTurn();
    }
    return top.drain();
  }

  #scan(
    query: Float32Array,
    {
      block,
      first,
      top,
    }: { readonly block: Float32Array; readonly first: number; readonly top: TopDocuments },
  ): void {
    const { dimensions } = this;
    const whole = dimensions - (dimensions % 4);
    const rows = Math.min(this.#blockRows, this.#size - first);
    for (let row = 0, at = 0; row < rows; row += 1, at += dimensions) {
      // four sums: a processor adds them at once
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let place = 0; place < whole; place += 4) {
        a += (query[place] as number) * (block[at + place] as number);
        b += (query[place + 1] as number) * (block[at + place + 1] as number);
        c += (query[place + 2] as number) * (block[at + place + 2] as number);
        d += (query[place + 3] as number) * (block[at + place + 3] as number);
      }
      for (let place = whole; place < dimensions; place += 1)
        a += (query[place] as number) * (block[at + place] as number);
      const score = Math.fround(a + b + (c + d));
      if (score > top.threshold) top.offer(first + row, score);
    }
  }
}

const tooLarge = (dimensions: number): RunError =>
  new RunError({
    where: 'dense retrieval',
    what: `the vectors of ${dimensions} numbers take more than 8 GiB.`,
    fix: `Index at most ${Math.floor(mostNumbers / dimensions)} documents, or use a model with fewer dimensions.`,
  });
