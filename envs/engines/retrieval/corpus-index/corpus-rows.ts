import { closeSync, openSync, readSync } from 'node:fs';
import { cutText } from '../corpus/corpus-source.ts';
import { documentOf, type ChosenFields } from '../corpus/corpus-fields.ts';
import { parseLine } from '../read/read-json-rows.ts';
import type { Span } from '../read/row.ts';

/** Reads rows of a corpus in JSON lines one by one, without a wait. */
export class CorpusRows {
  readonly #fields: ChosenFields;
  readonly #textCharacters: number;
  #descriptor: number | undefined;
  #buffer = Buffer.allocUnsafe(1 << 16);

  constructor(path: string, fields: ChosenFields, textCharacters: number) {
    this.#descriptor = openSync(path, 'r');
    this.#fields = fields;
    this.#textCharacters = textCharacters;
  }

  /** The contents of the document of a row; undefined where there is none, or it is closed. */
  contentsAt({ start, length }: Span): string | undefined {
    const bytes = this.#readBytes(start, length);
    const value = bytes && parseLine(bytes);
    const document = value && documentOf(value, this.#fields, 0);
    return typeof document === 'object' ? cutText(document.contents, this.#textCharacters) : undefined;
  }

  /** A second call does nothing. */
  close(): void {
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #readBytes(start: number, length: number): Buffer | undefined {
    if (this.#descriptor === undefined) return undefined;
    if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(2 * length);
    for (let done = 0; done < length;) {
      const read = readSync(this.#descriptor, this.#buffer, done, length - done, start + done);
      if (read === 0) return undefined;
      done += read;
    }
    return this.#buffer.subarray(0, length);
  }
}
