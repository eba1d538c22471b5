import inspector from 'node:inspector';
import { constants } from 'node:os';
import { Worker } from 'node:worker_threads';
import { terminalText } from '../../envs/core/terminal-text.ts';
import { cell, mark, patience, pollMs, program } from './watch-program.ts';

/** The signals that end a command, by the numbers of the system. */
const stopSignals = {
  SIGHUP: constants.signals.SIGHUP,
  SIGINT: constants.signals.SIGINT,
  SIGTERM: constants.signals.SIGTERM,
} as const;

/** Where a call is made, as numbers: its caller changes and keeps it, so that a step allocates none. */
export interface CallPlace {
  /** What {@link CallWatch.name} gave for the panel. */
  panel: number;
  index: number;
  step: number;
}

/**
 * Watches, from a thread of its own, over calls into code that may compute for ever and lets no timer and no signal of this process
 * through. A call that has been under way for longer than its limit ends the process: its paragraph is written on stderr, and the exit
 * code is 137. What is called through {@link during} and {@link begin} is watched closely: awaiting is free, and so are our own
 * computations. What such a call does after an await of its own runs from the event loop, as all else does; so once {@link watchLoop} was
 * called, the loop must turn now and then.
 */
export class CallWatch {
  readonly #cells = new Int32Array(
    new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * Object.keys(cell).length),
  );
  readonly #worker: Worker | undefined;
  readonly #names = new Map<string, number>();
  #texts = 0;
  #serial = 0;
  #pulse: NodeJS.Timeout | undefined;
  #depth = 0; // calls within calls are part of the outermost

  constructor() {
    this.#cells[cell.stall] = -1;
    if (inspector.url() !== undefined) return; // at a breakpoint of a debugger a call may stand for ever
    this.#worker = new Worker(program, {
      eval: true,
      execArgv: [],
      workerData: { cells: this.#cells, cell, mark, pollMs, patience },
    });
    this.#worker.unref();
    this.#worker.on('error', () => undefined); // where no thread can be had, the calls go unwatched
  }

  /**
   * Hands the thread what it says of a call that takes longer than `limitMs`, and what it calls it, with {@link mark}s in both; returns its number.
   * @param fix for whoever wrote what computes while a signal waits
   */
  say(
    text: string,
    limitMs: number,
    place: string,
    fix = 'Let it end, or let it wait with await and heed context.signal.',
  ): number {
    return this.#hand({ text, limitMs, place, fix });
  }

  /** The number of a name, such as that of a panel. */
  name(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const number = this.#hand({
      text: terminalText(name),
      limitMs: Number.POSITIVE_INFINITY,
      place: '',
      fix: '',
    });
    this.#names.set(name, number);
    return number;
  }

  /** Makes a call under the watch: its synchronous part, whatever it gives back. */
  during<T>(paragraph: number, place: CallPlace, call: () => T): T {
    this.#enter(paragraph, place);
    try {
      return call();
    } finally {
      this.#leave();
    }
  }

  /** Watches until it is disposed, waits included. */
  begin(paragraph: number): Disposable {
    this.#enter(paragraph, { panel: -1, index: -1, step: 0 });
    return { [Symbol.dispose]: () => this.#leave() };
  }

  /** From now on an event loop that has not turned for longer than the paragraph's limit ends the process, too. */
  watchLoop(paragraph: number): void {
    this.#cells[cell.stall] = paragraph;
    this.#beat();
  }

  /**
   * Hears of the signals that this process listens to, from now on: one that the loop does not turn to, as a call computes on and on,
   * ends the process after some seconds, and a second one at once. Node hands signals to the main loop alone; the thread hears them by what
   * Node itself is built on, and where a version of Node has that no longer, it hears none, and the limits of calls are all there is.
   */
  hear(): void {
    this.#beat();
    const heard = Object.entries(stopSignals).filter(([name]) => process.listenerCount(name) > 0);
    this.#worker?.postMessage({ kind: 'hear', signals: heard.map(([, number]) => number) });
  }

  /** Hears no more of them: what nobody listens to must end the process as it always does. */
  hearNothing(): void {
    this.#worker?.postMessage({ kind: 'hear', signals: [] });
  }

  /** Ends the thread, and with it the watch. */
  async close(): Promise<void> {
    clearInterval(this.#pulse);
    await this.#worker?.terminate();
  }

  /** Lets the thread see that the loop turns. */
  #beat(): void {
    this.#pulse ??= setInterval(() => void Atomics.add(this.#cells, cell.turns, 1), pollMs).unref();
    Atomics.add(this.#cells, cell.turns, 1);
  }

  #enter(paragraph: number, { panel, index, step }: CallPlace): void {
    this.#depth += 1;
    if (this.#depth > 1) return;
    const cells = this.#cells;
    cells[cell.paragraph] = paragraph;
    cells[cell.panel] = panel;
    cells[cell.index] = index;
    cells[cell.step] = step;
    this.#turn();
  }

  #leave(): void {
    this.#depth -= 1;
    if (this.#depth === 0) this.#turn();
  }

  #turn(): void {
    this.#serial = (this.#serial + 1) | 0;
    Atomics.store(this.#cells, cell.serial, this.#serial);
  }

  #hand(said: {
    readonly text: string;
    readonly limitMs: number;
    readonly place: string;
    readonly fix: string;
  }): number {
    this.#worker?.postMessage({ kind: 'say', ...said });
    this.#texts += 1;
    return this.#texts - 1;
  }
}

let ofProcess: CallWatch | undefined;

/** Ends a command's part in the watch, where there is one. */
export const leaveCallWatch = (): void => ofProcess?.hearNothing();

/** The one watch of this process, started when it is first asked for. */
export const callWatch = (): CallWatch => (ofProcess ??= new CallWatch());
