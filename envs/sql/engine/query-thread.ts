import { Worker } from 'node:worker_threads';
import { FaultError, messageOf } from '../../core/errors.ts';
import { startPatientTimer } from '../../core/patient-timer.ts';
import { programBeside } from '../../core/program-beside.ts';
import { abortable } from '../../core/waiting.ts';
import type { QueryRequest } from './query-worker.ts';
import type { Answer, QueryResult } from './result.ts';

/** Time limit of a start in milliseconds. Loading the engine takes 30 ms, but the machine may be busy. */
const startMs = 120_000;
/** Memory of JavaScript in addition to the engine's own: rows in transit. */
const heapMegabytes = 256;

/**
 * The main thread's handle of a thread that runs queries. It keeps the process alive only while an answer is
 * awaited.
 */
export class QueryThread {
  readonly #worker: Worker;
  readonly #ready: Promise<void>;
  #isUsable = true;

  constructor(memoryMegabytes: number) {
    this.#worker = new Worker(programBeside(import.meta.url, 'query-worker'), {
      name: 'cairn sql',
      workerData: memoryMegabytes,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
    });
    this.#worker.on('error', () => undefined); // callers that await an answer get the error
    this.#ready = this.#answer(startMs).then((answer) => {
      if (answer === 'ready') return;
      this.#isUsable = false;
      throw new FaultError({
        kind: 'env-crashed',
        where: 'the thread that runs queries',
        message: answer.result.kind === 'error' ? answer.result.message : 'it did not begin',
      });
    });
    this.#ready.catch(() => undefined); // callers get the error
  }

  /** Whether another query may be run here. */
  get isUsable(): boolean {
    return this.#isUsable;
  }

  /**
   * Runs a query. Call it again only after it has returned.
   *
   * @throws the signal's reason when it aborts
   * @throws FaultError where the thread cannot start
   */
  async run(request: QueryRequest, timeMs: number, signal: AbortSignal): Promise<QueryResult> {
    await abortable(signal, this.#ready);
    const stop = (): void => void this.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const answered = this.#answer(timeMs);
      this.#worker.postMessage(request);
      const answer = await answered;
      signal.throwIfAborted();
      if (answer === 'ready')
        throw new FaultError({
          kind: 'env-crashed',
          where: 'the thread that runs queries',
          message: 'it began twice',
        });
      if (answer.isSpent) this.#isUsable = false;
      return answer.result;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async close(): Promise<void> {
    this.#isUsable = false;
    await this.#worker.terminate();
  }

  /** The next message; or the end of the thread instead, which is then unusable. */
  #answer(withinMs: number): Promise<Answer | 'ready'> {
    const worker = this.#worker;
    worker.ref();
    return new Promise((resolve) => {
      const settle = (answer: Answer | 'ready'): void => {
        timer[Symbol.dispose]();
        worker.off('message', onMessage).off('error', onError).off('exit', onExit).unref();
        resolve(answer);
      };
      const fail = (message: string, of: { readonly isLate?: true } = {}): void => {
        this.#isUsable = false;
        settle({ result: { kind: 'error', message, ...of }, isSpent: true });
      };
      const onMessage = (answer: Answer | 'ready'): void => settle(answer);
      const onError = (thrown: unknown): void =>
        fail(`the query took too much memory, or broke the engine (${messageOf(thrown)})`);
      const onExit = (): void => fail('the thread ended before its answer');
      const timer = startPatientTimer(withinMs, () => {
        fail(`stopped: it ran longer than ${withinMs} ms`, { isLate: true });
        void worker.terminate();
      });
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    });
  }
}
