import type { Ending } from '../exit-code.ts';
import { narrow } from '../limits.ts';
import { assertFree } from '../misuse.ts';
import { Printing, type StreamName } from '../printing.ts';
import type { Conversation, ExecResult, Limits, SayOptions } from '../sandbox.ts';
import { untilStopped, type Meter } from '../until-stopped.ts';
import { endedMeanwhile } from './disposal.ts';
import { nothing, Said, type Rests } from './said.ts';

export type Hear = (stream: StreamName, bytes: Uint8Array) => void;

/** A running program of `interpreters.ts`, as its provider sees it. */
export interface Interpreter {
  readonly live: boolean;
  /** How it ended by itself. Rejects where that is unknown. */
  readonly ended: Promise<Ending>;
  readonly write: (order: Uint8Array) => void;
  /**
   * Passes its output to `hear`. With undefined the output stays unread, and the interpreter waits, until the
   * next listener.
   */
  readonly listen: (hear: Hear | undefined) => void;
  /** Sets the limits of the next call and returns its meter. */
  readonly meter: (limits: Limits) => Promise<Meter>;
  /** Kills it with all that it started. Resolves when they are gone and their output has been read. */
  readonly end: () => Promise<void>;
}

export interface ConversationParts {
  readonly interpreter: Interpreter;
  readonly limits: Limits;
  readonly now: () => number;
  /** Aborts when the sandbox is disposed. */
  readonly closing: AbortSignal;
}

/** The result of a piece of code. */
interface Came {
  readonly ending: Ending;
  readonly lives: boolean;
}

/** A conversation with an interpreter that runs as a program of its own. */
export class InterpreterConversation implements Conversation {
  readonly #parts: ConversationParts;
  /** Output between two calls belongs to the later one. */
  #rests: Rests = nothing;
  #isSaying = false;
  /** Aborts on disposal, because the end of a running call would otherwise be reported wrongly. */
  readonly #disposing = new AbortController();
  #ended: Promise<void> | undefined;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    parts.interpreter.ended.catch(() => undefined); // callers get the rejection
  }

  get live(): boolean {
    return this.#ended === undefined && !this.#parts.closing.aborted && this.#parts.interpreter.live;
  }

  async say(code: string, options: SayOptions): Promise<ExecResult> {
    assertFree({ live: this.live, isSaying: this.#isSaying });
    options.signal.throwIfAborted();
    const limits = narrow(this.#parts.limits, options.limits ?? {});
    const signal = AbortSignal.any([options.signal, this.#parts.closing, this.#disposing.signal]);
    this.#isSaying = true;
    try {
      return await this.#say(code, { ...options, limits, signal });
    } catch (thrown) {
      await this.#end();
      signal.throwIfAborted();
      throw thrown;
    } finally {
      this.#isSaying = false;
    }
  }

  async #say(
    code: string,
    { limits, signal, onOutput }: SayOptions & { readonly limits: Limits },
  ): Promise<ExecResult> {
    const { interpreter, now } = this.#parts;
    const meter = await interpreter.meter(limits);
    signal.throwIfAborted(); // it may have ended meanwhile, so that nothing takes the order
    const start = now();
    const printing = new Printing(limits.outputBytes, onOutput);
    const said = new Said(code, printing);
    for (const stream of ['stdout', 'stderr'] as const) said.hear(stream, this.#rests[stream]);
    interpreter.listen((stream, bytes) => said.hear(stream, bytes));
    interpreter.write(said.order);
    const answered = said.done.then((status): Came => ({
      ending: { kind: 'exited', code: status },
      lives: true,
    }));
    const ended = interpreter.ended.then((ending): Came => ({ ending, lives: false }));
    const stop = await untilStopped(Promise.race([answered, ended]), {
      meter,
      limits,
      flooded: printing.flooded,
      signal,
    });
    const ms = now() - start;
    if (stop.kind === 'ended' && stop.value.lives) {
      interpreter.listen(undefined);
      this.#rests = said.rests();
    } else {
      await this.#end();
      said.flush();
    }
    const ending: Ending = stop.kind === 'limit' ? { kind: 'killed', by: stop.by } : stop.value.ending;
    return { ...ending, ...printing.printed(), ms };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#disposing.abort(endedMeanwhile());
    return this.#end();
  }

  #end(): Promise<void> {
    this.#ended ??= this.#parts.interpreter.end();
    return this.#ended;
  }
}
