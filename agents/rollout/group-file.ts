import { open, type FileHandle } from 'node:fs/promises';
import { codeOf, UsageError } from '../../envs/core/errors.ts';
import { beginningOf, frameHeaderBytes, isTornHead, isTornMember, readFrame, unframe, type Frame } from './group-frame.ts';
import { damaged, type ReadLimits } from './read-limits.ts';
import { unreadable } from './store-files.ts';

/** What begins at a byte of a file of groups: a group, or the beginning of one whose writing was cut off. */
type Found<T> = ({ readonly kind: 'whole'; readonly bytes: number } & T) | { readonly kind: 'torn' };

/** A file of groups, read from any byte at which one begins. Damage is a `UsageError` that names file and byte. */
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
    const handle = await open(path, 'r').catch((thrown: unknown) => {
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
  async read(offset: number): Promise<Found<{ readonly text: Buffer }>> {
    const frame = await this.#frameAt(offset);
    if (frame === undefined) return { kind: 'torn' };
    const member = await this.#bytes(offset, Math.min(frame.memberBytes, this.size - offset));
    if (this.#isTorn(member, frame, offset)) return { kind: 'torn' };
    return { kind: 'whole', text: await unframe(member, frame, this.#placeOf(offset)), bytes: member.length };
  }

  /** The first of the text of the group at `offset`: what its first `bytes` on the disk hold. */
  async peek(offset: number, bytes: number): Promise<Found<{ readonly text: Buffer }>> {
    const frame = await this.#frameAt(offset);
    if (frame === undefined) return { kind: 'torn' };
    const left = this.size - offset;
    if (left < frame.memberBytes) {
      if (this.#isTorn(await this.#bytes(offset, left), frame, offset)) return { kind: 'torn' };
    }
    const first = await this.#bytes(offset, Math.min(bytes, frame.memberBytes));
    return { kind: 'whole', text: beginningOf(first, frame, this.#placeOf(offset)), bytes: frame.memberBytes };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close();
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
    throw damaged(this.#placeOf(offset), `the group should have ${frame.memberBytes} bytes, and the ${member.length} that are left are no beginning of it`);
  }

  async #bytes(offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.alloc(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#handle.read(buffer, filled, length - filled, offset + filled).catch((thrown: unknown) => {
        throw unreadable(this.path, thrown);
      });
      if (bytesRead === 0) throw damaged(this.#placeOf(offset + filled), 'the file became shorter while it was read');
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
  const mend = 'Name a file that a run wrote to its folder `trajectories`.';
  return new UsageError({ where: path, what: 'there is no such file.', mend }, { cause: thrown });
}
