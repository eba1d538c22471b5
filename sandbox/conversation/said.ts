import { randomBytes } from 'node:crypto';
import type { Printing, StreamName } from '../printing.ts';
import { orderOf } from './interpreters.ts';
import { MarkedStream } from './marked-stream.ts';

/** Output of each stream after the end of a call. */
export type Rests = Readonly<Record<StreamName, Uint8Array>>;

export const nothing: Rests = { stdout: new Uint8Array(0), stderr: new Uint8Array(0) };

/** One piece of code for an interpreter, and the output until it has run. */
export class Said {
  /** The bytes to send to the interpreter. */
  readonly order: Uint8Array;
  /** The exit code, once both streams have reported it. */
  readonly done: Promise<number>;
  readonly #streams: Readonly<Record<StreamName, MarkedStream>>;
  #finish: (code: number) => void = () => undefined;

  constructor(code: string, printing: Printing) {
    const mark = randomBytes(16).toString('hex');
    this.order = orderOf(mark, code);
    this.done = new Promise((resolve) => (this.#finish = resolve));
    const marked = (stream: StreamName): MarkedStream =>
      new MarkedStream(mark, (bytes) => void printing.take(stream, bytes));
    this.#streams = { stdout: marked('stdout'), stderr: marked('stderr') };
  }

  hear(stream: StreamName, bytes: Uint8Array): void {
    const { stdout, stderr } = this.#streams;
    this.#streams[stream].push(bytes);
    if (stdout.status !== undefined && stderr.status !== undefined) this.#finish(stdout.status);
  }

  rests(): Rests {
    return { stdout: this.#streams.stdout.rest, stderr: this.#streams.stderr.rest };
  }

  /** Call it when no more output comes. */
  flush(): void {
    this.#streams.stdout.flush();
    this.#streams.stderr.flush();
  }
}
