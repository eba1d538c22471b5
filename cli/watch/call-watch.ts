import inspector from 'node:inspector';
import { constants } from 'node:os';
import { Worker } from 'node:worker_threads';
import { terminalText } from '../../envs/core/terminal-text.ts';
import { cell, mark, patience, pollMs, program } from './watch-program.ts';

/** The signals that end a command, by system number. */
const stopSignals = {
  SIGHUP: constants.signals.SIGHUP,
  SIGINT: constants.signals.SIGINT,
  SIGTERM: constants.signals.SIGTERM,
} as const;

/** Where a call is made, as numbers. The caller reuses the object, so that a step allocates none. */
export interface CallPlace {
  /** The result of {@link CallWatch.name} for the panel. */
  panel: number;
  index: number;
  step: number;
}

/**
 * Watches calls into code that may compute forever, from its own thread: such code blocks all timers and
 * signals of the process. A call that exceeds its limit ends the process with a paragraph on stderr and exit
 * code 137.
 *
 * Calls through {@link during} and {@link begin} are watched directly. Awaiting does not count, and neither
 * do our own computations. Work of such a call after its own await runs from the event loop, like everything
 * else. So after {@link watchLoop} was called, the loop must turn now and then.
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
  #depth = 0; // nested calls are part of the outermost

  constructor() {
    this.#cells[cell.stall] = -1;
    if (inspector.url() !== undefined) return; // at a breakpoint of a debugger a call may stop forever
    this.#worker = new Worker(program, {
      eval: true,
      execArgv: [],
      workerData: { cells: this.#cells, cell, mark, pollMs, patience },
    });
    this.#worker.unref();
    this.#worker.on('error', () => undefined); // if no thread can be started, calls are not watched
  }

  /**
   * Registers the paragraph for a call that exceeds `limitMs`, and its name, both with {@link mark}s. Returns
   * its number.
   * @param fix for the author of code that computes while a signal waits
   */
  say(
    text: string,
    limitMs: number,
    place: string,
    fix = 'Make it end, or make it await and respect context.signal.',
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

  /** Makes a watched call: its synchronous part, whatever it returns. */
  during<T>(paragraph: number, place: CallPlace, call: () => T): T {
    this.#enter(paragraph, place);
    try {
      return call();
    } finally {
      this.#leave();
    }
  }

  /** Watches until it is disposed, including waits. */
  begin(paragraph: number): Disposable {
    this.#enter(paragraph, { panel: -1, index: -1, step: 0 });
    return { [Symbol.dispose]: () => this.#leave() };
  }

  /** From now on an event loop that blocks longer than the paragraph's limit ends the process too. */
  watchLoop(paragraph: number): void {
    this.#cells[cell.stall] = paragraph;
    this.#beat();
  }

  /**
   * Receives the signals that this process listens to, from now on. One that the event loop does not handle,
   * because a call computes on, ends the process after some seconds, and a second one at once. Node delivers
   * signals only to the main loop. The thread receives them through an internal API of Node. In versions
   * without it, only the limits of calls apply.
   */
  hear(): void {
    this.#beat();
    const heard = Object.entries(stopSignals).filter(([name]) => process.listenerCount(name) > 0);
    this.#worker?.postMessage({ kind: 'hear', signals: heard.map(([, number]) => number) });
  }

  /** Stops receiving signals: one without a listener must end the process as usual. */
  hearNothing(): void {
    this.#worker?.postMessage({ kind: 'hear', signals: [] });
  }

  /** Ends the thread and the watch. */
  async close(): Promise<void> {
    clearInterval(this.#pulse);
    await this.#worker?.terminate();
  }

  /** Signals the thread that the loop turns. */
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

/** Removes a command from the watch, if there is one. */
export const leaveCallWatch = (): void => ofProcess?.hearNothing();

/** The only watch of this process, started on first use. */
export const callWatch = (): CallWatch => (ofProcess ??= new CallWatch());
