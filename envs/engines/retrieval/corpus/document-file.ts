import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { RunError } from '../../../core/errors.ts';
import type { StoredDocument } from '../document.ts';
import { idAt, type DocumentTables } from './document-tables.ts';

/**
 * The contents of documents in one file, in UTF-8, one after the other. Each is read on demand, synchronously: it is
 * a few hundred bytes, which the system usually has in memory. Each is checked against its checksum.
 */
export class DocumentFile {
  readonly #path: string;
  readonly #tables: DocumentTables;
  #buffer = Buffer.allocUnsafe(1 << 16);
  #descriptor: number | undefined;

  /** @throws RangeError when the length of the file differs from the tables */
  constructor(path: string, tables: DocumentTables) {
    this.#path = path;
    this.#tables = tables;
    this.#descriptor = openSync(path, 'r');
    const { size } = fstatSync(this.#descriptor);
    const length = tables.starts.at(-1);
    if (size === length) return;
    this.close();
    throw new RangeError(`it has ${size} bytes, not ${length}`);
  }

  /** @throws RunError when the document cannot be read or is damaged */
  read(number: number): StoredDocument {
    const { starts, checksums } = this.#tables;
    const start = starts[number] as number;
    const bytes = this.#readBytes(start, (starts[number + 1] as number) - start);
    if (bytes === undefined || crc32(bytes) !== checksums[number]) throw this.#damaged(number);
    return { id: idAt(this.#tables, number), contents: bytes.toString() };
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #readBytes(start: number, length: number): Buffer | undefined {
    if (this.#descriptor === undefined)
      throw new RunError({
        where: this.#path,
        what: 'the corpus was closed.',
        fix: 'Search only while it is open.',
      });
    if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(2 * length);
    for (let done = 0; done < length;) {
      const read = readSync(this.#descriptor, this.#buffer, done, length - done, start + done);
      if (read === 0) return undefined;
      done += read;
    }
    return this.#buffer.subarray(0, length);
  }

  #damaged(number: number): RunError {
    return new RunError({
      where: this.#path,
      what: `the stored document ${number} is damaged.`,
      fix: 'Delete the folder of the file. It is then built again from the corpus.',
    });
  }
}
