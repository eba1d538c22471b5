/// <reference lib="esnext.disposable" preserve="true" />
import type { Guarantees } from './guarantees.ts';

/**
 * The limits of one program: integers within the bounds of `limits.ts`. Other values and other names are a
 * `UsageError`.
 */
export interface Limits {
  /** Wall-clock time in milliseconds. */
  readonly wallMs: number;
  /** Processor time in milliseconds, summed over all processes of the program. */
  readonly cpuMs: number;
  readonly memoryBytes: number;
  /** Processes and threads at one time. */
  readonly pids: number;
  /** Bytes that may be written to files. */
  readonly diskBytes: number;
  /**
   * Bytes that stdout and stderr may have, each. A program that prints more is killed, and the earlier output
   * is kept.
   */
  readonly outputBytes: number;
}

/** Languages of programs. `shell` is POSIX `sh`. */
export type Language = 'python' | 'javascript' | 'shell';

/** What a program printed on one stream. Bytes that are not UTF-8 become U+FFFD. */
export interface Printed {
  readonly text: string;
  /** True when the output exceeded the limit. */
  readonly truncated: boolean;
}

interface Ran {
  readonly stdout: Printed;
  readonly stderr: Printed;
  /** Wall-clock time in milliseconds. */
  readonly ms: number;
}

/**
 * How a program ended. A failing program is a result. Only a failing sandbox is a fault. A program that hits
 * an enforced limit is `killed` by it, whatever its exit code. For files this holds where the program failed
 * and meanwhile the last space was used. sandbox/README.md lists the exceptions.
 */
export type ExecResult =
  | (Ran & { readonly kind: 'exited'; readonly code: number })
  /** A signal that the sandbox did not send, such as a segmentation fault. */
  | (Ran & { readonly kind: 'crashed'; readonly signal: string })
  | (Ran & { readonly kind: 'killed'; readonly by: KilledBy });

/**
 * The limit for which a program was killed. When the caller aborts, the call rejects with the signal's reason
 * instead.
 */
export type KilledBy = 'wall' | 'cpu' | 'memory' | 'pids' | 'disk' | 'output';

/** A program and its arguments; never a line for a shell. */
export type CommandLine = readonly [program: string, ...words: string[]];

export interface ExecOptions {
  /**
   * Aborting kills the program with all its children, waits until they are gone, and rejects with the
   * signal's reason.
   */
  readonly signal: AbortSignal;
  /** The program's stdin. Default: empty. */
  readonly stdin?: string | Uint8Array;
  /** Lowers the sandbox's limits. A higher one is a `UsageError`. */
  readonly limits?: Partial<Limits>;
  /**
   * Environment variables in addition to `PATH`, `HOME` and `LANG`, which the sandbox sets. Nothing is
   * inherited from this process.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder to run in, within the work folder. Default: the work folder itself. */
  readonly folder?: string;
  /** Receives the output as it arrives, up to the limit on output. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
}

/** The options of a call on a running interpreter, which has its environment and its folder already. */
export type SayOptions = Omit<ExecOptions, 'stdin' | 'env' | 'folder'>;

/** An interpreter that keeps its state from call to call: a Python REPL, a shell. */
export interface Conversation extends AsyncDisposable {
  /**
   * Runs a piece of code. The result is `exited` with code 0 when all of it ran. It has another code when the
   * code failed, with the error on stderr in the language's format. Definitions are kept. A limit, a crash,
   * or code that ends the interpreter ends the conversation, and later calls are a `UsageError`. One call at
   * a time.
   */
  say(code: string, options: SayOptions): Promise<ExecResult>;
  /** False once the interpreter has ended. */
  readonly live: boolean;
}

/**
 * The files of a sandbox at one time, stored by the provider that made it. `open` starts a new sandbox with
 * them.
 */
export interface Snapshot extends AsyncDisposable {
  /** The name of the provider. Only that provider can open the snapshot. */
  readonly provider: string;
}

/**
 * A place where untrusted programs run. Paths are relative to its work folder.
 *
 * All calls reject with a `FaultError` of kind `sandbox-failed` when the sandbox itself fails. They reject
 * with a `UsageError` for a path that leaves the work folder, and when the sandbox was disposed before or is
 * disposed meanwhile.
 */
export interface Sandbox extends AsyncDisposable {
  /** What this sandbox actually isolates. */
  readonly guarantees: Guarantees;
  /** Runs a program in the work folder. Resolves when the program and all its children are gone. */
  exec(command: CommandLine, options: ExecOptions): Promise<ExecResult>;
  /** The words before the path of a program's file, for each language that can run here. */
  readonly interpreters: Readonly<Partial<Record<Language, CommandLine>>>;
  /**
   * Starts an interpreter that keeps its state from call to call. A language that cannot run here is a
   * `UsageError`.
   */
  converse(language: Language, options: { readonly signal: AbortSignal }): Promise<Conversation>;
  /**
   * The bytes of a file, or undefined if no readable file has that name. So is a name that a program made a
   * folder, a pipe or a link, and a file that it made unreadable. A file above `maxBytes` is a fault. A `maxBytes` that is not an integer of at least 0 is a `UsageError`.
   */
  read(
    path: string,
    options: { readonly signal: AbortSignal; readonly maxBytes: number },
  ): Promise<Uint8Array | undefined>;
  /**
   * Writes a whole file and creates its parent folders. The content is copied at the call. A signal that
   * aborts in the same turn prevents the write.
   */
  write(path: string, content: Uint8Array | string, options: { readonly signal: AbortSignal }): Promise<void>;
  /**
   * Stores the regular files and the folders of the work folder as they are now, without running programs.
   * Absent where the provider cannot.
   */
  snapshot?(options: { readonly signal: AbortSignal }): Promise<Snapshot>;
}

/**
 * Creates sandboxes of one kind. Disposing it ends what it keeps ready, such as pools and connections, and
 * all sandboxes that it opened.
 */
export interface SandboxProvider extends AsyncDisposable {
  /** The name in results, such as `docker`. */
  readonly name: string;
  /** What its sandboxes isolate on this machine. */
  readonly guarantees: Guarantees;
  /**
   * Why it cannot be used here and how to fix that; undefined where it can be used.
   *
   * @throws UsageError where it was disposed
   */
  unavailable(signal: AbortSignal): Promise<string | undefined>;
  /**
   * Opens a sandbox.
   *
   * @throws UsageError for each need that is not met, and for limits out of bounds
   * @throws FaultError where the sandbox cannot be created
   */
  open(options: OpenOptions): Promise<Sandbox>;
}

export interface OpenOptions {
  readonly limits: Limits;
  readonly needs: Partial<Guarantees>;
  readonly signal: AbortSignal;
  /**
   * The initial files. A snapshot of another provider, a disposed one, and a limit on files below its size
   * are a `UsageError`.
   */
  readonly from?: Snapshot;
}
