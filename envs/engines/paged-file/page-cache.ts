import { pageSize } from './layout.ts';

/**
 * Pages in memory, at most `capacity`. A new page takes the place of one that was not used since the hand of the clock
 * last passed it (second chance).
 */
export class PageCache {
  readonly #capacity: number;
  /** The frame of each page that is in memory. */
  readonly #frameOf = new Map<number, number>();
  readonly #frames: Buffer[] = [];
  readonly #pageIn: number[] = [];
  readonly #isUsed: Uint8Array; // (capacity)
  #hand = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#isUsed = new Uint8Array(capacity);
  }

  /** The page, or undefined where it is not in memory. Valid until the next call of {@link room}. */
  find(page: number): Buffer | undefined {
    const frame = this.#frameOf.get(page);
    if (frame === undefined) return undefined;
    this.#isUsed[frame] = 1;
    return this.#frames[frame];
  }

  /** The memory for a page, which the caller fills before it calls {@link keep}. */
  room(): Buffer {
    if (this.#frames.length < this.#capacity) {
      this.#hand = this.#frames.length;
      this.#frames.push(Buffer.allocUnsafeSlow(pageSize));
      this.#pageIn.push(-1);
    } else {
      do this.#hand = (this.#hand + 1) % this.#capacity;
      while (this.#isUsed[this.#hand] === 1 && this.#clearUse());
      this.#frameOf.delete(this.#pageIn[this.#hand] as number);
      this.#pageIn[this.#hand] = -1;
    }
    return this.#frames[this.#hand] as Buffer;
  }

  /** Says which page the memory of {@link room} now has. */
  keep(page: number): void {
    this.#pageIn[this.#hand] = page;
    this.#frameOf.set(page, this.#hand);
    this.#isUsed[this.#hand] = 1;
  }

  #clearUse(): boolean {
    this.#isUsed[this.#hand] = 0;
    return true;
  }
}
