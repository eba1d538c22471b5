import { UsageError } from '../../envs/core/errors.ts';
import { abortable } from '../../envs/core/waiting.ts';
import type { Cell } from './cell.ts';
import { failed } from '../faults.ts';

/** The most containers of one sandbox: concurrent programs and conversations. */
const mostCells = 8;

/**
 * The containers of one sandbox. They share its work folder, and each runs one program at a time. The folder
 * exists as long as one of them does.
 */
export class Cells {
  readonly #beside: (cell: Cell) => Promise<Cell>;
  readonly #all = new Set<Cell>();
  readonly #idle: Cell[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #ending = new Set<Promise<void>>();
  /** Places taken: containers that exist or are being created. */
  #places = 1;
  #talking = 0;
  #closed = false;

  /** @param beside creates another container with the same work folder */
  constructor(first: Cell, beside: (cell: Cell) => Promise<Cell>) {
    this.#beside = beside;
    this.#all.add(first);
    this.#idle.push(first);
  }

  /** Takes an empty container for the caller alone, who returns it. Waits while all are busy. */
  async take(signal: AbortSignal): Promise<Cell> {
    for (;;) {
      signal.throwIfAborted();
      const idle = this.#idle.shift();
      if (idle?.live === true) return idle;
      if (idle !== undefined) this.#forget(idle);
      else if (this.#places < mostCells) return this.#grow(signal);
      else await abortable(signal, new Promise<void>((resolve) => void this.#waiting.push(resolve)));
    }
  }

  /** Takes a container for a conversation. One container always stays available for programs. */
  async takeForTalk(signal: AbortSignal): Promise<Cell> {
    if (this.#talking >= mostCells - 1) {
      throw new UsageError({
        where: 'sandbox.converse',
        what: `${this.#talking} conversations are already open.`,
        fix: 'Dispose one first.',
      });
    }
    this.#talking += 1;
    try {
      return await this.take(signal);
    } catch (thrown) {
      this.#talking -= 1;
      throw thrown;
    }
  }

  /** Returns a container. Whatever still runs in it is killed, or else the container itself. */
  async giveBack(cell: Cell): Promise<void> {
    if (this.#closed) return;
    if (cell.live && (await cell.empty()).isEmpty) {
      if (this.#closed) return;
      this.#idle.push(cell);
      this.#wake();
      return;
    }
    await this.drop(cell);
  }

  async giveBackFromTalk(cell: Cell): Promise<void> {
    this.#talking -= 1;
    await this.giveBack(cell);
  }

  /** Kills a container. Before the last one is killed, another takes over its work folder. */
  drop(cell: Cell): Promise<void> {
    return this.#track(this.#drop(cell));
  }

  async #drop(cell: Cell): Promise<void> {
    const isLast = ![...this.#all].some((other) => other !== cell && other.live);
    if (cell.live && isLast && !this.#closed) {
      // where none can be created the sandbox is lost, which the next call reports
      const next = await this.#beside(cell).catch(() => undefined);
      if (next !== undefined && this.#closed) await this.#end(next);
      else if (next !== undefined) {
        this.#all.add(next);
        this.#idle.push(next);
        this.#places += 1;
      }
    }
    this.#forget(cell);
    await this.#end(cell);
  }

  /** Kills all containers. */
  async end(): Promise<void> {
    this.#closed = true;
    const all = [...this.#all];
    this.#all.clear();
    this.#wake();
    await Promise.all([...all.map((cell) => this.#end(cell)), ...this.#ending]);
  }

  /**
   * Creates one more container with the same work folder. The work continues even when its caller stops
   * waiting.
   */
  async #grow(signal: AbortSignal): Promise<Cell> {
    const [living] = [...this.#all].filter(({ live }) => live);
    if (living === undefined)
      throw failed('exec', 'its containers have ended, and its files are gone with them');
    this.#places += 1;
    const made = this.#beside(living).then(
      async (cell) => {
        if (this.#closed) await this.#end(cell);
        else this.#all.add(cell);
        return cell;
      },
      (thrown: unknown) => {
        this.#places -= 1;
        this.#wake();
        throw thrown;
      },
    );
    void this.#track(
      made.then(
        () => undefined,
        () => undefined,
      ),
    );
    try {
      return await abortable(signal, made);
    } catch (thrown) {
      made
        .then(
          (cell) => this.giveBack(cell),
          () => undefined,
        )
        .catch(() => undefined);
      throw thrown;
    }
  }

  /** Wakes all waiting calls, because a single one might have been cancelled meanwhile. */
  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #forget(cell: Cell): void {
    if (!this.#all.delete(cell)) return;
    this.#places -= 1;
    this.#wake();
  }

  #end(cell: Cell): Promise<void> {
    return this.#track(cell.end());
  }

  #track(ending: Promise<void>): Promise<void> {
    this.#ending.add(ending);
    const forget = (): void => void this.#ending.delete(ending);
    ending.then(forget, forget);
    return ending;
  }
}
