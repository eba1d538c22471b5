import { randomBytes } from 'node:crypto';
import { UsageError } from '../../envs/core/errors.ts';
import { narrow } from '../limits.ts';
import type { CommandLine, Conversation, ExecResult, Language, Limits, SayOptions } from '../sandbox.ts';
import { Capture } from './capture.ts';
import type { Cell } from './cell.ts';
import { wordsOf } from './command-words.ts';
import { endingOf } from './ended.ts';
import { talkerOf } from './interpreters.ts';
import { MarkedStream } from './marked-stream.ts';
import { startProgram, type Program } from './program.ts';
import { overrunSince, untilStopped } from './watch.ts';

export interface ConversationParts {
  /** For this conversation alone. */
  readonly cell: Cell;
  readonly limits: Limits;
  readonly now: () => number;
  /** Aborts when the sandbox is disposed of. */
  readonly closing: AbortSignal;
  readonly giveBack: () => Promise<void>;
}

type Hear = (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;

/** What is being said now. */
interface Saying {
  readonly streams: { readonly stdout: MarkedStream; readonly stderr: MarkedStream };
  readonly captures: { readonly stdout: Capture; readonly stderr: Capture };
  readonly flooded: Promise<void>;
  /** The code of what was said, once both streams have it. */
  readonly done: Promise<number>;
  readonly hear: Hear;
}

export class DockerConversation implements Conversation {
  readonly #parts: ConversationParts;
  readonly #program: Program;
  readonly #listen: (hear: Hear) => void;
  #isSaying = false;
  #ended: Promise<void> | undefined;

  private constructor(parts: ConversationParts, program: Program, listen: (hear: Hear) => void) {
    this.#parts = parts;
    this.#program = program;
    this.#listen = listen;
    parts.closing.addEventListener('abort', () => void (this.#ended ??= Promise.resolve()), { once: true });
  }

  /** Starts the interpreter in its cell, which is given back when that fails. */
  static async begin(
    talk: { readonly language: Language; readonly interpreter: CommandLine },
    parts: ConversationParts,
    signal: AbortSignal,
  ): Promise<DockerConversation> {
    const { words } = wordsOf(talkerOf(talk.language, talk.interpreter), { folder: '', env: {} });
    let hear: Hear = () => undefined;
    try {
      await parts.cell.setLimits(parts.limits);
      const program = await startProgram(parts.cell, words, { stdin: true, hear: (stream, bytes) => hear(stream, bytes) });
      const conversation = new DockerConversation(parts, program, (next) => (hear = next));
      signal.throwIfAborted();
      return conversation;
    } catch (thrown) {
      await parts.giveBack();
      throw thrown;
    }
  }

  get live(): boolean {
    return this.#ended === undefined && this.#parts.cell.live;
  }

  async say(code: string, options: SayOptions): Promise<ExecResult> {
    const limits = narrow(this.#parts.limits, options.limits ?? {});
    const what = this.#isSaying ? 'it was called while the call before it still runs.' : 'the interpreter has ended.';
    if (this.#isSaying || !this.live) throw new UsageError({ where: 'conversation.say', what, mend: this.#isSaying ? 'Wait for that one.' : 'Begin a new conversation.' });
    options.signal.throwIfAborted();
    this.#isSaying = true;
    const signal = AbortSignal.any([options.signal, this.#parts.closing]);
    try {
      return await this.#say(code, { ...options, signal, limits });
    } catch (thrown) {
      await this.#end();
      signal.throwIfAborted();
      throw thrown;
    } finally {
      this.#isSaying = false;
    }
  }

  async #say(code: string, options: SayOptions & { readonly limits: Limits }): Promise<ExecResult> {
    const { limits, signal } = options;
    const { cell, now } = this.#parts;
    await cell.setLimits(limits);
    const before = await cell.read();
    const start = now();
    const mark = randomBytes(16).toString('hex');
    const saying = beginSaying(mark, limits, options.onOutput);
    this.#listen(saying.hear);
    const bytes = Buffer.from(code);
    this.#program.write(Buffer.concat([Buffer.from(`${mark} ${bytes.length}\n`), bytes]));
    const ended = Promise.race([
      saying.done.then((status) => ({ status, lives: true })),
      this.#program.ended.then((status) => ({ status, lives: false })),
    ]);
    const stop = await untilStopped(ended, { cell, before, limits, signal, flooded: saying.flooded });
    const ms = now() - start;
    const printed = (): Pick<ExecResult, 'stdout' | 'stderr' | 'ms'> => ({ stdout: saying.captures.stdout.printed(), stderr: saying.captures.stderr.printed(), ms });
    if (stop.kind === 'limit') {
      await this.#end();
      return { kind: 'killed', by: stop.by, ...printed() };
    }
    const by = overrunSince(before, await cell.read(), { ...limits, cpuMs: Infinity });
    if (by === undefined && stop.value.lives) return { kind: 'exited', code: stop.value.status, ...printed() };
    await this.#end();
    for (const stream of [saying.streams.stdout, saying.streams.stderr]) stream.flush();
    return by === undefined ? { ...endingOf(stop.value.status), ...printed() } : { kind: 'killed', by, ...printed() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }

  /** Kills the interpreter with all that it started. */
  #end(): Promise<void> {
    this.#ended ??= this.#kill();
    return this.#ended;
  }

  async #kill(): Promise<void> {
    const { cell, giveBack } = this.#parts;
    if (await cell.empty()) await this.#program.drained();
    this.#program.release();
    await giveBack();
  }
}

function beginSaying(mark: string, limits: Limits, onOutput: SayOptions['onOutput']): Saying {
  let overflow = (): void => undefined;
  let finish: (status: number) => void = () => undefined;
  const flooded = new Promise<void>((resolve) => (overflow = resolve));
  const done = new Promise<number>((resolve) => (finish = resolve));
  const captures = { stdout: new Capture(limits.outputBytes, (bytes) => onOutput?.('stdout', bytes)), stderr: new Capture(limits.outputBytes, (bytes) => onOutput?.('stderr', bytes)) };
  const streams = {
    stdout: new MarkedStream(mark, (bytes) => void (captures.stdout.take(bytes) || overflow())),
    stderr: new MarkedStream(mark, (bytes) => void (captures.stderr.take(bytes) || overflow())),
  };
  const hear: Hear = (stream, bytes) => {
    streams[stream].push(bytes);
    if (streams.stdout.status !== undefined && streams.stderr.status !== undefined) finish(streams.stdout.status);
  };
  return { streams, captures, flooded, done, hear };
}
