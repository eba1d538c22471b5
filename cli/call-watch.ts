import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { terminalText } from '../envs/core/terminal-text.ts';

/** In a paragraph of the watch: where the step and the task of the call go. No text that is printed holds them. */
export const mark = { step: '\u0001', task: '\u0002' } as const;

/** Numbers that the two threads share. A serial that is odd says that a call is under way, and each call has one of its own. */
const cell = { serial: 0, paragraph: 1, panel: 2, index: 3, step: 4, turns: 5, stall: 6 } as const;

const pollMs = 500;

/**
 * What the thread runs: plain JavaScript, so that it needs no file beside it. A look counts for two polls at most: the process may have
 * been stopped in between, or the machine asleep.
 */
const program = `
const { writeSync } = require('node:fs');
const { isatty } = require('node:tty');
const { parentPort, workerData } = require('node:worker_threads');
const { cells, cell, mark, pollMs } = workerData;
const texts = [];
parentPort.on('message', (text) => texts.push(text));
let [serial, turns, last, underWay, stalled] = [0, 0, performance.now(), 0, 0];
setInterval(() => {
  const [now, call, turn] = [performance.now(), serial, turns];
  [serial, turns] = [Atomics.load(cells, cell.serial), Atomics.load(cells, cell.turns)];
  const passed = Math.min(now - last, 2 * pollMs);
  last = now;
  underWay = serial % 2 === 0 || serial !== call ? 0 : underWay + passed;
  stalled = turns === 0 || turns !== turn ? 0 : stalled + passed;
  const isOver = (said, ms) => ms > 0 && said !== undefined && ms >= said.limitMs;
  const [ofCall, ofLoop] = [texts[cells[cell.paragraph]], texts[cells[cell.stall]]];
  const said = isOver(ofCall, underWay) ? ofCall : isOver(ofLoop, stalled) ? ofLoop : undefined;
  if (said === undefined) return;
  const task = (texts[cells[cell.panel]] || { text: '?' }).text + '/' + cells[cell.index];
  const paragraph = said.text.split(mark.step).join(cells[cell.step]).split(mark.task).join(task);
  try { writeSync(2, (isatty(2) ? '\\n' : '') + paragraph + '\\n'); } catch {}
  process.kill(process.pid, 'SIGKILL');
}, pollMs);
`;

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
  readonly #cells = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * Object.keys(cell).length));
  readonly #worker: Worker | undefined;
  readonly #names = new Map<string, number>();
  #texts = 0;
  #serial = 0;
  #pulse: NodeJS.Timeout | undefined;
  #depth = 0; // calls within calls are part of the outermost

  constructor() {
    if (inspector.url() !== undefined) return; // at a breakpoint of a debugger a call may stand for ever
    this.#worker = new Worker(program, { eval: true, execArgv: [], workerData: { cells: this.#cells, cell, mark, pollMs } });
    this.#worker.unref();
    this.#worker.on('error', () => undefined); // where no thread can be had, the calls go unwatched
  }

  /** Hands the thread what it says of a call that takes longer than `limitMs`, with {@link mark}s in it; returns its number. */
  say(text: string, limitMs: number): number {
    return this.#hand(text, limitMs);
  }

  /** The number of a name, such as that of a panel. */
  name(name: string): number {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const number = this.#hand(terminalText(name), Number.POSITIVE_INFINITY);
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
    this.#pulse ??= setInterval(() => void Atomics.add(this.#cells, cell.turns, 1), pollMs).unref();
    Atomics.add(this.#cells, cell.turns, 1);
  }

  /** Ends the thread, and with it the watch. */
  async close(): Promise<void> {
    clearInterval(this.#pulse);
    await this.#worker?.terminate();
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

  #hand(text: string, limitMs: number): number {
    this.#worker?.postMessage({ text, limitMs });
    this.#texts += 1;
    return this.#texts - 1;
  }
}

let ofProcess: CallWatch | undefined;

/** The one watch of this process, started when it is first asked for. */
export const callWatch = (): CallWatch => (ofProcess ??= new CallWatch());
