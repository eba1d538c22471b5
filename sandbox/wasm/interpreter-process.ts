import { startPatientTimer } from '../../envs/core/patient-timer.ts';
import { endingOf, type Ending } from '../exit-code.ts';
import { failed } from '../faults.ts';
import { Printing } from '../printing.ts';
import type { ExecResult, KilledBy, Limits } from '../sandbox.ts';
import type { Launched } from './launch.ts';
import { encodeMessage, MessageReader, type EndedHeader, type InterpreterMessage } from './wire.ts';

/** One program, or one piece of code, for an interpreter. */
export interface Call {
  /** Passed on unchanged. */
  readonly header: object;
  readonly parts: readonly Uint8Array[];
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly onOutput?: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
}

/**
 * The end of a call. `changes` is absent when the interpreter was killed, because the program's files were
 * lost with it.
 */
export interface CallResult {
  readonly result: ExecResult;
  readonly changes?: Changes;
}

/** The files that a program changed: a list, and their content. */
interface Changes {
  readonly header: EndedHeader;
  readonly body: Uint8Array;
}

/** Extra wall-clock time in milliseconds for the process to end itself, before it is killed from here. */
const graceMs = 1000;
/** The most bytes of a header, which lists files. */
const headerBytes = 2 ** 24;
/** The most bytes of a snapshot. */
const openBytes = 2 ** 28;
const stderrBytes = 2 ** 12;
/** The limits that the process itself enforces. */
const guarded = ['wall', 'cpu', 'memory'] as const;

/** The process of one interpreter, seen from this process. */
export class InterpreterProcess {
  readonly exited: Promise<string>;
  readonly #launched: Launched;
  readonly #reader = new MessageReader(openBytes);
  #errors = '';
  #hear: (message: InterpreterMessage) => void = () => undefined;
  #fail: (thrown: unknown) => void = () => undefined;
  #isOver = false;

  constructor(launched: Launched) {
    this.#launched = launched;
    launched.stdout.on('data', (chunk: Uint8Array) => this.#take(chunk));
    launched.stderr.on('data', (chunk: Buffer) => {
      this.#errors = (this.#errors + chunk.toString()).slice(-stderrBytes);
    });
    this.exited = launched.exited.then((how) => {
      this.#isOver = true;
      this.#fail(new Gone(how));
      return how;
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Sends a message and waits for the next one from the process.
   *
   * @throws FaultError when the process ends instead
   */
  async ask(parts: readonly Uint8Array[], deadlineMs: number): Promise<InterpreterMessage> {
    using _deadline = startPatientTimer(deadlineMs, () =>
      this.#fail(new Gone(`it did not answer within ${deadlineMs} ms`)),
    );
    try {
      return await new Promise<InterpreterMessage>((resolve, reject) => {
        this.#listen(resolve, reject);
        this.#send({ kind: 'open' }, parts);
      });
    } catch (thrown) {
      await this.end();
      throw this.#fault('open', thrown);
    }
  }

  /**
   * Runs a program. When the program was killed, the process is gone.
   *
   * @throws the reason of the signal
   * @throws FaultError where the process fails
   */
  async call(call: Call): Promise<CallResult> {
    const start = call.now();
    this.#reader.mostBytes = call.limits.diskBytes + headerBytes;
    const printing = new Printing(call.limits.outputBytes, call.onOutput);
    const abort = (): void => this.#fail(call.signal.reason);
    const late = startPatientTimer(call.limits.wallMs + graceMs, () => this.#fail(new Killed('wall')));
    call.signal.addEventListener('abort', abort, { once: true });
    try {
      const { header, body } = await new Promise<Changes>((resolve, reject) => {
        this.#listen(({ header: heard, body: bytes }) => {
          if (heard.kind === 'ended') resolve({ header: heard, body: bytes });
          else if ((heard.kind === 'stdout' || heard.kind === 'stderr') && !printing.take(heard.kind, bytes))
            this.#fail(new Killed('output'));
        }, reject);
        if (call.signal.aborted) abort();
        else this.#send(call.header, call.parts);
      });
      if (header.over) await this.end();
      return {
        result: { ...endOf(header), ...printing.printed(), ms: call.now() - start },
        changes: { header, body },
      };
    } catch (thrown) {
      await this.end();
      if (call.signal.aborted) throw call.signal.reason;
      return { result: { ...this.#endBy(thrown), ...printing.printed(), ms: call.now() - start } };
    } finally {
      late[Symbol.dispose]();
      call.signal.removeEventListener('abort', abort);
    }
  }

  /** Kills it and waits until it is gone. */
  async end(): Promise<void> {
    this.#isOver = true;
    this.#launched.kill();
    await this.exited;
  }

  #listen(hear: (message: InterpreterMessage) => void, fail: (thrown: unknown) => void): void {
    if (this.#isOver) return fail(new Gone('it had ended before'));
    this.#hear = hear;
    this.#fail = fail;
  }

  #send(header: object, parts: readonly Uint8Array[]): void {
    for (const part of encodeMessage(header, parts)) this.#launched.stdin.write(part);
  }

  #take(chunk: Uint8Array): void {
    try {
      for (const message of this.#reader.take(chunk)) this.#hear(message);
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  /** The end of a program whose process was killed or is gone. */
  #endBy(thrown: unknown): Ending {
    if (thrown instanceof Killed) return { kind: 'killed', by: thrown.by };
    if (!(thrown instanceof Gone)) throw thrown;
    const by = guarded.find((limit) => new RegExp(`^killed: ${limit}$`, 'm').test(this.#errors));
    if (by !== undefined) return { kind: 'killed', by };
    if (/heap out of memory|Allocation failed|Array buffer allocation/.test(this.#errors))
      return { kind: 'killed', by: 'memory' };
    throw this.#fault('exec', thrown);
  }

  #fault(stage: 'open' | 'exec', thrown: unknown): unknown {
    if (!(thrown instanceof Gone)) return thrown;
    const lines = this.#errors.trim().split('\n');
    const words = (lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '').slice(0, 300);
    const message = `the interpreter's process is gone: ${thrown.message}${words === '' ? '' : `; its last words: ${words}`}`;
    return failed(stage, message, thrown);
  }
}

/** The process ended by itself, or somebody else killed it. */
class Gone extends Error {}

class Killed extends Error {
  readonly by: KilledBy;

  constructor(by: KilledBy) {
    super(`killed by its limit on ${by}`);
    this.by = by;
  }
}

function endOf({ end }: EndedHeader): Ending {
  if ('code' in end) return endingOf(end.code);
  return 'crashed' in end ? { kind: 'crashed', signal: end.crashed } : { kind: 'killed', by: end.killed };
}
