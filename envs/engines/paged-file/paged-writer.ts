import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { writeFully } from '../cache-file/replace-file.ts';
import { packWords } from './bytes.ts';
import { checksumsPart, pageSize, preambleLength, type FileKind } from './layout.ts';

/** Bytes that are written at once: 64 pages. */
const chunkSize = 64 * pageSize;

interface Chunk {
  readonly offset: number;
  readonly bytes: Buffer; // (chunkSize)
}

/** What stands in the file beside its pages. */
export interface PagedContent {
  /** JSON. */
  readonly content: unknown;
  /** Parts that a reader has in memory. */
  readonly parts: Readonly<Record<string, Uint8Array>>;
}

/** Writes the pages of a file from the first to the last. Offsets are those of the file. */
export class PagedWriter {
  readonly #handle: FileHandle;
  #chunk: Chunk = { offset: pageSize, bytes: Buffer.alloc(chunkSize) };
  #used = 0;
  #full: Chunk[] = [];
  #checksums = new Uint32Array(1024); // (pages)
  #pages = 0;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** The offset of the next byte. */
  get position(): number {
    return this.#chunk.offset + this.#used;
  }

  /** Appends a copy of the bytes. They are in memory until {@link drain}. */
  append(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;) {
      if (this.#used === chunkSize) this.#closeChunk();
      const part = bytes.subarray(from, from + chunkSize - this.#used);
      this.#chunk.bytes.set(part, this.#used);
      this.#used += part.length;
      from += part.length;
    }
  }

  /** Writes what fills whole chunks to the disk. */
  async drain(): Promise<void> {
    for (let chunk = this.#full[0]; chunk !== undefined; chunk = this.#full[0]) {
      await writeFully(this.#handle, chunk.bytes, chunk.offset);
      this.#full.shift();
    }
  }

  /** Reads appended bytes again, without a wait. */
  readAgain(offset: number, length: number): Buffer {
    const into = Buffer.alloc(length);
    for (let done = 0; done < length;) {
      const at = offset + done;
      const chunk = [...this.#full, this.#chunk].find(
        ({ offset: start }) => start <= at && at < start + chunkSize,
      );
      if (chunk === undefined) {
        const most = Math.min(length - done, (this.#full[0] ?? this.#chunk).offset - at);
        const read = readSync(this.#handle.fd, into, done, most, at);
        if (read === 0) throw new RangeError(`the file ends before ${at}`);
        done += read;
      } else
        done += chunk.bytes.copy(
          into,
          done,
          at - chunk.offset,
          Math.min(chunkSize, at - chunk.offset + length - done),
        );
    }
    return into;
  }

  /** Writes the rest of the pages, the resident parts, the header and the preamble. */
  async finish({ magic, version }: FileKind, { content, parts }: PagedContent): Promise<void> {
    this.#chunk.bytes.fill(0, this.#used, this.#pageEnd());
    this.#addChecksums(this.#pageEnd());
    await this.drain();
    const pagesEnd = this.#chunk.offset + this.#pageEnd();
    await writeFully(this.#handle, this.#chunk.bytes.subarray(0, this.#pageEnd()), this.#chunk.offset);
    let end = pagesEnd;
    const rows: Record<string, { offset: number; length: number; checksum: number }> = {};
    const all = { ...parts, [checksumsPart]: packWords(this.#checksums.subarray(0, this.#pages)) };
    for (const [name, bytes] of Object.entries(all)) {
      await writeFully(this.#handle, bytes, end);
      rows[name] = { offset: end, length: bytes.length, checksum: crc32(bytes) };
      end += bytes.length;
    }
    const header = Buffer.from(JSON.stringify({ content, pagesEnd, parts: rows }));
    await writeFully(this.#handle, header, end);
    const preamble = Buffer.alloc(pageSize);
    preamble.write(magic, 'latin1');
    preamble.writeUInt32LE(version, 8);
    preamble.writeDoubleLE(end, 12);
    preamble.writeUInt32LE(header.length, 20);
    preamble.writeUInt32LE(crc32(header), 24);
    preamble.writeDoubleLE(end + header.length, 28);
    preamble.writeUInt32LE(crc32(preamble.subarray(0, preambleLength - 4)), preambleLength - 4);
    await writeFully(this.#handle, preamble, 0);
  }

  #pageEnd(): number {
    return Math.ceil(this.#used / pageSize) * pageSize;
  }

  #closeChunk(): void {
    this.#addChecksums(chunkSize);
    this.#full.push(this.#chunk);
    this.#chunk = { offset: this.#chunk.offset + chunkSize, bytes: Buffer.alloc(chunkSize) };
    this.#used = 0;
  }

  #addChecksums(end: number): void {
    for (let at = 0; at < end; at += pageSize) {
      if (this.#pages === this.#checksums.length) {
        const larger = new Uint32Array(2 * this.#pages);
        larger.set(this.#checksums);
        this.#checksums = larger;
      }
      this.#checksums[this.#pages] = crc32(this.#chunk.bytes.subarray(at, at + pageSize));
      this.#pages += 1;
    }
  }
}
