/// <reference lib="esnext.disposable" preserve="true" />
import type { Guarantees } from './guarantees.ts';

/** What one program may use: whole numbers, within the bounds of `limits.ts`; another, or another name, is a `UsageError`. */
export interface Limits {
  /** Wall clock in milliseconds. */
  readonly wallMs: number;
  /** Processor time in milliseconds, over all its processes. */
  readonly cpuMs: number;
  readonly memoryBytes: number;
  /** Processes and threads at one time. */
  readonly pids: number;
  /** Bytes that may be written to files. */
  readonly diskBytes: number;
  /** Bytes that stdout and stderr may have, each: who prints more is killed, and what came before is kept. */
  readonly outputBytes: number;
}

/** Languages whose programs a sandbox may run; `shell` is POSIX `sh`. */
export type Language = 'python' | 'javascript' | 'shell';

/** What a program printed on one stream: bytes that are no UTF-8 stand as U+FFFD. */
export interface Printed {
  readonly text: string;
  /** True when there was more than the limit on output allows. */
  readonly truncated: boolean;
}

interface Ran {
  readonly stdout: Printed;
  readonly stderr: Printed;
  /** Wall clock in milliseconds. */
  readonly ms: number;
}

/**
 * How a program ended. A failing program is a result; only a failing sandbox is a fault. Who hit a limit that the provider enforces is `killed`
 * by it, whatever its exit code; for files, where it failed and the last room was taken meanwhile (docs/sandbox.md has what some cannot tell).
 */
export type ExecResult =
  | (Ran & { readonly kind: 'exited'; readonly code: number })
  /** A signal that the sandbox did not send, such as a segmentation fault. */
  | (Ran & { readonly kind: 'crashed'; readonly signal: string })
  | (Ran & { readonly kind: 'killed'; readonly by: KilledBy });

/** The limit for which a program was killed. Killed by the caller, a call rejects with the reason of its signal. */
export type KilledBy = 'wall' | 'cpu' | 'memory' | 'pids' | 'disk' | 'output';

/** Arguments of one program, never a line for a shell. */
export type CommandLine = readonly [program: string, ...words: string[]];

export interface ExecOptions {
  /** Aborting kills the program with all its children, waits until they are gone, and rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** What the program reads; empty when left out. */
  readonly stdin?: string | Uint8Array;
  /** Narrows the sandbox's own limits; a wider one is a `UsageError`. */
  readonly limits?: Partial<Limits>;
  /** Environment variables beside `PATH`, `HOME` and `LANG`, which are the sandbox's own; nothing of this process is handed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder to run in, within the work folder; the work folder itself when left out. */
  readonly folder?: string;
  /** Hears what the program prints, as it comes, up to the limit on output. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
}

/** What calls on a running interpreter may say: it has its environment and its folder already. */
export type SayOptions = Omit<ExecOptions, 'stdin' | 'env' | 'folder'>;

/** An interpreter that keeps what it was told, call after call: a Python REPL, a shell. */
export interface Conversation extends AsyncDisposable {
  /**
   * Runs a piece of code in it. `exited` with code 0 when all of it ran, with another one when it failed (its error is on stderr, as the
   * language prints it); what it defined stays. A limit, a crash, or code that ends the interpreter ends the conversation: calls after
   * that are a `UsageError`. One call at a time.
   */
  say(code: string, options: SayOptions): Promise<ExecResult>;
  /** Whether it can be talked to. */
  readonly live: boolean;
}

/** The files of a sandbox at one time, as the provider that made it keeps them; made into a new sandbox by `open`. */
export interface Snapshot extends AsyncDisposable {
  /** The provider's, which alone can open it. */
  readonly provider: string;
}

/**
 * A place where untrusted programs run. All calls reject with a `FaultError` of kind `sandbox-failed` when the sandbox itself
 * fails, and with a `UsageError` when it is disposed of meanwhile or was before. Paths are relative to its work folder; one that leaves it is a
 * `UsageError`.
 */
export interface Sandbox extends AsyncDisposable {
  /** What this one really isolates. */
  readonly guarantees: Guarantees;
  /** Runs a program in the work folder and resolves when it and all its children are gone. */
  exec(command: CommandLine, options: ExecOptions): Promise<ExecResult>;
  /** What runs a program of a language here: the words before the path of its file. No entry: it cannot be run here. */
  readonly interpreters: Readonly<Partial<Record<Language, CommandLine>>>;
  /** Starts an interpreter that keeps its state across calls. A language without one here is a `UsageError`. */
  converse(language: Language, options: { readonly signal: AbortSignal }): Promise<Conversation>;
  /**
   * The file's bytes, or undefined where there is none that can be read: nothing has the name, a program made a folder, a pipe or a link of it or
   * of what is above it, or took the right to read it away. A file above `maxBytes` is a fault; `maxBytes` that is no whole number from 0 on is a `UsageError`.
   */
  read(
    path: string,
    options: { readonly signal: AbortSignal; readonly maxBytes: number },
  ): Promise<Uint8Array | undefined>;
  /** Writes a whole file, as it is given at the call, making the folders above it. Aborted in the same turn it writes nothing. */
  write(path: string, content: Uint8Array | string, options: { readonly signal: AbortSignal }): Promise<void>;
  /** Keeps the regular files and the folders of the work folder as they are now, running programs apart; missing where the provider cannot. */
  snapshot?(options: { readonly signal: AbortSignal }): Promise<Snapshot>;
}

/** Makes sandboxes of one kind. Disposing it ends what it keeps ready (pools, daemons' connections), and all that it opened. */
export interface SandboxProvider extends AsyncDisposable {
  /** Stands in results, such as `docker`. */
  readonly name: string;
  /** What its sandboxes isolate on this machine. */
  readonly guarantees: Guarantees;
  /** Why it cannot be used here and how to fix it; undefined when it can. @throws UsageError when it was disposed of */
  unavailable(signal: AbortSignal): Promise<string | undefined>;
  /** @throws UsageError when `needs` are not met, naming each, and for limits out of bounds; FaultError when it cannot be made */
  open(options: OpenOptions): Promise<Sandbox>;
}

export interface OpenOptions {
  readonly limits: Limits;
  readonly needs: Partial<Guarantees>;
  readonly signal: AbortSignal;
  /** Begins with these files; one of another provider, one that was disposed of, and a limit on files below what they need are a `UsageError`. */
  readonly from?: Snapshot;
}
