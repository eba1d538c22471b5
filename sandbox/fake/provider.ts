import { UsageError } from '../../envs/core/errors.ts';
import { abortable } from '../../envs/core/waiting.ts';
import { endedMeanwhile } from '../conversation/disposal.ts';
import type { Ending } from '../exit-code.ts';
import { impossible, noRoom } from '../faults.ts';
import { assertMeets, noGuarantees, type Guarantees } from '../guarantees.ts';
import { innerPath } from '../inner-path.ts';
import { assertHolds, assertLimits, assertMaxBytes, narrow } from '../limits.ts';
import {
  afterDisposal,
  afterDisposalOf,
  assertFree,
  bytesOf,
  disposedMeanwhile,
  disposedSnapshot,
  foreignSnapshot,
} from '../misuse.ts';
import { Printing } from '../printing.ts';
import { assertCommand, environmentOf } from '../program-words.ts';
import type {
  CommandLine,
  Conversation,
  ExecOptions,
  ExecResult,
  KilledBy,
  Language,
  Limits,
  OpenOptions,
  Sandbox,
  SandboxProvider,
  SayOptions,
  Snapshot,
} from '../sandbox.ts';

/** A call as the script receives it. */
export interface FakeExec {
  readonly command: CommandLine;
  /** The program's stdin; in a conversation, the code. */
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly limits: Limits;
  /** The files of the sandbox, which the script may read and change. */
  readonly files: Map<string, Uint8Array>;
}

/** Answers a call, or throws a `FaultError` where the sandbox should fail. */
export type FakeScript = (call: FakeExec) => Partial<ScriptedResult> | Promise<Partial<ScriptedResult>>;

interface ScriptedResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  readonly end: { readonly code: number } | { readonly signal: string } | { readonly killedBy: KilledBy };
}

/** A provider for tests. Nothing runs: a script answers, and files are in memory. */
export interface FakeSandboxProvider extends SandboxProvider {
  /** The number of open sandboxes. */
  readonly live: number;
  /** All commands that were run, in order. */
  readonly commands: readonly CommandLine[];
}

/**
 * Creates a provider for tests. Nothing runs in it, so it guarantees nothing unless the test sets that.
 *
 * @param options.guarantees the guarantees that the fake claims, to test code that needs them
 */
export function createFakeProvider(
  script: FakeScript,
  options: { readonly guarantees?: Partial<Guarantees>; readonly unavailable?: string } = {},
): FakeSandboxProvider {
  const guarantees: Guarantees = { ...noGuarantees, ...options.guarantees };
  const name = 'fake';
  const commands: CommandLine[] = [];
  const opened = new Set<Sandbox>();
  const closing = new AbortController();
  return {
    name,
    guarantees,
    commands,
    get live(): number {
      return opened.size;
    },
    unavailable: async () => {
      closing.signal.throwIfAborted();
      return options.unavailable;
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort(afterDisposalOf(name));
      await Promise.all([...opened].map((sandbox) => sandbox[Symbol.asyncDispose]()));
    },
    open: async ({ limits, needs, signal, from }: OpenOptions): Promise<Sandbox> => {
      const either = AbortSignal.any([closing.signal, signal]);
      either.throwIfAborted();
      assertMeets({ name, guarantees }, needs);
      assertLimits(limits);
      if (options.unavailable !== undefined) {
        throw impossible('open', options.unavailable);
      }
      const files = from === undefined ? new Map<string, Uint8Array>() : kept(from);
      assertHolds(
        limits,
        [...files.values()].reduce((sum, { byteLength }) => sum + byteLength, 0),
      );
      await Promise.resolve(); // as in other providers, a caller can abort in the same turn
      either.throwIfAborted();
      const sandbox: Sandbox = new FakeSandbox({
        script,
        guarantees,
        limits,
        files,
        onExec: (command) => commands.push(command),
        onClose: () => opened.delete(sandbox),
      });
      opened.add(sandbox);
      return sandbox;
    },
  };
}

interface FakeParts {
  readonly script: FakeScript;
  readonly guarantees: Guarantees;
  readonly limits: Limits;
  readonly files: Map<string, Uint8Array>;
  readonly onExec: (command: CommandLine) => void;
  readonly onClose: () => void;
}

class FakeSnapshot implements Snapshot {
  readonly provider = 'fake';
  #files: ReadonlyMap<string, Uint8Array> | undefined;

  constructor(files: ReadonlyMap<string, Uint8Array>) {
    this.#files = copied(files);
  }

  /**
   * The stored files.
   *
   * @throws UsageError after disposal
   */
  files(): Map<string, Uint8Array> {
    if (this.#files !== undefined) return copied(this.#files);
    throw disposedSnapshot();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#files = undefined;
    return Promise.resolve();
  }
}

const copied = (files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> =>
  new Map([...files].map(([path, content]) => [path, content.slice()]));

function kept(snapshot: Snapshot): Map<string, Uint8Array> {
  if (snapshot instanceof FakeSnapshot) return snapshot.files();
  throw foreignSnapshot('fake', snapshot);
}

class FakeSandbox implements Sandbox {
  readonly guarantees: Guarantees;
  readonly interpreters = { python: ['python3'], javascript: ['node'], shell: ['sh'] } as const;
  readonly #parts: FakeParts;
  readonly #closing = new AbortController();

  constructor(parts: FakeParts) {
    this.guarantees = parts.guarantees;
    this.#parts = parts;
  }

  async exec(command: CommandLine, options: ExecOptions): Promise<ExecResult> {
    const signal = this.#begin('exec', options.signal);
    const limits = narrow(this.#parts.limits, options.limits ?? {});
    assertCommand(command);
    environmentOf(options.env ?? {}); // refuses what no provider passes on
    const stdin = new TextDecoder().decode(bytesOf('sandbox.exec, stdin', options.stdin ?? ''));
    const folder = options.folder === undefined ? '' : innerPath(options.folder);
    this.#parts.onExec(command);
    const call = { command, stdin, env: options.env ?? {}, folder, limits, files: this.#parts.files };
    const answering = Promise.resolve(call).then(this.#parts.script);
    const { stdout = '', stderr = '', ms = 0, end = { code: 0 } } = await abortable(signal, answering);
    const printing = new Printing(limits.outputBytes, options.onOutput);
    printing.take('stdout', new TextEncoder().encode(stdout));
    printing.take('stderr', new TextEncoder().encode(stderr));
    return { ...endingOf(end), ...printing.printed(), ms };
  }

  async converse(language: Language, { signal }: { readonly signal: AbortSignal }): Promise<Conversation> {
    const either = this.#begin('converse', signal);
    await Promise.resolve(); // as in other providers, a caller can abort in the same turn
    either.throwIfAborted();
    const { interpreters } = this;
    if (!Object.hasOwn(interpreters, language))
      throw new UsageError({
        where: 'sandbox.converse',
        what: `${language} cannot be run here.`,
        fix: `Use one of ${Object.keys(interpreters).join(', ')}.`,
      });
    return new FakeConversation(
      (code, options) => this.exec(interpreters[language], { ...options, stdin: code }),
      this.#closing.signal,
    );
  }

  async snapshot({ signal }: { readonly signal: AbortSignal }): Promise<Snapshot> {
    return this.#onFiles('snapshot', signal, (files) => new FakeSnapshot(files));
  }

  async read(
    path: string,
    options: { readonly signal: AbortSignal; readonly maxBytes: number },
  ): Promise<Uint8Array | undefined> {
    assertMaxBytes(options.maxBytes);
    return this.#onFiles('read', options.signal, (files) => {
      const content = files.get(innerPath(path));
      if (content === undefined || content.byteLength <= options.maxBytes) return content?.slice();
      throw impossible(
        'file',
        `${path} has ${content.byteLength} bytes, more than the ${options.maxBytes} asked for`,
      );
    });
  }

  async write(
    path: string,
    content: Uint8Array | string,
    options: { readonly signal: AbortSignal },
  ): Promise<void> {
    const bytes = bytesOf('sandbox.write, content', content);
    return this.#onFiles('write', options.signal, (files) => {
      const plain = innerPath(path);
      const others = [...files].reduce(
        (sum, [name, { byteLength }]) => (name === plain ? sum : sum + byteLength),
        0,
      );
      if (others + bytes.byteLength > this.#parts.limits.diskBytes) throw noRoom(plain);
      files.set(plain, bytes);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(disposedMeanwhile());
    this.#parts.onClose();
  }

  /** Works on the files, unless the caller or the sandbox has ended. */
  async #onFiles<T>(
    call: string,
    signal: AbortSignal,
    work: (files: Map<string, Uint8Array>) => T,
  ): Promise<T> {
    const either = this.#begin(call, signal);
    await Promise.resolve(); // as in other providers, a caller can abort in the same turn
    either.throwIfAborted();
    return work(this.#parts.files);
  }

  /** A signal that aborts with the caller's signal and with the sandbox. */
  #begin(call: string, signal: AbortSignal): AbortSignal {
    if (this.#closing.signal.aborted) throw afterDisposal(call);
    signal.throwIfAborted();
    return AbortSignal.any([signal, this.#closing.signal]);
  }
}

class FakeConversation implements Conversation {
  readonly #run: (code: string, options: SayOptions) => Promise<ExecResult>;
  readonly #closing: AbortSignal;
  readonly #disposing = new AbortController();
  #isOver = false;
  #isSaying = false;

  /** @param closing aborts when the sandbox is disposed */
  constructor(run: (code: string, options: SayOptions) => Promise<ExecResult>, closing: AbortSignal) {
    this.#run = run;
    this.#closing = closing;
  }

  get live(): boolean {
    return !this.#isOver && !this.#closing.aborted && !this.#disposing.signal.aborted;
  }

  async say(code: string, options: SayOptions): Promise<ExecResult> {
    assertFree({ live: this.live, isSaying: this.#isSaying });
    options.signal.throwIfAborted();
    this.#isSaying = true;
    try {
      const result = await this.#run(code, {
        ...options,
        signal: AbortSignal.any([options.signal, this.#disposing.signal]),
      });
      this.#isOver = result.kind !== 'exited';
      return result;
    } catch (thrown) {
      this.#isOver = !UsageError.is(thrown); // refused code did not run
      throw thrown;
    } finally {
      this.#isSaying = false;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#disposing.abort(endedMeanwhile());
    return Promise.resolve();
  }
}

function endingOf(end: ScriptedResult['end']): Ending {
  if ('code' in end) return { kind: 'exited', code: end.code };
  return 'signal' in end ? { kind: 'crashed', signal: end.signal } : { kind: 'killed', by: end.killedBy };
}
