import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { messageOf, RunError } from '../../../core/errors.ts';
import { LruCache } from '../../../kit/lru-cache.ts';
import type { Product } from '../product.ts';
import type { CatalogueTables } from './catalogue-tables.ts';
import { readRecord } from './product-record.ts';

/** The number of products that are kept decoded. Callers cache what they derive from them. */
const keptProducts = 1024;

/**
 * The records of a catalogue in one file. Each is read on demand, synchronously: a record is a few kilobytes,
 * which the system usually has in memory. Every record is checked against its checksum.
 */
export class ProductFile {
  readonly #path: string;
  readonly #tables: CatalogueTables;
  readonly #kept = new LruCache<number, Product>(keptProducts);
  #buffer = Buffer.allocUnsafe(1 << 16);
  #descriptor: number | undefined;

  /** @throws RangeError when the length of the file differs from the tables */
  constructor(path: string, tables: CatalogueTables) {
    this.#path = path;
    this.#tables = tables;
    this.#descriptor = openSync(path, 'r');
    const { size } = fstatSync(this.#descriptor);
    const length = tables.starts[tables.size];
    if (size === length) return;
    this.close();
    throw new RangeError(`it has ${size} bytes, not ${length}`);
  }

  /**
   * @throws RangeError for the number of no product
   * @throws RunError when the record cannot be read or is damaged
   */
  product(number: number): Product {
    if (!Number.isInteger(number) || number < 0 || number >= this.#tables.size)
      throw new RangeError(`there is no product ${number}`);
    return this.#kept.get(number, () => this.#read(number));
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#kept.clear();
  }

  #read(number: number): Product {
    const { starts, checksums } = this.#tables;
    const start = starts[number] as number;
    const bytes = this.#readBytes(start, (starts[number + 1] as number) - start, number);
    if (crc32(bytes) !== checksums[number]) throw this.#damaged(number, 'its checksum is wrong');
    try {
      return readRecord(bytes);
    } catch (thrown) {
      throw this.#damaged(number, messageOf(thrown), thrown);
    }
  }

  #readBytes(start: number, length: number, number: number): Buffer {
    if (this.#descriptor === undefined)
      throw new RunError({
        where: this.#path,
        what: 'the catalogue was closed.',
        fix: 'Read products only while the env is open.',
      });
    if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(2 * length);
    let done = 0;
    while (done < length) {
      const read = readSync(this.#descriptor, this.#buffer, done, length - done, start + done);
      if (read === 0) throw this.#damaged(number, 'the file ends before it');
      done += read;
    }
    return this.#buffer.subarray(0, length);
  }

  #damaged(number: number, why: string, cause?: unknown): RunError {
    return new RunError(
      {
        where: this.#path,
        what: `the stored product ${number} is damaged: ${why}.`,
        fix: 'Delete the folder of the file. The catalogue is then built again.',
      },
      { cause },
    );
  }
}
