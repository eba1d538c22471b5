import { randomBytes } from 'node:crypto';
import { UsageError } from '../../envs/core/errors.ts';
import { abortable } from '../../envs/core/waiting.ts';
import { InterpreterConversation } from '../conversation/conversation.ts';
import { endingOf, type Ending } from '../exit-code.ts';
import { failed, noRoom } from '../faults.ts';
import type { Guarantees } from '../guarantees.ts';
import { innerPath } from '../inner-path.ts';
import { assertMaxBytes, narrow } from '../limits.ts';
import {
  afterDisposal,
  bytesOf,
  closedFolder,
  disposedMeanwhile,
  disposedSnapshot,
  missingFolder,
} from '../misuse.ts';
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
import type { Cell } from './cell.ts';
import type { Cells } from './cells.ts';
import { missingCode, wordsOf } from './command-words.ts';
import { pack, readFrom, writeTo } from './files.ts';
import { startInterpreter } from './interpreter.ts';
import { unlessStarved } from './memory-lack.ts';
import { meterOf } from './meter.ts';
import { endOf, startProgram, type Program } from './program.ts';
import { workFolderClosed } from './work-folder.ts';

export interface SandboxParts {
  readonly cells: Cells;
  readonly guarantees: Guarantees;
  readonly limits: Limits;
  readonly interpreters: Sandbox['interpreters'];
  readonly now: () => number;
  readonly onClose: () => void;
}

/** The files of a sandbox, stored in the memory of this process. */
export class DockerSnapshot implements Snapshot {
  readonly provider = 'docker';
  #archive: Uint8Array | undefined;

  /** @param archive a tar archive */
  constructor(archive: Uint8Array) {
    this.#archive = archive;
  }

  /**
   * The stored archive.
   *
   * @throws UsageError after disposal
   */
  archive(): Uint8Array {
    if (this.#archive !== undefined) return this.#archive;
    throw disposedSnapshot();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#archive = undefined;
    return Promise.resolve();
  }
}

export class DockerSandbox implements Sandbox {
  readonly guarantees: Guarantees;
  readonly interpreters: Sandbox['interpreters'];
  readonly #parts: SandboxParts;
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(parts: SandboxParts) {
    this.guarantees = parts.guarantees;
    this.interpreters = parts.interpreters;
    this.#parts = parts;
  }

  async exec(command: CommandLine, options: ExecOptions): Promise<ExecResult> {
    const signal = this.#begin('exec', options.signal);
    const limits = narrow(this.#parts.limits, options.limits ?? {});
    const folder = options.folder === undefined ? '' : innerPath(options.folder);
    const stdin = options.stdin === undefined ? undefined : bytesOf('sandbox.exec, stdin', options.stdin);
    const { words, noFolder } = wordsOf(command, { folder, env: options.env ?? {} });
    return this.#inCell(signal, async (cell) => {
      const ran = await this.#run(cell, words, {
        ...options,
        ...(stdin !== undefined && { stdin }),
        signal,
        limits,
      });
      if (ran.kind === 'exited' && ran.stderr.text === `${noFolder}\n`)
        throw noEntrance(options.folder, ran.code);
      return ran;
    });
  }

  async #run(
    cell: Cell,
    words: readonly string[],
    options: ExecOptions & { readonly limits: Limits },
  ): Promise<ExecResult> {
    const { limits, stdin, signal, onOutput } = options;
    await cell.setLimits(limits);
    const hadRoom = await cell.hasRoom();
    const meter = await meterOf(cell, limits);
    const start = this.#parts.now();
    const printing = new Printing(limits.outputBytes, onOutput);
    const program = await startProgram(cell, words, {
      stdin: stdin !== undefined,
      hear: (stream, bytes) => printing.take(stream, bytes),
    });
    try {
      if (stdin !== undefined) {
        program.write(stdin);
        program.closeStdin();
      }
      const stopped = await untilStopped(program.ended, { meter, limits, flooded: printing.flooded, signal });
      const ms = this.#parts.now() - start;
      const { isEmpty, ran } = await cell.empty();
      if (isEmpty) await program.drained();
      const stop =
        isWall(stopped) && cell.live ? await abortable(signal, truthOfWall(cell, { program, ran })) : stopped;
      // the container ended, not the program
      const endedWithCell = !isEmpty && !cell.live && stop.kind === 'ended';
      const isStarved = endedWithCell && (await unlessStarved<boolean>(cell, cell.gone, true));
      const ending = await endingAt(isStarved ? { kind: 'limit', by: 'memory' } : stop, {
        isFlooded: printing.truncated,
        tookLastRoom: async () => hadRoom && isEmpty && !(await cell.hasRoom()),
      });
      return { ...ending, ...printing.printed(), ms };
    } finally {
      program.release();
    }
  }

  async converse(language: Language, options: { readonly signal: AbortSignal }): Promise<Conversation> {
    const signal = this.#begin('converse', options.signal);
    const command = this.interpreters[language];
    if (command === undefined) {
      throw new UsageError({
        where: 'sandbox.converse',
        what: `the image has no interpreter for ${language}.`,
        fix: `Use one of ${Object.keys(this.interpreters).join(', ')}, or an image that has one.`,
      });
    }
    const { limits, now, cells } = this.#parts;
    const cell = await cells.takeForTalk(signal);
    const giveBack = (): Promise<void> => cells.giveBackFromTalk(cell);
    const interpreter = await startInterpreter({ language, command, limits }, { cell, giveBack }).catch(
      async (thrown: unknown) => {
        await giveBack();
        signal.throwIfAborted(); // an abort is the cause of the failure
        throw thrown;
      },
    );
    const conversation = new InterpreterConversation({
      interpreter,
      limits,
      now,
      closing: this.#closing.signal,
    });
    if (signal.aborted) await conversation[Symbol.asyncDispose]();
    signal.throwIfAborted();
    return conversation;
  }

  async read(
    path: string,
    options: { readonly signal: AbortSignal; readonly maxBytes: number },
  ): Promise<Uint8Array | undefined> {
    assertMaxBytes(options.maxBytes);
    const signal = this.#begin('read', options.signal);
    const plain = innerPath(path);
    return this.#inCell(signal, (cell) =>
      readFrom(cell, plain, { maxBytes: options.maxBytes, diskBytes: this.#parts.limits.diskBytes, signal }),
    );
  }

  async write(
    path: string,
    content: Uint8Array | string,
    options: { readonly signal: AbortSignal },
  ): Promise<void> {
    const bytes = bytesOf('sandbox.write, content', content);
    const signal = this.#begin('write', options.signal);
    const plain = innerPath(path);
    const { diskBytes } = this.#parts.limits;
    if (bytes.byteLength > diskBytes) throw noRoom(plain);
    await this.#inCell(signal, (cell) =>
      writeTo(cell, plain, { content: bytes, fresh: `.${randomBytes(8).toString('hex')}`, signal }),
    );
  }

  async snapshot(options: { readonly signal: AbortSignal }): Promise<Snapshot> {
    const signal = this.#begin('snapshot', options.signal);
    const { diskBytes } = this.#parts.limits;
    return new DockerSnapshot(await this.#inCell(signal, (cell) => pack(cell, { signal, diskBytes })));
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(disposedMeanwhile());
    try {
      await this.#parts.cells.end();
    } finally {
      this.#parts.onClose();
    }
  }

  /** Runs `use` in a cell of its own. Nothing is left in the cell when the call returns. */
  async #inCell<T>(signal: AbortSignal, use: (cell: Cell) => Promise<T>): Promise<T> {
    const cell = await this.#parts.cells.take(signal);
    try {
      signal.throwIfAborted(); // a caller that aborts in the same turn leaves nothing behind
      return await use(cell);
    } catch (thrown) {
      signal.throwIfAborted();
      throw thrown;
    } finally {
      await this.#parts.cells.giveBack(cell);
    }
  }

  /** A signal that aborts with the caller's signal and with the sandbox. */
  #begin(call: string, signal: AbortSignal): AbortSignal {
    if (this.#closing.signal.aborted) throw afterDisposal(call);
    signal.throwIfAborted();
    return AbortSignal.any([signal, this.#closing.signal]);
  }
}

/**
 * The error of a program that did not start.
 *
 * @param given the folder to run in, as the caller gave it
 */
function noEntrance(given: string | undefined, code: number): Error {
  if (given === undefined) return failed('exec', workFolderClosed);
  if (code === missingCode) return missingFolder(given);
  return closedFolder(given);
}

const isWall = (stop: Stop<number>): boolean => stop.kind === 'limit' && stop.by === 'wall';

/**
 * Finds out how a program really ended that seemed to hit the wall-clock limit. A daemon that reports an end
 * too late makes a program look as if it still ran.
 *
 * @throws FaultError where it cannot be known
 */
async function truthOfWall(
  cell: Cell,
  { program, ran }: { readonly program: Program; readonly ran: boolean | undefined },
): Promise<Stop<number>> {
  if (ran === undefined)
    throw failed(
      'exec',
      'whether its program ran until its limit on time cannot be told: the daemon does not answer',
    );
  return ran
    ? { kind: 'limit', by: 'wall' }
    : { kind: 'ended', value: await endOf(program, cell.plan.settings) };
}

async function endingAt(
  stop: Stop<number>,
  { isFlooded, tookLastRoom }: { readonly isFlooded: boolean; readonly tookLastRoom: () => Promise<boolean> },
): Promise<Ending> {
  if (stop.kind === 'limit') return { kind: 'killed', by: stop.by };
  if (isFlooded) return { kind: 'killed', by: 'output' };
  return stop.value !== 0 && (await tookLastRoom()) ? { kind: 'killed', by: 'disk' } : endingOf(stop.value);
}
