import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { RunError } from '../../../core/errors.ts';
import type { TermLog } from '../term-log.ts';
import { longFrequency } from '../index-data.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { byteOrderOf } from './term-order.ts';

/*
 * A run has the postings of successive documents, by term in the order of their bytes. A term is stored as
 *
 *   the length of its bytes, and the bytes
 *   its number in the run
 *   the number of its documents
 *   the bytes of its postings, and these, as those of a sparse term
 */

/** Bytes that are written or read at once. */
const blockBytes = 1 << 19;

/** Runs in one temporary file. */
export class RunFile {
  readonly #path: string;
  readonly #descriptor: number;
  /** The end of each run. */
  readonly #ends: number[] = [];
  #length = 0;

  constructor(path: string) {
    this.#path = path;
    this.#descriptor = openSync(path, 'wx+');
  }

  get runs(): number {
    return this.#ends.length;
  }

  /** Adds the postings of a log, which is empty afterwards. Its first document has the number `first`. */
  add(log: TermLog, first: number): void {
    const { terms, documentsWith } = log;
    const starts = new Uint32Array(documentsWith.length + 1);
    for (const [term, count] of documentsWith.entries()) starts[term + 1] = (starts[term] as number) + count;
    const documents = new Uint32Array(log.postings);
    const frequencies = new Uint8Array(log.postings);
    const long = new Map<number, number>();
    const next = starts.slice();
    log.postingLog.drain((document, term, frequency) => {
      const posting = next[term] as number;
      next[term] = posting + 1;
      documents[posting] = first + document;
      frequencies[posting] = Math.min(frequency, longFrequency);
      if (frequency >= longFrequency) long.set(posting, frequency);
    });
    const out = new ByteBuffer();
    const list = new ByteBuffer();
    for (const term of byteOrderOf(terms)) {
      const from = starts[term] as number;
      const to = starts[term + 1] as number;
      list.clear();
      for (let posting = from, before = 0; posting < to; posting += 1) {
        const document = documents[posting] as number;
        const short = frequencies[posting] as number;
        const frequency = short === longFrequency ? (long.get(posting) ?? short) : short;
        list.varint((document - before) * 2 + (frequency === 1 ? 0 : 1));
        if (frequency !== 1) list.varint(frequency);
        before = document;
      }
      const start = terms.starts[term] as number;
      const end = terms.starts[term + 1] as number;
      out.varint(end - start);
      out.append(terms.bytes.subarray(start, end));
      out.varint(term);
      out.varint(to - from);
      out.varint(list.length);
      out.append(list.written);
      if (out.length >= blockBytes) this.#write(out);
    }
    this.#write(out);
    this.#ends.push(this.#length);
  }

  /** A reader of each run, in the order of the documents. */
  readers(): readonly RunReader[] {
    return this.#ends.map(
      (end, run) => new RunReader(this.#path, this.#descriptor, this.#ends[run - 1] ?? 0, end),
    );
  }

  /** Closes and removes the file. */
  remove(): void {
    closeSync(this.#descriptor);
    rmSync(this.#path, { force: true });
  }

  #write(out: ByteBuffer): void {
    for (let done = 0; done < out.length;)
      done += writeSync(this.#descriptor, out.written, done, out.length - done, this.#length + done);
    this.#length += out.length;
    out.clear();
  }
}

/** Reads the terms of a run one after the other, and the postings of each. */
export class RunReader {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #end: number;
  #bytes: Buffer;
  #filled = 0;
  #at = 0;
  #position: number;
  #postingsLeft = 0;
  #document = 0;
  /** The term, in UTF-8; empty before the first and after the last. */
  term: Buffer = Buffer.alloc(0);
  /** Its number in the run: terms are numbered in the order in which they first occur. */
  number = 0;
  /** The documents of the run that have it. */
  documentsWith = 0;

  constructor(path: string, descriptor: number, start: number, end: number) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#position = start;
    this.#end = end;
    this.#bytes = Buffer.alloc(Math.min(blockBytes, end - start));
  }

  /** Goes to the next term, whose postings before it have been read. False after the last. */
  next(): boolean {
    if (this.#at === this.#filled && this.#position === this.#end) return false;
    const length = this.#varint();
    this.#fill(length);
    this.term = Buffer.from(this.#bytes.subarray(this.#at, this.#at + length));
    this.#at += length;
    this.number = this.#varint();
    this.documentsWith = this.#varint();
    this.#varint(); // the bytes of the postings
    this.#postingsLeft = this.documentsWith;
    this.#document = 0;
    return true;
  }

  /** Reads the next postings of the term into the arrays. Returns their number, which is 0 after the last. */
  read(documents: Uint32Array, frequencies: Uint32Array): number {
    const count = Math.min(this.#postingsLeft, documents.length);
    for (let posting = 0; posting < count; posting += 1) {
      const packed = this.#varint();
      this.#document += (packed - (packed % 2)) / 2;
      documents[posting] = this.#document;
      frequencies[posting] = packed % 2 === 0 ? 1 : this.#varint();
    }
    this.#postingsLeft -= count;
    return count;
  }

  #varint(): number {
    if (this.#at + 8 > this.#filled) this.#fill(8);
    const bytes = this.#bytes;
    let byte = bytes[this.#at] as number;
    this.#at += 1;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let scale = 0x80; ; scale *= 0x80) {
      byte = bytes[this.#at] as number;
      this.#at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  /** Has the next `count` bytes in memory, or all that are left. */
  #fill(count: number): void {
    if (this.#at + count <= this.#filled || this.#position === this.#end) return;
    const kept = this.#bytes.subarray(this.#at, this.#filled);
    if (count > this.#bytes.length) {
      const larger = Buffer.alloc(2 * count);
      kept.copy(larger);
      this.#bytes = larger;
    } else kept.copy(this.#bytes);
    this.#filled -= this.#at;
    this.#at = 0;
    while (this.#filled < this.#bytes.length && this.#position < this.#end) {
      const most = Math.min(this.#bytes.length - this.#filled, this.#end - this.#position);
      const read = readSync(this.#descriptor, this.#bytes, this.#filled, most, this.#position);
      if (read === 0) throw lost(this.#path);
      this.#filled += read;
      this.#position += read;
    }
  }
}

const lost = (where: string): RunError =>
  new RunError({
    where,
    what: 'the temporary file was cut off while it was used.',
    fix: 'Check that no other program writes there, then run the command again.',
  });
