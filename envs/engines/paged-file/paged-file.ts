import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { describeIssues } from '../../core/issues.ts';
import { codeOf, messageOf, RunError, UsageError } from '../../core/errors.ts';
import { describeReadError } from '../../core/user-file.ts';
import { unpackWords } from './bytes.ts';
import {
  checksumsPart,
  headerSchema,
  longestHeader,
  pageSize,
  preambleLength,
  type FileKind,
} from './layout.ts';
import { PageCache } from './page-cache.ts';

/** Memory of the pages of a file, unless given: 256 MiB. */
export const usualCacheBytes = 2 ** 28;

/**
 * A file whose pages are read on demand, without a wait. Memory holds the resident parts and at most `cacheBytes` of pages. Each
 * page is checked against its checksum when it is read. Any number of processes can read a file at once.
 */
export class PagedFile {
  readonly path: string;
  readonly #kind: FileKind;
  readonly #cache: PageCache;
  readonly #parts: ReadonlyMap<string, Buffer>;
  readonly #checksums: Uint32Array; // (pages)
  #descriptor: number | undefined;
  #scratch = Buffer.alloc(pageSize);
  /** What the owner of the file wrote into its header; not validated. */
  readonly content: unknown;
  /** The bytes of the last {@link read}, valid until the next one. */
  bytes: Buffer = Buffer.alloc(0);

  /**
   * Opens a file.
   *
   * @throws UsageError where there is no such file, or it is of another kind or version
   * @throws RunError where it is cut off or damaged
   */
  constructor(path: string, kind: FileKind, cacheBytes = usualCacheBytes) {
    this.path = path;
    this.#kind = kind;
    this.#cache = new PageCache(Math.max(8, Math.floor(cacheBytes / pageSize)));
    this.#descriptor = openFile(path);
    try {
      const { header, parts } = this.#readHeader(fstatSync(this.#descriptor).size);
      this.content = header.content;
      this.#parts = parts;
      this.#checksums = unpackWords(this.part(checksumsPart));
      if (this.#checksums.length * pageSize !== header.pagesEnd - pageSize)
        throw this.damaged('its checksums are not those of its pages');
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  /** A resident part. */
  part(name: string): Buffer {
    const part = this.#parts.get(name);
    if (part === undefined) throw this.damaged(`its part ${name} is missing`);
    return part;
  }

  /**
   * Reads bytes of the pages. Returns where they stand in {@link bytes}.
   *
   * @throws RunError where the disk fails, or a page is damaged
   */
  read(offset: number, length: number): number {
    const at = offset % pageSize;
    const first = (offset - at) / pageSize;
    if (at + length <= pageSize) {
      this.bytes = this.#page(first);
      return at;
    }
    if (length > this.#scratch.length) this.#scratch = Buffer.allocUnsafe(2 * length);
    let done = 0;
    for (let page = first; done < length; page += 1) {
      const from = page === first ? at : 0;
      done += this.#page(page).copy(this.#scratch, done, from, Math.min(pageSize, from + length - done));
    }
    this.bytes = this.#scratch;
    return 0;
  }

  /** A second call does nothing. */
  close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** The error for a file whose content is wrong. */
  damaged(what: string): RunError {
    const { name, fix } = this.#kind;
    return new RunError({ where: this.path, what: `the ${name} is damaged: ${what}.`, fix });
  }

  #page(number: number): Buffer {
    if (this.#descriptor === undefined) throw this.#closed();
    const kept = this.#cache.find(number);
    if (kept !== undefined) return kept;
    if (number < 1 || number > this.#checksums.length)
      throw this.damaged(`it refers to page ${number} of ${this.#checksums.length}`);
    const page = this.#cache.room();
    this.#readFully(page, number * pageSize);
    if (crc32(page) !== this.#checksums[number - 1])
      throw this.damaged(`page ${number} does not match its checksum`);
    this.#cache.keep(number);
    return page;
  }

  #readFully(into: Buffer, offset: number): void {
    if (this.#descriptor === undefined) throw this.#closed();
    for (let done = 0; done < into.length;) {
      let read: number;
      try {
        read = readSync(this.#descriptor, into, done, into.length - done, offset + done);
      } catch (thrown) {
        throw new RunError(
          {
            where: this.path,
            what: `it could not be read: ${messageOf(thrown)}.`,
            fix: 'Check the disk, then open the file again.',
          },
          { cause: thrown },
        );
      }
      if (read === 0) throw this.damaged(`it ends after ${offset + done} bytes`);
      done += read;
    }
  }

  #closed(): RunError {
    const { name } = this.#kind;
    return new RunError({
      where: this.path,
      what: `the ${name} was closed.`,
      fix: 'Search only while it is open.',
    });
  }

  #readHeader(size: number) {
    const { magic, version, name, fix } = this.#kind;
    const preamble = Buffer.alloc(Math.min(size, preambleLength));
    this.#readFully(preamble, 0);
    const start = Buffer.from(magic, 'latin1').subarray(0, preamble.length);
    if (preamble.length === 0 || !preamble.subarray(0, magic.length).equals(start))
      throw new UsageError({ where: this.path, what: `it is no ${name}.`, fix: `Name another file. ${fix}` });
    if (preamble.length < preambleLength) throw this.damaged(`it ends after ${size} bytes`);
    const found = preamble.readUInt32LE(8);
    if (found !== version)
      throw new UsageError({
        where: this.path,
        what: `the ${name} has the format ${found}, and this version of the package reads format ${version}.`,
        fix,
      });
    if (crc32(preamble.subarray(0, preambleLength - 4)) !== preamble.readUInt32LE(preambleLength - 4))
      throw this.damaged('its first page does not match its checksum');
    const fileLength = preamble.readDoubleLE(28);
    if (fileLength !== size)
      throw this.damaged(
        size < fileLength
          ? `it is cut off after ${size} of ${fileLength} bytes`
          : `it has ${size} bytes, not ${fileLength}`,
      );
    const length = preamble.readUInt32LE(20);
    if (length > longestHeader) throw this.damaged('its header is too long');
    const text = Buffer.alloc(length);
    this.#readFully(text, preamble.readDoubleLE(12));
    if (crc32(text) !== preamble.readUInt32LE(24))
      throw this.damaged('its header does not match its checksum');
    const header = headerSchema.safeParse(JSON.parse(text.toString()));
    if (!header.success) throw this.damaged(`its header is wrong: ${describeIssues(header.error)}`);
    const parts = new Map<string, Buffer>();
    for (const [part, row] of Object.entries(header.data.parts)) {
      if (row.offset + row.length > size) throw this.damaged(`its part ${part} is outside of the file`);
      const bytes = Buffer.alloc(row.length);
      this.#readFully(bytes, row.offset);
      if (crc32(bytes) !== row.checksum) throw this.damaged(`its part ${part} does not match its checksum`);
      parts.set(part, bytes);
    }
    return { header: header.data, parts };
  }
}

function openFile(path: string): number {
  try {
    if (!statSync(path).isFile()) throw refusal(path, 'it is not a regular file');
    return openSync(path, 'r');
  } catch (thrown) {
    if (UsageError.is(thrown)) throw thrown;
    if (codeOf(thrown) === undefined) throw thrown;
    throw refusal(path, describeReadError(thrown), thrown);
  }
}

const refusal = (where: string, what: string, cause?: unknown): UsageError =>
  new UsageError({ where, what: `${what}.`, fix: 'Name the file of an index.' }, { cause });
