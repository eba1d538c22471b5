import { statfsSync } from 'node:fs';
import { UsageError } from '../../envs/core/errors.ts';
import { InterpreterConversation } from '../conversation/conversation.ts';
import { talkerOf } from '../conversation/interpreters.ts';
import type { Ending } from '../exit-code.ts';
import { failed } from '../faults.ts';
import type { Guarantees } from '../guarantees.ts';
import { innerPath } from '../inner-path.ts';
import { assertMaxBytes, narrow } from '../limits.ts';
import { afterDisposal, bytesOf, disposedMeanwhile, disposedSnapshot, missingFolder } from '../misuse.ts';
import { Printing } from '../printing.ts';
import type {
  CommandLine,
  Conversation,
  ExecOptions,
  ExecResult,
  Language,
  Limits,
  Sandbox,
  Snapshot,
} from '../sandbox.ts';
import { untilStopped, type Stop } from '../until-stopped.ts';
import type { Box } from './box.ts';
import { endingOfProgram } from './ending.ts';
import {
  hasInnerFolder,
  keepOpen,
  readInner,
  readTree,
  writeInner,
  writeTree,
  type Tree,
} from './inner-files.ts';
import { interpreterIn } from './interpreter.ts';
import { meterOf } from './meter.ts';
import type { Owner } from './owner.ts';
import { RunningProgram, type LastSeen, type Surroundings } from './running-program.ts';

export const providerName = 'bubblewrap';

/** The files of a sandbox, stored in this process's memory. */
export class TreeSnapshot implements Snapshot {
  readonly provider = providerName;
  #tree: Tree | undefined;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /**
   * The stored files.
   *
   * @throws UsageError after disposal
   */
  tree(): Tree {
    if (this.#tree !== undefined) return this.#tree;
    throw disposedSnapshot();
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

/** A program to start. */
interface Begun {
  readonly options: Omit<ExecOptions, 'limits'>;
  readonly limits: Limits;
  readonly isTalkedTo: boolean;
}

export class BubblewrapSandbox implements Sandbox {
  readonly guarantees: Guarantees;
  readonly interpreters: Readonly<Partial<Record<Language, CommandLine>>>;
  readonly #parts: SandboxParts;
  readonly #work: string;
  readonly #running = new Set<RunningProgram>();
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(parts: SandboxParts) {
    this.#parts = parts;
    this.guarantees = parts.guarantees;
    this.interpreters = parts.interpreters;
    this.#work = `${parts.box.files}/work`;
  }

  async exec(command: CommandLine, options: ExecOptions): Promise<ExecResult> {
    this.#assertOpen('exec');
    options.signal.throwIfAborted();
    const { now, limits: most } = this.#parts;
    const limits = narrow(most, options.limits ?? {});
    const stdin = bytesOf('sandbox.exec, stdin', options.stdin ?? '');
    this.#assertLive('exec');
    const start = now();
    const isFull = this.#fullness(limits);
    const program = await this.#begin(command, { options: { ...options, stdin }, limits, isTalkedTo: false });
    const meter = meterOf(program, limits, this.#filesMeter(limits));
    const printing = new Printing(limits.outputBytes, options.onOutput);
    for (const stream of ['stdout', 'stderr'] as const)
      program[stream].on('data', (bytes: Buffer) => printing.take(stream, bytes));
    const signal = AbortSignal.any([options.signal, this.#closing.signal]);
    let stop: Stop<LastSeen>;
    try {
      stop = await untilStopped(program.ended, { meter, limits, flooded: printing.flooded, signal });
    } finally {
      await program.end();
    }
    const ending: Ending =
      stop.kind === 'limit'
        ? { kind: 'killed', by: stop.by }
        : endingOfProgram(stop.value, { cpuMs: limits.cpuMs, isFull });
    return { ...ending, ...printing.printed(), ms: now() - start };
  }

  async converse(language: Language, { signal }: { readonly signal: AbortSignal }): Promise<Conversation> {
    this.#assertOpen('converse');
    signal.throwIfAborted();
    const command = this.interpreters[language];
    if (command === undefined) {
      throw new UsageError({
        where: 'sandbox.converse',
        what: `${language} cannot be run here.`,
        fix: `Use one of ${Object.keys(this.interpreters).join(', ')}, or install an interpreter of ${language} below /usr.`,
      });
    }
    const { limits, now } = this.#parts;
    const program = await this.#begin(talkerOf(language, command), {
      options: { signal },
      limits,
      isTalkedTo: true,
    });
    const interpreter = interpreterIn(program, {
      filesMeter: (narrower) => this.#filesMeter(narrower),
      fullness: (narrower) => this.#fullness(narrower),
    });
    return new InterpreterConversation({ interpreter, limits, now, closing: this.#closing.signal });
  }

  async read(
    path: string,
    { signal, maxBytes }: { readonly signal: AbortSignal; readonly maxBytes: number },
  ): Promise<Uint8Array | undefined> {
    assertMaxBytes(maxBytes);
    return this.#onFiles('read', signal, () => readInner(this.#work, path, maxBytes));
  }

  async write(
    path: string,
    content: Uint8Array | string,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<void> {
    const bytes = bytesOf('sandbox.write, content', content);
    return this.#onFiles('write', signal, () => writeInner(this.#work, path, bytes, this.#parts.owner));
  }

  async snapshot({ signal }: { readonly signal: AbortSignal }): Promise<Snapshot> {
    return this.#onFiles(
      'snapshot',
      signal,
      async (either) =>
        new TreeSnapshot(
          await readTree(this.#work, { maxBytes: this.#parts.limits.diskBytes, signal: either }),
        ),
    );
  }

  /** Fills the work folder of a sandbox that has just been opened. */
  fill(tree: Tree, signal: AbortSignal): Promise<void> {
    return writeTree(this.#work, tree, { owner: this.#parts.owner, signal });
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(disposedMeanwhile());
    await Promise.all([...this.#running].map((program) => program.end()));
    await this.#parts.box[Symbol.asyncDispose]();
    this.#parts.onClose(this);
  }

  /**
   * Works on the files, unless the caller or the sandbox has ended.
   *
   * @param work receives a signal that aborts when one of them ends
   */
  async #onFiles<T>(
    call: string,
    signal: AbortSignal,
    work: (either: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.#assertOpen(call);
    signal.throwIfAborted();
    const either = AbortSignal.any([signal, this.#closing.signal]);
    try {
      this.#assertLive('file');
      await keepOpen(this.#work);
      either.throwIfAborted();
      return await work(either);
    } catch (thrown) {
      either.throwIfAborted(); // an abort is the cause of the failure
      throw thrown;
    }
  }

  async #begin(command: CommandLine, call: Begun): Promise<RunningProgram> {
    const either = AbortSignal.any([call.options.signal, this.#closing.signal]);
    const program = await this.#start(command, call).catch((thrown: unknown) => {
      either.throwIfAborted(); // an abort is the cause of the failure
      throw thrown;
    });
    if (either.aborted) await program.end();
    either.throwIfAborted();
    return program;
  }

  async #start(command: CommandLine, call: Begun): Promise<RunningProgram> {
    const { box, surroundings } = this.#parts;
    const { stdin = '', env = {}, folder } = call.options;
    this.#assertLive('exec');
    await keepOpen(this.#work);
    if (folder !== undefined && !(await hasInnerFolder(this.#work, innerPath(folder))))
      throw missingFolder(folder);
    const start = {
      command,
      env,
      folder: folder === undefined ? '' : innerPath(folder),
      limits: call.limits,
      limitsCpu: !call.isTalkedTo,
    };
    const input = (): number | 'pipe' | 'ignore' =>
      call.isTalkedTo ? 'pipe' : stdin.length === 0 ? 'ignore' : box.input(stdin);
    const program = await RunningProgram.begin(box, start, { surroundings, input });
    this.#running.add(program);
    const forget = (): void => void this.#running.delete(program);
    program.ended.then(forget, forget);
    return program;
  }

  /**
   * Measures the bytes of files, for limits below the sandbox's. The kernel enforces the sandbox's own limit.
   */
  #filesMeter(limits: Limits): (() => number) | undefined {
    if (limits.diskBytes >= this.#parts.limits.diskBytes) return undefined;
    return () => this.#filesBytes();
  }

  #filesBytes(): number {
    const { blocks, bfree, bsize } = statfsSync(this.#parts.box.files);
    return (blocks - bfree) * bsize;
  }

  /**
   * Returns a test: whether, since this call, files have used the last space, or all that these limits allow.
   */
  #fullness(limits: Limits): () => boolean {
    const before = this.#filesBytes();
    const hadRoom = this.#hasRoom();
    return () => (hadRoom && !this.#hasRoom()) || this.#filesBytes() - before >= limits.diskBytes;
  }

  /** Whether there is room for another file. */
  #hasRoom(): boolean {
    const { bfree, ffree } = statfsSync(this.#parts.box.files);
    return bfree > 0 && ffree > 0;
  }

  /** Without the keeper the files are lost. That is a failure, not a missing file. */
  #assertLive(stage: 'exec' | 'file'): void {
    if (!this.#parts.box.live)
      throw failed(stage, 'the keeper of its files has ended, and they are gone with it');
  }

  #assertOpen(call: string): void {
    if (this.#closing.signal.aborted) throw afterDisposal(call);
  }
}
