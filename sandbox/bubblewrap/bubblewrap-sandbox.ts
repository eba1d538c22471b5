import { statfsSync } from 'node:fs';
import { FaultError, UsageError } from '../../envs/core/errors.ts';
import type { Guarantees } from '../guarantees.ts';
import { innerPath } from '../inner-path.ts';
import { narrow } from '../limits.ts';
import type { CommandLine, Conversation, ExecOptions, ExecResult, Language, Limits, Sandbox, Snapshot } from '../sandbox.ts';
import type { Box, Owner } from './box.ts';
import { DriverConversation } from './conversation.ts';
import { driverWords } from './drivers.ts';
import { readInner, readTree, writeInner, writeTree, type Tree } from './inner-files.ts';
import { Capture } from './printed.ts';
import { endingOf } from './result.ts';
import { RunningProgram, type Surroundings } from './running-program.ts';
import { watch, type Killer } from './watch.ts';

export const providerName = 'bubblewrap';

/** The files of a sandbox, kept in this process's memory. */
export class TreeSnapshot implements Snapshot {
  readonly provider = providerName;
  #tree: Tree | undefined;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** @throws UsageError after it was disposed of */
  tree(): Tree {
    if (this.#tree !== undefined) return this.#tree;
    throw new UsageError({ where: 'sandbox snapshot', what: 'it was used after it had been disposed.', mend: 'Keep it while sandboxes are opened from it.' });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#tree = undefined;
    return Promise.resolve();
  }
}

export interface SandboxParts {
  readonly box: Box;
  readonly owner: Owner;
  readonly surroundings: Surroundings;
  readonly limits: Limits;
  readonly guarantees: Guarantees;
  readonly interpreters: Readonly<Partial<Record<Language, CommandLine>>>;
  /** Milliseconds. */
  readonly now: () => number;
  readonly onClose: (sandbox: Sandbox) => void;
}

export class BubblewrapSandbox implements Sandbox {
  readonly guarantees: Guarantees;
  readonly interpreters: Readonly<Partial<Record<Language, CommandLine>>>;
  readonly #parts: SandboxParts;
  readonly #work: string;
  /** Calls and conversations that go on: each ends its program. */
  readonly #running = new Set<() => Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(parts: SandboxParts) {
    this.#parts = parts;
    this.guarantees = parts.guarantees;
    this.interpreters = parts.interpreters;
    this.#work = `${parts.box.files}/work`;
  }

  async exec(command: CommandLine, options: ExecOptions): Promise<ExecResult> {
    this.#assertOpen('exec');
    options.signal.throwIfAborted();
    const limits = narrow(this.#parts.limits, options.limits ?? {});
    const begin = this.#parts.now();
    const program = await this.#begin(command, { options, limits, channels: 0 });
    const filesBefore = this.#filesBytes();
    const isNarrower = limits.diskBytes < this.#parts.limits.diskBytes;
    using watching = watch(limits, {
      usage: () => program.usage(),
      cpuMsBefore: 0,
      diskBytes: () => (isNarrower ? this.#filesBytes() - filesBefore : 0),
      kill: () => program.kill(),
      signal: options.signal,
    });
    if (options.signal.aborted) watching.kill('caller');
    const heard = new Listener(options, limits, watching.kill);
    program.stdout.on('data', (bytes: Buffer) => heard.take('stdout', bytes));
    program.stderr.on('data', (bytes: Buffer) => heard.take('stderr', bytes));
    const release = this.#hold(() => {
      watching.kill('disposal');
      return program.ended;
    });
    try {
      const ending = await program.ended;
      heard.assertWell();
      const how = endingOf(ending, { killer: watching.killer, limits, signal: options.signal, cpuMsBefore: 0 });
      return { ...how, ...heard.printed(), ms: this.#parts.now() - begin };
    } finally {
      release();
    }
  }

  async converse(language: Language, { signal }: { readonly signal: AbortSignal }): Promise<Conversation> {
    this.#assertOpen('converse');
    signal.throwIfAborted();
    const interpreter = this.interpreters[language];
    if (interpreter === undefined) {
      throw new UsageError({
        where: 'sandbox.converse',
        what: `${language} cannot be run here.`,
        mend: `Use one of ${Object.keys(this.interpreters).join(', ')}, or install an interpreter of ${language} below /usr.`,
      });
    }
    const { limits, now } = this.#parts;
    const program = await this.#begin(driverWords(language, interpreter), { options: { signal }, limits, channels: 2 });
    const conversation = new DriverConversation({ language, program, limits, now, filesBytes: () => this.#filesBytes() });
    const release = this.#hold(() => conversation[Symbol.asyncDispose]());
    void program.ended.then(release, release);
    if (this.#closing !== undefined) await conversation[Symbol.asyncDispose]();
    return conversation;
  }

  async read(path: string, { signal, maxBytes }: { readonly signal: AbortSignal; readonly maxBytes: number }): Promise<Uint8Array | undefined> {
    this.#assertOpen('read');
    signal.throwIfAborted();
    return readInner(this.#work, path, maxBytes);
  }

  async write(path: string, content: Uint8Array | string, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    this.#assertOpen('write');
    signal.throwIfAborted();
    return writeInner(this.#work, path, content, this.#parts.owner);
  }

  async snapshot({ signal }: { readonly signal: AbortSignal }): Promise<Snapshot> {
    this.#assertOpen('snapshot');
    signal.throwIfAborted();
    return new TreeSnapshot(await readTree(this.#work, this.#parts.limits.diskBytes));
  }

  /** Fills the work folder of a sandbox that has just been opened. */
  fill(tree: Tree): Promise<void> {
    return writeTree(this.#work, tree, this.#parts.owner);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.allSettled([...this.#running].map((end) => end()));
    await this.#parts.box[Symbol.asyncDispose]();
    this.#parts.onClose(this);
  }

  async #begin(
    command: CommandLine,
    call: { readonly options: Omit<ExecOptions, 'limits'>; readonly limits: Limits; readonly channels: number },
  ): Promise<RunningProgram> {
    const { box, surroundings } = this.#parts;
    const { stdin, env = {}, folder } = call.options;
    if (!box.live) throw new FaultError({ kind: 'sandbox-failed', stage: 'exec', message: 'the keeper of the files has ended', retryable: true });
    const start = { command, env, folder: folder === undefined ? '' : innerPath(folder), limits: call.limits, limitsCpu: call.channels === 0 };
    const input = (): number | undefined => (stdin === undefined || stdin.length === 0 ? undefined : box.input(stdin));
    const program = await RunningProgram.begin(box, start, { surroundings, input, channels: call.channels });
    if (this.#closing === undefined) return program;
    program.kill();
    await program.ended;
    throw new FaultError({ kind: 'sandbox-failed', stage: 'exec', message: 'the sandbox was disposed of meanwhile', retryable: false });
  }

  #hold(end: () => Promise<unknown>): () => void {
    this.#running.add(end);
    return () => void this.#running.delete(end);
  }

  /** Bytes that files take now. */
  #filesBytes(): number {
    const { blocks, bfree, bsize } = statfsSync(this.#parts.box.files);
    return (blocks - bfree) * bsize;
  }

  #assertOpen(call: string): void {
    if (this.#closing === undefined) return;
    throw new UsageError({ where: `sandbox.${call}`, what: 'it was called after the sandbox had been disposed.', mend: 'Open a new one.' });
  }
}

/** Hears both streams of one call. */
class Listener {
  readonly #captures: Readonly<Record<'stdout' | 'stderr', Capture>>;
  readonly #kill: (by: Killer) => void;
  #failure: { readonly thrown: unknown } | undefined;

  constructor(options: ExecOptions, limits: Limits, kill: (by: Killer) => void) {
    const capture = (stream: 'stdout' | 'stderr'): Capture => new Capture(limits.outputBytes, (bytes) => options.onOutput?.(stream, bytes));
    this.#captures = { stdout: capture('stdout'), stderr: capture('stderr') };
    this.#kill = kill;
  }

  take(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    try {
      if (!this.#captures[stream].take(bytes)) this.#kill('output');
    } catch (thrown) {
      this.#failure ??= { thrown }; // the caller's own listener failed: the call fails with it
      this.#kill('caller');
    }
  }

  assertWell(): void {
    if (this.#failure !== undefined) throw this.#failure.thrown;
  }

  printed(): Pick<ExecResult, 'stdout' | 'stderr'> {
    return { stdout: this.#captures.stdout.printed(), stderr: this.#captures.stderr.printed() };
  }
}
