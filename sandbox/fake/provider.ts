import type { Ending } from '../exit-code.ts';
import { impossible } from '../faults.ts';
import { assertMeets, noGuarantees, type Guarantees } from '../guarantees.ts';
import { innerPath } from '../inner-path.ts';
import { assertLimits, narrow } from '../limits.ts';
import { afterDisposal, assertFree, foreignSnapshot } from '../misuse.ts';
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
import { untilAborted } from '../waiting.ts';

/** What the script sees of a call. */
export interface FakeExec {
  readonly command: CommandLine;
  /** What the program reads; in a conversation, what was said. */
  readonly stdin: string;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly limits: Limits;
  /** The sandbox's files, which the script may read and change. */
  readonly files: Map<string, Uint8Array>;
}

/** Answers a call, or throws a `FaultError` where the sandbox is to fail. */
export type FakeScript = (call: FakeExec) => Partial<ScriptedResult> | Promise<Partial<ScriptedResult>>;

interface ScriptedResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  readonly end: { readonly code: number } | { readonly signal: string } | { readonly killedBy: KilledBy };
}

/** A provider for tests: nothing runs; a script answers, and files live in memory. */
export interface FakeSandboxProvider extends SandboxProvider {
  /** Sandboxes that are open now. */
  readonly live: number;
  /** Every command that was run, in order. */
  readonly commands: readonly CommandLine[];
}

/**
 * Nothing runs in it, so it promises nothing unless the test says so.
 *
 * @param options.guarantees what the fake claims to give, so that code which needs it can be tested
 */
export function createFakeProvider(
  script: FakeScript,
  options: { readonly guarantees?: Partial<Guarantees>; readonly unavailable?: string } = {},
): FakeSandboxProvider {
  const guarantees: Guarantees = { ...noGuarantees, ...options.guarantees };
  const name = 'fake';
  const commands: CommandLine[] = [];
  let live = 0;
  return {
    name,
    guarantees,
    commands,
    get live(): number {
      return live;
    },
    unavailable: () => Promise.resolve(options.unavailable),
    [Symbol.asyncDispose]: () => Promise.resolve(),
    open: async ({ limits, needs, signal, from }: OpenOptions): Promise<Sandbox> => {
      signal.throwIfAborted();
      assertMeets({ name, guarantees }, needs);
      assertLimits(limits);
      if (options.unavailable !== undefined) {
        throw impossible('open', options.unavailable);
      }
      const files = from === undefined ? new Map<string, Uint8Array>() : kept(from);
      live += 1;
      return new FakeSandbox({ script, guarantees, limits, files, onExec: (command) => commands.push(command), onClose: () => (live -= 1) });
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
  readonly files: ReadonlyMap<string, Uint8Array>;

  constructor(files: ReadonlyMap<string, Uint8Array>) {
    this.files = copied(files);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

const copied = (files: ReadonlyMap<string, Uint8Array>): Map<string, Uint8Array> => new Map([...files].map(([path, content]) => [path, content.slice()]));

function kept(snapshot: Snapshot): Map<string, Uint8Array> {
  if (snapshot instanceof FakeSnapshot) return copied(snapshot.files);
  throw foreignSnapshot('fake', snapshot);
}

class FakeSandbox implements Sandbox {
  readonly guarantees: Guarantees;
  readonly interpreters = { python: ['python3'], javascript: ['node'], shell: ['sh'] } as const;
  readonly #parts: FakeParts;
  #closed = false;

  constructor(parts: FakeParts) {
    this.guarantees = parts.guarantees;
    this.#parts = parts;
  }

  async exec(command: CommandLine, options: ExecOptions): Promise<ExecResult> {
    this.#assertOpen('exec');
    options.signal.throwIfAborted();
    const limits = narrow(this.#parts.limits, options.limits ?? {});
    assertCommand(command);
    environmentOf(options.env ?? {}); // refuses what no provider hands on
    this.#parts.onExec(command);
    const folder = options.folder === undefined ? '' : innerPath(options.folder);
    const call = { command, stdin: textOf(options.stdin ?? ''), env: options.env ?? {}, folder, limits, files: this.#parts.files };
    const answering = Promise.resolve(call).then(this.#parts.script);
    const { stdout = '', stderr = '', ms = 0, end = { code: 0 } } = await untilAborted(options.signal, answering);
    const printing = new Printing(limits.outputBytes, options.onOutput);
    printing.take('stdout', new TextEncoder().encode(stdout));
    printing.take('stderr', new TextEncoder().encode(stderr));
    return { ...endingOf(end), ...printing.printed(), ms };
  }

  async converse(language: Language, { signal }: { readonly signal: AbortSignal }): Promise<Conversation> {
    this.#assertOpen('converse');
    signal.throwIfAborted();
    return new FakeConversation((code, options) => this.exec(this.interpreters[language], { ...options, stdin: code }));
  }

  async snapshot({ signal }: { readonly signal: AbortSignal }): Promise<Snapshot> {
    this.#assertOpen('snapshot');
    signal.throwIfAborted();
    return new FakeSnapshot(this.#parts.files);
  }

  async read(path: string, options: { readonly signal: AbortSignal; readonly maxBytes: number }): Promise<Uint8Array | undefined> {
    this.#assertOpen('read');
    options.signal.throwIfAborted();
    const content = this.#parts.files.get(innerPath(path));
    if (content === undefined || content.byteLength <= options.maxBytes) return content?.slice();
    throw impossible('file', `${path} has ${content.byteLength} bytes, more than the ${options.maxBytes} asked for`);
  }

  async write(path: string, content: Uint8Array | string, options: { readonly signal: AbortSignal }): Promise<void> {
    this.#assertOpen('write');
    options.signal.throwIfAborted();
    this.#parts.files.set(innerPath(path), typeof content === 'string' ? new TextEncoder().encode(content) : content.slice());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#parts.onClose();
  }

  #assertOpen(call: string): void {
    if (this.#closed) throw afterDisposal(call);
  }
}

class FakeConversation implements Conversation {
  live = true;
  readonly #run: (code: string, options: SayOptions) => Promise<ExecResult>;

  constructor(run: (code: string, options: SayOptions) => Promise<ExecResult>) {
    this.#run = run;
  }

  async say(code: string, options: SayOptions): Promise<ExecResult> {
    assertFree({ live: this.live, isSaying: false });
    const result = await this.#run(code, options);
    this.live = result.kind === 'exited';
    return result;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.live = false;
    return Promise.resolve();
  }
}

function endingOf(end: ScriptedResult['end']): Ending {
  if ('code' in end) return { kind: 'exited', code: end.code };
  return 'signal' in end ? { kind: 'crashed', signal: end.signal } : { kind: 'killed', by: end.killedBy };
}

const textOf = (content: string | Uint8Array): string => (typeof content === 'string' ? content : new TextDecoder().decode(content));
