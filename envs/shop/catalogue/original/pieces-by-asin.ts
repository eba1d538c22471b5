import { AsinTable, isAsin } from '../store/asin-table.ts';

const smallestBlock = 1 << 18;
const largestBlock = 1 << 26;

/** One unparsed piece of a data file: its data about a product. */
export interface StoredPiece {
  readonly bytes: Buffer;
  /** The number of the piece in its file, from 1. */
  readonly item: number;
  /** Its start in the file, in bytes. */
  readonly start: number;
}

/** Pieces of a data file by product id, as bytes. Parsed they would take five times as much memory. */
export class PiecesByAsin {
  readonly #asins = new AsinTable();
  readonly #blocks: Buffer[] = [];
  #used = 0; // of the last block
  // by the number of the id
  readonly #block: number[] = [];
  readonly #start: number[] = [];
  readonly #end: number[] = [];
  readonly #item: number[] = [];
  readonly #place: number[] = [];
  #repeated = 0;

  /**
   * Adds a piece. A later piece of the same id replaces the earlier one. Ids that no product can have are
   * omitted.
   */
  add(asin: string, { bytes, item, start }: StoredPiece): void {
    if (!isAsin(asin)) return;
    const added = this.#asins.add(asin);
    if (added === undefined) this.#repeated += 1;
    const number = added ?? (this.#asins.find(asin) as number);
    const block = this.#blockFor(bytes.length);
    this.#block[number] = this.#blocks.length - 1;
    this.#start[number] = this.#used;
    this.#used += bytes.copy(block, this.#used);
    this.#end[number] = this.#used;
    this.#item[number] = item;
    this.#place[number] = start;
  }

  find(asin: string): StoredPiece | undefined {
    const number = this.#asins.find(asin);
    if (number === undefined) return undefined;
    const block = this.#blocks[this.#block[number] as number] as Buffer;
    return {
      bytes: block.subarray(this.#start[number], this.#end[number]),
      item: this.#item[number] as number,
      start: this.#place[number] as number,
    };
  }

  get size(): number {
    return this.#asins.size;
  }

  /** How often a piece replaced another. */
  get repeated(): number {
    return this.#repeated;
  }

  /** The last block, or a new one where the last has no room. */
  #blockFor(bytes: number): Buffer {
    const last = this.#blocks.at(-1);
    if (last !== undefined && this.#used + bytes <= last.length) return last;
    const next = Buffer.allocUnsafe(
      Math.max(bytes, Math.min(largestBlock, 2 * (last?.length ?? smallestBlock / 2))),
    );
    this.#blocks.push(next);
    this.#used = 0;
    return next;
  }
}
