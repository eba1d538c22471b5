import type { FileHandle } from 'node:fs/promises';
import { writeFully } from '../../../engines/cache-file/replace-file.ts';

const blockBytes = 1 << 22;

/** Writes many small pieces to an open file, one after the other from its start, in large blocks. */
export class BlockWriter {
  readonly #handle: FileHandle;
  readonly #block = Buffer.allocUnsafe(blockBytes);
  #used = 0;
  #written = 0;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Bytes added so far. */
  get bytes(): number {
    return this.#written + this.#used;
  }

  /** Adds a copy of the piece. Returns a promise where the disk must be awaited before the next one. */
  add(piece: Uint8Array): Promise<void> | undefined {
    if (this.#used + piece.length > blockBytes) return this.#flush(piece);
    this.#block.set(piece, this.#used);
    this.#used += piece.length;
    return undefined;
  }

  /** Writes the rest. */
  finish(): Promise<void> {
    return this.#flush(new Uint8Array(0));
  }

  async #flush(more: Uint8Array): Promise<void> {
    await this.#write(this.#block.subarray(0, this.#used));
    this.#used = 0;
    await this.#write(more);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await writeFully(this.#handle, bytes, this.#written);
    this.#written += bytes.length;
  }
}
