import { open, stat, type FileHandle } from 'node:fs/promises';
import { codeOf, UsageError } from '../../../envs/core/errors.ts';
import {
  beginningOf,
  frameHeaderBytes,
  isTornHead,
  isTornMember,
  promisedBytes,
  readFrame,
  signature,
  unframe,
  type Frame,
} from './group-frame.ts';
import { damaged, type ReadLimits } from '../format/read-limits.ts';
import { unreadable } from './store-files.ts';

/** What begins at a byte of a file of groups: a group, the beginning of one whose writing was cut off, or neither. */
export type Found<T> =
  | ({ readonly kind: 'whole'; readonly bytes: number } & T)
  | { readonly kind: 'torn' }
  | Damaged;

interface Damaged {
  readonly kind: 'damaged';
  readonly error: UsageError;
}

type FoundText = Found<{ readonly text: Buffer }>;

/** Bytes of what may be a group that are unpacked first. */
const beginningBytes = 4_096;
/** Bytes that are looked through at once for the beginning of a group. */
const scanBytes = 2 ** 20;

/** A file of groups, read from any byte at which one begins. Errors name file and byte. */
export class GroupFile implements AsyncDisposable {
  readonly path: string;
  readonly size: number;
  readonly #handle: FileHandle;
  readonly #limits: ReadLimits;

  private constructor(path: string, size: number, handle: FileHandle, limits: ReadLimits) {
    this.path = path;
    this.size = size;
    this.#handle = handle;
    this.#limits = limits;
  }

  static async open(path: string, limits: ReadLimits): Promise<GroupFile> {
    const handle = await openFile(path).catch((thrown: unknown) => {
      throw cannotOpen(path, thrown);
    });
    try {
      return new GroupFile(path, (await handle.stat()).size, handle, limits);
    } catch (thrown) {
      await handle.close();
      throw thrown;
    }
  }

  /** The whole text of the group at `offset`. */
  read(offset: number): Promise<FoundText> {
    return orDamaged<FoundText>(async () => {
      const frame = await this.#frameAt(offset);
      if (frame === undefined) return { kind: 'torn' };
      const member = await this.#bytes(offset, Math.min(frame.memberBytes, this.size - offset));
      if (this.#isTorn(member, frame, offset)) return { kind: 'torn' };
      return {
        kind: 'whole',
        text: await unframe(member, frame, this.#placeOf(offset)),
        bytes: member.length,
      };
    });
  }

  /**
   * The first of the text of the group at `offset`: what its first `bytes` on the disk hold. Its length is believed where the file
   * ends or another group begins behind it; else it is read whole.
   */
  peek(offset: number, bytes: number): Promise<FoundText> {
    return orDamaged<FoundText>(async () => {
      const frame = await this.#frameAt(offset);
      if (frame === undefined) return { kind: 'torn' };
      if (!(await this.#isBoundary(offset + frame.memberBytes))) return this.read(offset);
      const first = await this.#bytes(offset, Math.min(bytes, frame.memberBytes));
      return {
        kind: 'whole',
        text: beginningOf(first, frame, this.#placeOf(offset)),
        bytes: frame.memberBytes,
      };
    });
  }

  /**
   * Where reading goes on behind damage at `offset`. Where the head still says how long the group is, it is the group's end; else it is the
   * next place at which a whole group is found, check sum and all, or the end of the file. Nothing within a group is taken for
   * one: the text of none holds the signature, being UTF-8, and what is compressed has it by chance once in 2^128 bytes.
   */
  async findNext(offset: number): Promise<number> {
    const end = await this.#promisedEnd(offset);
    if (end !== undefined) return end;
    for (let from = offset + 1; from < this.size; from += scanBytes) {
      const chunk = await this.#bytes(from, Math.min(scanBytes + signature.length - 1, this.size - from));
      for (let at = chunk.indexOf(signature); at >= 0; at = chunk.indexOf(signature, at + 1)) {
        if (await this.#isGroup(from + at)) return from + at;
      }
    }
    return this.size;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close();
  }

  /** Whether a whole group begins there. Most of what only looks so is told by its beginning, so that little is read of it. */
  async #isGroup(offset: number): Promise<boolean> {
    const head = await this.#bytes(offset, Math.min(frameHeaderBytes, this.size - offset));
    if ((promisedBytes(head) ?? Number.POSITIVE_INFINITY) > this.size - offset) return false;
    const beginning = await orDamaged(async () => {
      const frame = await this.#frameAt(offset);
      if (frame === undefined) return undefined;
      return beginningOf(
        await this.#bytes(offset, Math.min(beginningBytes, frame.memberBytes)),
        frame,
        this.#placeOf(offset),
      );
    });
    return Buffer.isBuffer(beginning) && beginning.length > 0 && (await this.read(offset)).kind === 'whole';
  }

  /** The end of the group at `offset` by the length in its head, where there is an end. */
  async #promisedEnd(offset: number): Promise<number | undefined> {
    const head = await this.#bytes(offset, Math.min(frameHeaderBytes, this.size - offset));
    const end = offset + (promisedBytes(head) ?? 0);
    return end > offset && (await this.#isBoundary(end)) ? end : undefined;
  }

  /** Whether the file ends at `offset`, or a group begins there by its signature. */
  async #isBoundary(offset: number): Promise<boolean> {
    const left = this.size - offset;
    if (left <= 0) return left === 0;
    const known = Math.min(left, signature.length);
    return (await this.#bytes(offset, known)).equals(signature.subarray(0, known));
  }

  /** Undefined where the file ends within the head. */
  async #frameAt(offset: number): Promise<Frame | undefined> {
    const where = this.#placeOf(offset);
    const head = await this.#bytes(offset, Math.min(frameHeaderBytes, this.size - offset));
    if (isTornHead(head)) return undefined;
    if (head.length < frameHeaderBytes) throw damaged(where, 'no group begins here');
    return readFrame(head, where, this.#limits);
  }

  #isTorn(member: Buffer, frame: Frame, offset: number): boolean {
    if (member.length === frame.memberBytes) return false;
    if (isTornMember(member, frame)) return true;
    throw damaged(
      this.#placeOf(offset),
      `the group should have ${frame.memberBytes} bytes, and the ${member.length} that are left are no beginning of it`,
    );
  }

  async #bytes(offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#handle
        .read(buffer, filled, length - filled, offset + filled)
        .catch((thrown: unknown) => {
          throw unreadable(this.path, thrown);
        });
      if (bytesRead === 0)
        throw damaged(this.#placeOf(offset + filled), 'the file became shorter while it was read');
      filled += bytesRead;
    }
    return buffer;
  }

  #placeOf(offset: number): string {
    return `${this.path}, byte ${offset}`;
  }
}

function cannotOpen(path: string, thrown: unknown): Error {
  if (codeOf(thrown) !== 'ENOENT') return unreadable(path, thrown);
  const fix = 'Name a file that a run wrote to its folder `trajectories`.';
  return new UsageError({ where: path, what: 'there is no such file.', fix }, { cause: thrown });
}

/** Opens a plain file alone: opening a pipe would wait for who writes to it. */
async function openFile(path: string): Promise<FileHandle> {
  if (!(await stat(path)).isFile()) throw unreadable(path, new Error('it is no file'));
  return open(path, 'r');
}

/** What is found by `look`; bytes that are not as they were written are a finding, too. */
async function orDamaged<T>(look: () => Promise<T>): Promise<T | Damaged> {
  try {
    return await look();
  } catch (error) {
    if (!UsageError.is(error)) throw error;
    return { kind: 'damaged', error };
  }
}
