import { open, type FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { codeOf } from '../../../core/errors.ts';
import { assertCacheFile } from '../../cache-file/read-file.ts';
import { writeFully } from '../../cache-file/replace-file.ts';
import { mostDimensions } from './unit-vector.ts';
import { VectorTable } from './vector-table.ts';

/*
 * A file of vectors:
 *
 *   bytes 0 to 7      magic
 *   8 to 11           version of the format
 *   12 to 15          the number 0x01020304
 *   16 to 19          dimensions D
 *   20 to 23          zero
 *   24 to 31          vectors N; -1 while the file is written
 *   32 to 63          SHA-256 of what the vectors depend on
 *   from 64           chunks of 256 vectors, the last one shorter: D numbers of 4 bytes each, then CRC-32
 *
 * Numbers are in the byte order of the machine. A file that is not complete goes on after its last whole chunk.
 */

const magic = 'CAIRNVEC';
const vectorVersion = 1;
const orderMark = 0x01020304;
const headerLength = 64;
const chunkRows = 256;

/** Appends vectors to a file. */
export class VectorWriter {
  readonly #handle: FileHandle;
  #key: Uint8Array;
  readonly #dimensions: number;
  #chunk: Float32Array;
  #inChunk = 0;
  #position: number;
  #rows: number;

  /**
   * @param key 32 bytes
   * @param rows vectors that the file has: a multiple of 256
   */
  constructor(
    handle: FileHandle,
    of: { readonly key: Uint8Array; readonly dimensions: number; readonly rows: number },
  ) {
    this.#handle = handle;
    this.#key = of.key;
    this.#dimensions = of.dimensions;
    this.#chunk = new Float32Array(chunkRows * of.dimensions);
    this.#rows = of.rows;
    this.#position = headerLength + (of.rows / chunkRows) * (this.#chunk.byteLength + 4);
  }

  async append(vectors: readonly Float32Array[]): Promise<void> {
    if (this.#rows === 0 && this.#inChunk === 0) await this.#writeHeader(-1);
    for (const vector of vectors) {
      this.#chunk.set(vector, this.#inChunk * this.#dimensions);
      this.#inChunk += 1;
      if (this.#inChunk === chunkRows) await this.#flush();
    }
  }

  /**
   * Writes the last chunk and the number of vectors.
   *
   * @param key where it was not known before
   */
  async finish(key: Uint8Array = this.#key): Promise<void> {
    this.#key = key;
    await this.#flush();
    await this.#handle.truncate(this.#position);
    await this.#writeHeader(this.#rows);
  }

  async #flush(): Promise<void> {
    if (this.#inChunk === 0) return;
    const bytes = new Uint8Array(this.#chunk.buffer, 0, this.#inChunk * this.#dimensions * 4);
    const checksum = new Uint8Array(Uint32Array.of(crc32(bytes)).buffer);
    await writeFully(this.#handle, Buffer.concat([bytes, checksum]), this.#position);
    this.#position += bytes.length + 4;
    this.#rows += this.#inChunk;
    this.#inChunk = 0;
  }

  async #writeHeader(rows: number): Promise<void> {
    const header = new Uint8Array(headerLength);
    header.set(Buffer.from(magic, 'latin1'));
    new Uint32Array(header.buffer, 8, 4).set([vectorVersion, orderMark, this.#dimensions, 0]);
    new Float64Array(header.buffer, 24, 1).set([rows]);
    header.set(this.#key, 32);
    await writeFully(this.#handle, header, 0);
  }
}

/** Vectors of a file, complete or not. */
export interface ReadVectors {
  readonly table: VectorTable;
  readonly isComplete: boolean;
}

/**
 * Reads a file of vectors. A complete one has all its chunks; of another, the whole chunks at its beginning count.
 *
 * @returns the vectors, or why the file cannot be used
 */
export async function readVectorFile(
  file: string,
  key: Uint8Array,
  signal: AbortSignal,
): Promise<ReadVectors | 'missing' | { readonly why: string }> {
  try {
    await assertCacheFile(file);
    await using handle = await open(file, 'r');
    return await readVectors(handle, key, signal);
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return 'missing';
    throw thrown;
  }
}

async function readVectors(
  handle: FileHandle,
  key: Uint8Array,
  signal: AbortSignal,
): Promise<ReadVectors | { readonly why: string }> {
  const header = new Uint8Array(headerLength);
  if (!(await readFully(handle, header, 0))) return { why: 'its vectors have no header' };
  const [version, mark, dimensions = 0] = new Uint32Array(header.buffer, 8, 4);
  const [rows = -1] = new Float64Array(header.buffer, 24, 1);
  if (Buffer.from(header.subarray(0, 8)).toString('latin1') !== magic)
    return { why: 'its vectors are another file' };
  if (version !== vectorVersion || mark !== orderMark)
    return { why: 'another version of this software wrote its vectors' };
  if (Buffer.compare(header.subarray(32), key) !== 0) return { why: 'its vectors are of other documents' };
  if (dimensions < 1 || dimensions > mostDimensions) return { why: 'its vectors are damaged' };
  const isComplete = rows >= 0;
  const table = new VectorTable(dimensions);
  const chunk = new Uint8Array(chunkRows * dimensions * 4 + 4);
  for (let position = headerLength; !isComplete || table.size < rows;) {
    signal.throwIfAborted();
    const count = isComplete ? Math.min(chunkRows, rows - table.size) : chunkRows;
    const part = chunk.subarray(0, count * dimensions * 4 + 4);
    const isWhole = (await readFully(handle, part, position)) && hasChecksum(part);
    if (!isWhole && isComplete) return { why: 'its vectors are damaged or cut off' };
    if (!isWhole) break;
    table.add(new Float32Array(chunk.buffer, 0, count * dimensions));
    position += part.length;
  }
  return { table, isComplete };
}

function hasChecksum(part: Uint8Array): boolean {
  const end = part.length - 4;
  const [stored] = new Uint32Array(part.slice(end).buffer);
  return crc32(part.subarray(0, end)) === stored;
}

/** Fills `into`; false where the file ends before. */
async function readFully(handle: FileHandle, into: Uint8Array, position: number): Promise<boolean> {
  for (let done = 0; done < into.length;) {
    const { bytesRead } = await handle.read(into, done, into.length - done, position + done);
    if (bytesRead === 0) return false;
    done += bytesRead;
  }
  return true;
}
