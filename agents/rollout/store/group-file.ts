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

/** What was found at a byte offset of a group file: a group, a truncated group, or neither. */
export type Found<T> =
  | ({ readonly kind: 'whole'; readonly bytes: number } & T)
  | { readonly kind: 'torn' }
  | Damaged;

interface Damaged {
  readonly kind: 'damaged';
  readonly error: UsageError;
}

type FoundText = Found<{ readonly text: Buffer }>;

/** Bytes of a possible group that are decompressed first. */
const beginningBytes = 4_096;
/** Bytes to scan at once for the beginning of a group. */
const scanBytes = 2 ** 20;

/** A file of groups that can be read from any group boundary. Errors name file and byte. */
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
   * The beginning of the text of the group at `offset`: what its first `bytes` on disk contain. The length in
   * its header is trusted if the file ends or another group begins after it. Otherwise the group is read
   * whole.
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
   * Where reading can continue after damage at `offset`.
   *
   * If the header still gives the group's length, that is the end of the group. Otherwise it is the next
   * offset at which a whole group with a valid checksum is found, or the end of the file. Content of a group
   * cannot be mistaken for one: its text is UTF-8 and cannot contain the signature, and compressed bytes
   * contain it by chance once in 2^128 bytes.
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

  /**
   * Whether a whole group begins there. Most false candidates are rejected by their first bytes, so little is
   * read.
   */
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

  /** The end of the group at `offset` by the length in its header, if that is readable. */
  async #promisedEnd(offset: number): Promise<number | undefined> {
    const head = await this.#bytes(offset, Math.min(frameHeaderBytes, this.size - offset));
    const end = offset + (promisedBytes(head) ?? 0);
    return end > offset && (await this.#isBoundary(end)) ? end : undefined;
  }

  /** Whether the file ends at `offset`, or a group signature is there. */
  async #isBoundary(offset: number): Promise<boolean> {
    const left = this.size - offset;
    if (left <= 0) return left === 0;
    const known = Math.min(left, signature.length);
    return (await this.#bytes(offset, known)).equals(signature.subarray(0, known));
  }

  /** Undefined if the file ends within the header. */
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
      `the group should have ${frame.memberBytes} bytes, and the remaining ${member.length} are not a valid beginning of it`,
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
  const fix = 'Name a file in the folder `trajectories` of a run.';
  return new UsageError({ where: path, what: 'the file does not exist.', fix }, { cause: thrown });
}

/** Opens regular files only: opening a pipe would wait for a writer. */
async function openFile(path: string): Promise<FileHandle> {
  if (!(await stat(path)).isFile()) throw unreadable(path, new Error('it is not a regular file'));
  return open(path, 'r');
}

/** The result of `look`, or the damage that it found. */
async function orDamaged<T>(look: () => Promise<T>): Promise<T | Damaged> {
  try {
    return await look();
  } catch (error) {
    if (!UsageError.is(error)) throw error;
    return { kind: 'damaged', error };
  }
}
