import { UsageError } from '../../envs/core/errors.ts';
import { endedMeanwhile } from '../conversation/disposal.ts';
import type { Guarantees } from '../guarantees.ts';
import { innerPath } from '../inner-path.ts';
import { assertMaxBytes, narrow } from '../limits.ts';
import { afterDisposal, assertFree, bytesOf, disposedMeanwhile, missingFolder } from '../misuse.ts';
import { assertCommand, environmentOf } from '../program-words.ts';
import type {
  CommandLine,
  Conversation,
  ExecOptions,
  ExecResult,
  Language,
  Limits,
  Sandbox,
  SayOptions,
  Snapshot,
} from '../sandbox.ts';
import { readCommand, type RefusedCommand, type WasmProgram } from './command-line.ts';
import type { Call, CallResult, InterpreterProcess } from './interpreter-process.ts';
import { wasmLanguages, type WasmLanguage } from './packages.ts';
import type { ProcessPool } from './process-pool.ts';
import { WasmSnapshot } from './wasm-snapshot.ts';
import type { FileUpdate, WorkFiles } from './work-files.ts';

export interface WasmSandboxParts {
  /** The name of the provider. */
  readonly name: string;
  readonly guarantees: Guarantees;
  readonly limits: Limits;
  readonly files: WorkFiles;
  readonly pools: Readonly<Record<WasmLanguage, ProcessPool>>;
  readonly now: () => number;
  readonly onClose: () => void;
}

/**
 * A sandbox with a work folder in the memory of this process, and a new interpreter process for each program.
 */
export class WasmSandbox implements Sandbox {
  readonly guarantees: Guarantees;
  readonly interpreters = { python: ['python3'], javascript: ['node'] } as const;
  readonly #parts: WasmSandboxParts;
  /** Aborts when the sandbox is disposed. */
  readonly #closing = new AbortController();
  /** Settle when their interpreters are gone. */
  readonly #running = new Set<Promise<unknown>>();
  /** The interpreters of conversations. */
  readonly #talking = new Set<InterpreterProcess>();

  constructor(parts: WasmSandboxParts) {
    this.guarantees = parts.guarantees;
    this.#parts = parts;
  }

  async exec(command: CommandLine, options: ExecOptions): Promise<ExecResult> {
    this.#assertUsable('exec', options.signal);
    const limits = narrow(this.#parts.limits, options.limits ?? {});
    const env = environmentOf(options.env ?? {});
    assertCommand(command);
    const stdin = bytesOf('sandbox.exec, stdin', options.stdin ?? '');
    const folder = this.#folder(options.folder);
    const program = readCommand(command);
    if ('code' in program) return refused(program, options);
    return this.#during(options.signal, (signal) =>
      this.#run(program, { limits, env, folder, stdin, options: { ...options, signal } }),
    );
  }

  async converse(language: Language, { signal }: { readonly signal: AbortSignal }): Promise<Conversation> {
    this.#assertUsable('converse', signal);
    const known = wasmLanguages.find((name) => name === language);
    if (known === undefined)
      throw new UsageError({
        where: `a conversation in ${language}`,
        what: 'this sandbox has no interpreter for it.',
        fix: `Use ${wasmLanguages.join(' or ')}.`,
      });
    const { files, limits, now, pools } = this.#parts;
    return this.#during(signal, async (either) => {
      const interpreter = await pools[known].take(either);
      if (either.aborted) await interpreter.end(); // no other reference to it exists
      either.throwIfAborted();
      const conversation = new WasmConversation({
        interpreter,
        files,
        limits,
        now,
        closing: this.#closing.signal,
      });
      void interpreter.exited.then(() => this.#talking.delete(interpreter));
      this.#talking.add(interpreter);
      return conversation;
    });
  }

  async read(
    path: string,
    { signal, maxBytes }: { readonly signal: AbortSignal; readonly maxBytes: number },
  ): Promise<Uint8Array | undefined> {
    assertMaxBytes(maxBytes);
    return this.#onFiles('read', signal, (files) => files.read(innerPath(path), maxBytes));
  }

  async write(
    path: string,
    content: Uint8Array | string,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<void> {
    const bytes = bytesOf('sandbox.write, content', content);
    return this.#onFiles('write', signal, (files) => files.write(innerPath(path), bytes));
  }

  async snapshot({ signal }: { readonly signal: AbortSignal }): Promise<Snapshot> {
    return this.#onFiles('snapshot', signal, (files) => new WasmSnapshot(this.#parts.name, files.copy()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(disposedMeanwhile());
    await Promise.allSettled([
      ...this.#running,
      ...[...this.#talking].map((interpreter) => interpreter.end()),
    ]);
    this.#parts.onClose();
  }

  /** Works on the files, unless the caller or the sandbox has ended. */
  async #onFiles<T>(call: string, signal: AbortSignal, work: (files: WorkFiles) => T): Promise<T> {
    this.#assertUsable(call, signal);
    await Promise.resolve(); // as in other providers, a caller can abort in the same turn
    signal.throwIfAborted();
    this.#closing.signal.throwIfAborted();
    return work(this.#parts.files);
  }

  async #run(program: WasmProgram, plan: Plan): Promise<ExecResult> {
    const { files } = this.#parts;
    const { options, limits, stdin } = plan;
    const interpreter = await this.#parts.pools[program.language].take(options.signal);
    try {
      const isSource = program.how === 'stdin';
      const source = {
        how: isSource ? 'code' : program.how,
        text: isSource ? new TextDecoder().decode(stdin) : program.text,
      };
      const ended = await interpreter.call({
        ...callFor(
          { program: source, argv: program.argv, env: plan.env, folder: plan.folder },
          files.updateSince(new Map()),
          isSource ? new Uint8Array(0) : stdin,
          limits,
        ),
        signal: options.signal,
        now: this.#parts.now,
        ...(options.onOutput !== undefined && { onOutput: options.onOutput }),
      });
      if (ended.changes !== undefined) files.apply(ended.changes.header, ended.changes.body);
      return ended.result;
    } finally {
      await interpreter.end();
    }
  }

  /** Runs work that ends with the sandbox at the latest. */
  async #during<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const running = work(AbortSignal.any([signal, this.#closing.signal]));
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  #folder(given: string | undefined): string {
    if (given === undefined) return '';
    const folder = innerPath(given);
    if (this.#parts.files.hasFolder(folder)) return folder;
    throw missingFolder(given);
  }

  #assertUsable(call: string, signal: AbortSignal): void {
    if (this.#closing.signal.aborted) throw afterDisposal(call);
    signal.throwIfAborted();
  }
}

interface Plan {
  readonly limits: Limits;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly stdin: Uint8Array;
  readonly options: ExecOptions;
}

function refused({ code, stderr }: RefusedCommand, { onOutput }: ExecOptions): ExecResult {
  onOutput?.('stderr', new TextEncoder().encode(stderr));
  return {
    kind: 'exited',
    code,
    stdout: { text: '', truncated: false },
    stderr: { text: stderr, truncated: false },
    ms: 0,
  };
}

interface Surrounded {
  readonly program: { readonly how: string; readonly text: string };
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

function callFor(
  surrounded: Surrounded,
  update: FileUpdate,
  stdin: Uint8Array,
  limits: Limits,
): Pick<Call, 'header' | 'parts' | 'limits'> {
  const { files, removed, folders } = update;
  const sizes = [...files].map(([path, content]) => ({ path, size: content.byteLength }));
  const header = {
    kind: 'call',
    ...surrounded,
    limits,
    files: sizes,
    removed,
    folders,
    stdinBytes: stdin.byteLength,
  };
  return { header, parts: [stdin, ...files.values()], limits };
}

interface ConversationParts {
  readonly interpreter: InterpreterProcess;
  readonly files: WorkFiles;
  readonly limits: Limits;
  readonly now: () => number;
  readonly closing: AbortSignal;
}

class WasmConversation implements Conversation {
  readonly #parts: ConversationParts;
  /** The interpreter's files. */
  #seen: ReadonlyMap<string, Uint8Array> = new Map();
  #isSaying = false;
  #isOver = false;
  readonly #disposing = new AbortController();
  readonly #onClosing = (): void => void this.#end();

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    parts.closing.addEventListener('abort', this.#onClosing, { once: true });
  }

  get live(): boolean {
    return !this.#isOver && !this.#parts.interpreter.isOver;
  }

  async say(code: string, options: SayOptions): Promise<ExecResult> {
    assertFree({ live: this.live, isSaying: this.#isSaying });
    options.signal.throwIfAborted();
    const limits = narrow(this.#parts.limits, options.limits ?? {});
    this.#isSaying = true;
    try {
      const { result, changes } = await this.#ask(code, limits, options);
      if (changes === undefined || changes.header.over) await this.#end();
      return result;
    } catch (thrown) {
      await this.#end();
      throw this.#parts.closing.aborted && !options.signal.aborted ? this.#parts.closing.reason : thrown;
    } finally {
      this.#isSaying = false;
    }
  }

  async #ask(code: string, limits: Limits, options: SayOptions): Promise<CallResult> {
    const { files, interpreter, closing } = this.#parts;
    const update = files.updateSince(this.#seen);
    const seen = new Map(files.copy().files);
    const program = { how: 'said', text: code };
    const ended = await interpreter.call({
      ...callFor(
        { program, argv: [''], env: environmentOf({}), folder: '' },
        update,
        new Uint8Array(0),
        limits,
      ),
      signal: AbortSignal.any([options.signal, closing, this.#disposing.signal]),
      now: this.#parts.now,
      ...(options.onOutput !== undefined && { onOutput: options.onOutput }),
    });
    if (ended.changes !== undefined) {
      const { header, body } = ended.changes;
      files.apply(header, body);
      const now = files.copy().files;
      for (const path of header.removed) seen.delete(path);
      for (const { path } of header.files) seen.set(path, now.get(path) ?? new Uint8Array(0));
      this.#seen = seen;
    }
    return ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#disposing.abort(endedMeanwhile());
    return this.#end();
  }

  async #end(): Promise<void> {
    this.#isOver = true;
    this.#parts.closing.removeEventListener('abort', this.#onClosing);
    await this.#parts.interpreter.end();
  }
}
