import { randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { UsageError } from '../../envs/core/errors.ts';
import { narrow } from '../limits.ts';
import type { Conversation, ExecResult, Language, Limits, SayOptions } from '../sandbox.ts';
import { orderLine } from './drivers.ts';
import { Capture } from './printed.ts';
import { endingOf, type EndingOf } from './result.ts';
import type { RunningProgram } from './running-program.ts';
import { watch, type Killer } from './watch.ts';

interface Parts {
  readonly language: Language;
  readonly program: RunningProgram;
  readonly limits: Limits;
  readonly now: () => number;
  readonly filesBytes: () => number;
}

/** One interpreter in one running program. */
export class DriverConversation implements Conversation {
  readonly #parts: Parts;
  readonly #streams: { readonly stdout: MarkedStream; readonly stderr: MarkedStream };
  #isBusy = false;
  #live = true;
  #kill: (by: Killer) => void = () => undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { program } = parts;
    this.#streams = { stdout: new MarkedStream(program.stdout), stderr: new MarkedStream(program.stderr) };
    void program.ended.catch(() => undefined).then(() => (this.#live = false));
  }

  get live(): boolean {
    return this.#live;
  }

  async say(code: string, options: SayOptions): Promise<ExecResult> {
    this.#assertFree();
    options.signal.throwIfAborted();
    const limits = narrow(this.#parts.limits, options.limits ?? {});
    this.#isBusy = true;
    try {
      return await this.#run(code, options, limits);
    } finally {
      this.#isBusy = false;
    }
  }

  async #run(code: string, options: SayOptions, limits: Limits): Promise<ExecResult> {
    const { program, now, language } = this.#parts;
    const begin = now();
    const { cpuMs } = program.usage();
    const filesBefore = this.#parts.filesBytes();
    using watching = watch(limits, {
      usage: () => program.usage(),
      cpuMsBefore: cpuMs,
      diskBytes: () => (limits.diskBytes < this.#parts.limits.diskBytes ? this.#parts.filesBytes() - filesBefore : 0),
      kill: () => this.#end(),
      signal: options.signal,
    });
    this.#kill = watching.kill;
    const mark = randomBytes(16).toString('hex');
    const captures = { stdout: this.#capture('stdout', limits, options), stderr: this.#capture('stderr', limits, options) };
    const printed = (['stdout', 'stderr'] as const).map((stream) =>
      this.#streams[stream].until(mark, (bytes) => void (captures[stream].take(bytes) || watching.kill('output'))),
    );
    const [orders, answers] = program.channels;
    const answered = Promise.all([answerTo(answers, mark), ...printed]).then(([status]) => status);
    orders?.write(orderLine(language, mark, code));
    const ending = await Promise.race([answered, program.ended]);
    const ran = (): Pick<ExecResult, 'stdout' | 'stderr' | 'ms'> => ({ stdout: captures.stdout.printed(), stderr: captures.stderr.printed(), ms: now() - begin });
    if (typeof ending === 'number' && watching.killer === undefined) return { kind: 'exited', code: ending, ...ran() };
    const last = typeof ending === 'object' ? ending : await program.ended;
    const how: EndingOf = endingOf(last, { killer: watching.killer, limits, signal: options.signal, cpuMsBefore: cpuMs });
    return { ...how, ...ran() };
  }

  #capture(stream: 'stdout' | 'stderr', limits: Limits, options: SayOptions): Capture {
    return new Capture(limits.outputBytes, (bytes) => options.onOutput?.(stream, bytes));
  }

  #assertFree(): void {
    if (!this.#live) throw new UsageError({ where: 'conversation.say', what: 'the interpreter has ended.', mend: 'Begin a new conversation.' });
    if (this.#isBusy) throw new UsageError({ where: 'conversation.say', what: 'it still runs what it was told before.', mend: 'Wait for the call before.' });
  }

  #end(): void {
    this.#live = false;
    this.#parts.program.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#kill('disposal');
    this.#end();
    await this.#parts.program.ended.catch(() => undefined);
  }
}

/** A stream cut into what each call printed: a mark that nobody can guess ends it. Between calls nothing is read, so that nothing is lost. */
class MarkedStream {
  readonly #stream: Duplex;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.pause();
  }

  /** Hands on what comes before the mark; resolves at the mark, or where the stream ends. */
  until(mark: string, onBytes: (bytes: Uint8Array) => void): Promise<void> {
    const wanted = Buffer.from(mark);
    let held = Buffer.alloc(0);
    return new Promise((resolve) => {
      const stop = (): void => {
        this.#stream.off('data', take).off('close', end).pause();
        resolve();
      };
      const end = (): void => {
        onBytes(held);
        stop();
      };
      const take = (part: Buffer): void => {
        held = Buffer.concat([held, part]);
        const at = held.indexOf(wanted);
        if (at >= 0) {
          onBytes(held.subarray(0, at));
          const rest = held.subarray(at + wanted.length);
          stop();
          if (rest.length > 0) this.#stream.unshift(rest);
          return;
        }
        const certain = held.length - beginningAtEnd(held, wanted);
        onBytes(held.subarray(0, certain));
        held = held.subarray(certain);
      };
      if (this.#stream.destroyed) resolve();
      else this.#stream.on('data', take).on('close', end).resume();
    });
  }
}

/** How many of the last bytes may be the beginning of the mark. */
function beginningAtEnd(bytes: Buffer, mark: Buffer): number {
  for (let length = Math.min(bytes.length, mark.length - 1); length > 0; length -= 1) {
    if (bytes.subarray(-length).equals(mark.subarray(0, length))) return length;
  }
  return 0;
}

/** Bytes of answers that are kept while the right one has not come: whatever code writes there, it fills no memory. */
const longestAnswer = 4096;

/** The code of the answer that bears the mark; never where the channel ends before it. */
function answerTo(channel: Duplex | undefined, mark: string): Promise<number> {
  let text = '';
  return new Promise((resolve) => {
    const take = (part: Buffer): void => {
      text = (text + part.toString()).slice(-longestAnswer);
      const [, code] = new RegExp(`\\{"mark":"${mark}","code":(\\d+)\\}\\n`).exec(text) ?? [];
      if (code === undefined) return;
      channel?.off('data', take);
      resolve(Number(code));
    };
    channel?.on('data', take);
  });
}
