import { abortable } from '../../envs/core/waiting.ts';
import type { Cell } from './cell.ts';
import type { CellLimits } from './cell-config.ts';

/**
 * Unused containers for the limits of the last request. A container leaves the pool once and never returns.
 */
export class Pool {
  readonly #make: (limits: CellLimits) => Promise<Cell>;
  readonly #size: number;
  readonly #isFresh: (cell: Cell) => boolean;
  readonly #work = new Set<Promise<unknown>>();
  #ready: Cell[] = [];
  #filling = 0;
  #limits: CellLimits | undefined;
  #closed = false;

  /** @param options.isFresh whether enough lifetime is left for a kept container */
  constructor(
    make: (limits: CellLimits) => Promise<Cell>,
    options: { readonly size: number; readonly isFresh: (cell: Cell) => boolean },
  ) {
    this.#make = make;
    this.#size = options.size;
    this.#isFresh = options.isFresh;
  }

  /** Takes a ready container, or creates one. Then the pool is refilled. */
  async take(limits: CellLimits, signal: AbortSignal): Promise<Cell> {
    this.#keepFor(limits);
    const cell = this.#ready.shift();
    this.#fill();
    if (cell !== undefined) return cell;
    const making = this.#track(this.#make(limits));
    try {
      return await abortable(signal, making);
    } catch (thrown) {
      this.#track(
        making.then(
          (late) => late.end(),
          () => undefined,
        ),
      ).catch(() => undefined); // the caller has cancelled
      throw thrown;
    }
  }

  /** Ends the kept containers and waits for those being created. */
  async end(): Promise<void> {
    this.#closed = true;
    const ready = this.#ready.splice(0);
    await Promise.all(ready.map((cell) => cell.end()));
    await Promise.allSettled(this.#work);
  }

  /** Ends containers for other limits, and those that have ended or soon will. */
  #keepFor(limits: CellLimits): void {
    const isSame = this.#limits !== undefined && keyOf(this.#limits) === keyOf(limits);
    this.#limits = limits;
    const kept = this.#ready.filter((cell) => isSame && cell.live && this.#isFresh(cell));
    for (const cell of this.#ready) if (!kept.includes(cell)) this.#discard(cell);
    this.#ready = kept;
  }

  #fill(): void {
    const limits = this.#limits;
    if (limits === undefined) return;
    for (; !this.#closed && this.#ready.length + this.#filling < this.#size;) {
      this.#filling += 1;
      const filled = this.#make(limits).then(
        (cell) => this.#admit(cell, limits),
        () => undefined, // the next call that needs one reports it
      );
      this.#track(filled.finally(() => (this.#filling -= 1))).catch(() => undefined);
    }
  }

  #admit(cell: Cell, limits: CellLimits): void {
    const isWanted = !this.#closed && this.#limits !== undefined && keyOf(this.#limits) === keyOf(limits);
    if (isWanted) this.#ready.push(cell);
    else this.#discard(cell);
  }

  #discard(cell: Cell): void {
    void this.#track(cell.end());
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#work.add(work);
    work.finally(() => this.#work.delete(work)).catch(() => undefined);
    return work;
  }
}

const keyOf = ({ memoryBytes, pids, diskBytes }: CellLimits): string =>
  [memoryBytes, pids, diskBytes].join(' ');
