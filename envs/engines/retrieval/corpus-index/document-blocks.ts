import type { PagedFile } from '../../paged-file/paged-file.ts';
import type { PagedWriter } from '../../paged-file/paged-writer.ts';
import { packNumbers, unpackNumbers } from '../../paged-file/bytes.ts';
import { corpusParts } from './index-format.ts';

/*
 * Documents in blocks of 32: for each the offset (8 bytes), length (4) and CRC-32 (4) of its text or its row, and the length of its
 * id (2); then the ids, in UTF-8. Checksums are of the contents.
 */

const blockDocuments = 32;
const rowBytes = 18;

/** A document without its contents. */
export interface DocumentPlace {
  readonly id: string;
  /** Where its row in the corpus, or its text in the index, stands. */
  readonly start: number;
  readonly length: number;
  /** CRC-32 of the contents, in UTF-8. */
  readonly checksum: number;
}

/** Writes the places of documents, in their order. */
export class DocumentBlocksWriter {
  readonly #out: PagedWriter;
  readonly #starts: number[] = [];
  #open: DocumentPlace[] = [];

  constructor(out: PagedWriter) {
    this.#out = out;
  }

  add(place: DocumentPlace): void {
    this.#open.push(place);
    if (this.#open.length === blockDocuments) this.#close();
  }

  /** The id of a document that was added. */
  idOf(number: number): string {
    const block = Math.floor(number / blockDocuments);
    const start = this.#starts[block];
    if (start === undefined) return (this.#open[number % blockDocuments] as DocumentPlace).id;
    const place = number % blockDocuments;
    const rows = this.#out.readAgain(start, blockDocuments * rowBytes);
    const [from, length] = idIn(rows, place, blockDocuments);
    return this.#out.readAgain(start + from, length).toString();
  }

  /** The resident parts. */
  finish(): Readonly<Record<string, Uint8Array>> {
    if (this.#open.length > 0) this.#close();
    return { [corpusParts.blockStarts]: packNumbers(Float64Array.from(this.#starts)) };
  }

  #close(): void {
    this.#starts.push(this.#out.position);
    const ids = this.#open.map(({ id }) => Buffer.from(id));
    const rows = Buffer.alloc(this.#open.length * rowBytes);
    for (const [at, { start, length, checksum }] of this.#open.entries()) {
      const row = at * rowBytes;
      rows.writeDoubleLE(start, row);
      rows.writeUInt32LE(length, row + 8);
      rows.writeUInt32LE(checksum, row + 12);
      rows.writeUInt16LE(ids[at]?.length ?? 0, row + 16);
    }
    this.#out.append(rows);
    for (const id of ids) this.#out.append(id);
    this.#open = [];
  }
}

/** Where the id of a place in a block stands, from the start of the block, and its length. */
function idIn(
  rows: Buffer,
  place: number,
  documents: number,
  at = 0,
): readonly [start: number, length: number] {
  let start = documents * rowBytes;
  for (let before = 0; before < place; before += 1) start += rows.readUInt16LE(at + before * rowBytes + 16);
  return [start, rows.readUInt16LE(at + place * rowBytes + 16)];
}

/** Reads the places of documents. */
export class DocumentBlocks {
  readonly #file: PagedFile;
  readonly #documents: number;
  readonly #starts: Float64Array; // (blocks)

  /** @throws RunError where the part does not fit */
  constructor(file: PagedFile, documents: number) {
    this.#file = file;
    this.#documents = documents;
    this.#starts = unpackNumbers(file.part(corpusParts.blockStarts));
    if (this.#starts.length !== Math.ceil(documents / blockDocuments))
      throw file.damaged('its blocks are not those of its documents');
  }

  /** @param number below the number of documents */
  at(number: number): DocumentPlace {
    const block = Math.floor(number / blockDocuments);
    const place = number % blockDocuments;
    const start = this.#starts[block] as number;
    const inBlock = Math.min(blockDocuments, this.#documents - block * blockDocuments);
    const at = this.#file.read(start, inBlock * rowBytes);
    const { bytes } = this.#file;
    const row = at + place * rowBytes;
    const found = {
      start: bytes.readDoubleLE(row),
      length: bytes.readUInt32LE(row + 8),
      checksum: bytes.readUInt32LE(row + 12),
    };
    const [from, length] = idIn(bytes, place, inBlock, at);
    const idAt = this.#file.read(start + from, length);
    return { ...found, id: this.#file.bytes.toString('utf8', idAt, idAt + length) };
  }
}
