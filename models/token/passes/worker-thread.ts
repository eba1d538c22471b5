import { Worker } from 'node:worker_threads';
import { messageOf } from '../../../envs/core/errors.ts';
import { programBeside } from '../../../envs/core/program-beside.ts';
import { errorOf, lostWorker, type WorkerAnswer, type WorkerRequest } from './worker-messages.ts';

interface Waiting {
  readonly where: string;
  readonly resolve: (answer: WorkerAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Gigabytes of weights may be copied meanwhile, on a machine that has other work. */
const startSeconds = 300;

/** This side of a thread that computes passes. It holds the process up only while an answer is awaited. */
export class WorkerThread {
  readonly #name: string;
  readonly #thread: Worker;
  /** Requests without an answer, the oldest first. */
  readonly #waiting: Waiting[] = [];
  /** How it ended. */
  #end: string | undefined;
  #isBroken = false;
  /** Runs until the first answer: what is asked after that takes as long as there is work. */
  readonly #start: NodeJS.Timeout;

  /** @param name such as `worker 2 of 3` */
  constructor(name: string) {
    this.#name = name;
    this.#thread = new Worker(programBeside(import.meta.url, 'pass-worker'), {
      name: `npx cairn-gym ${name}`,
      execArgv: [],
    });
    this.#thread.unref();
    this.#start = setTimeout(
      () => this.#lose(`it did not begin within ${startSeconds} s`),
      startSeconds * 1000,
    ).unref();
    this.#thread.on('message', (answer: WorkerAnswer) => this.#take(answer));
    this.#thread.on('messageerror', (thrown) =>
      this.#lose(`its answer cannot be read (${messageOf(thrown)})`),
    );
    this.#thread.on('error', (thrown) => this.#lose(`its thread failed (${messageOf(thrown)})`));
    this.#thread.on('exit', (code) => this.#lose(`its thread ended before its answer (exit code ${code})`));
  }

  /** Whether it is of no more use: it is gone, or failed in a way that nobody foresaw. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /**
   * Asks for something; requests are answered in their order.
   * @param where the work is named so in errors
   */
  ask(request: WorkerRequest, where: string): Promise<WorkerAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) return reject(lostWorker(`${where}, ${this.#name}`, this.#end));
      this.#waiting.push({ where, resolve, reject });
      this.#thread.ref();
      this.#thread.postMessage(request);
    });
  }

  /** Ends the thread, whatever it does; what is awaited of it fails. */
  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  #take(answer: WorkerAnswer): void {
    clearTimeout(this.#start);
    const waiting = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#thread.unref();
    if (waiting === undefined) return;
    if (answer.kind !== 'failed') return waiting.resolve(answer);
    const { failure } = answer;
    this.#isBroken ||= failure.kind === 'memory-full' || failure.kind === 'slip';
    waiting.reject(errorOf(failure, `${waiting.where}, ${this.#name}`));
  }

  #lose(how: string): void {
    clearTimeout(this.#start);
    this.#end ??= how;
    this.#isBroken = true;
    for (const { where, reject } of this.#waiting.splice(0))
      reject(lostWorker(`${where}, ${this.#name}`, this.#end));
  }
}
