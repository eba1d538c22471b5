import type { FileLimits } from './limits.ts';
import { fileError, type DataFile, type FilePlace } from './file-error.ts';

/** One item of a list, or one entry of an object with its name, verbatim. */
export interface JsonPiece {
  /** From 1. */
  readonly number: number;
  /** Its start in the file, in bytes from 0. */
  readonly start: number;
  /** Not validated yet. Valid until the next piece is requested. */
  readonly bytes: Buffer;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
/** Some editors write it before UTF-8. Anywhere else it makes the JSON invalid. */
const byteOrderMark: readonly number[] = [0xef, 0xbb, 0xbf];
const brackets = {
  list: { kind: 'a list', open: 0x5b, close: 0x5d, words: '[ … ]' },
  object: { kind: 'an object', open: 0x7b, close: 0x7d, words: '{ … }' },
} as const;

/**
 * Splits one JSON list or object, given in chunks, into its items. It looks only at quotes and brackets.
 * `JSON.parse` handles the rest and is several times as fast as a token parser. It holds one item at a time.
 */
export class JsonSplitter {
  readonly #file: DataFile;
  readonly #shape: (typeof brackets)['list' | 'object'];
  readonly #limits: FileLimits;
  #stage: 'before' | 'inside' | 'after' = 'before';
  #depth = 0;
  #quoted = false;
  #escaped = false;
  /** Earlier chunks' parts of the current item. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  #items = 0;
  /** Bytes of earlier chunks. */
  #before = 0;
  /** The start of the current item. */
  #start = 0;

  constructor(file: DataFile, shape: 'list' | 'object', limits: FileLimits) {
    this.#file = file;
    this.#shape = brackets[shape];
    this.#limits = limits;
  }

  /**
   * Yields the items that end in this chunk.
   *
   * @throws UsageError where the brackets do not match or a limit is exceeded
   */
  *push(chunk: Buffer): Generator<JsonPiece, void> {
    let at = this.#stage === 'before' ? this.#enter(chunk) : 0;
    if (this.#stage === 'inside' && at > 0) this.#start = this.#before + at;
    while (this.#stage === 'inside') {
      const end = this.#itemEnd(chunk, at);
      if (end === undefined) {
        this.#hold(chunk.subarray(at));
        break;
      }
      const closes = chunk[end] !== comma;
      const piece = this.#take(chunk.subarray(at, end), closes);
      at = end + 1;
      this.#start = this.#before + at;
      if (closes) this.#stage = 'after';
      if (piece !== undefined) yield piece;
    }
    if (this.#stage === 'after') this.#leave(chunk, at);
    this.#before += chunk.length;
  }

  /**
   * Marks the end of the input.
   *
   * @throws UsageError when the file ends before its last bracket
   */
  end(): void {
    if (this.#stage === 'after') return;
    if (this.#stage === 'before') throw this.#refuse('the file is empty.');
    const what = `the file is cut short: it ends at item ${this.#items + 1}, before its last bracket, after ${this.#before} bytes.`;
    throw fileError({ ...this.#file, end: this.#before }, what);
  }

  #enter(chunk: Buffer): number {
    let at = firstNonBlank(chunk, 0);
    while (byteOrderMark.includes(chunk[at] ?? 0)) at = firstNonBlank(chunk, at + 1);
    if (at === chunk.length) return at;
    if (looksWide(chunk, at))
      throw this.#refuse('the file is UTF-16 text, not UTF-8.', undefined, 'Save it as UTF-8.');
    if (chunk[at] !== this.#shape.open)
      throw this.#refuse(`the file is not ${this.#shape.kind} ${this.#shape.words}, as JSON writes it.`);
    this.#stage = 'inside';
    this.#depth = 1;
    return at + 1;
  }

  #leave(chunk: Buffer, from: number): void {
    const at = firstNonBlank(chunk, from);
    if (at === chunk.length) return;
    const items = `${this.#items} ${this.#items === 1 ? 'item' : 'items'}`;
    throw fileError(
      { ...this.#file, byte: this.#before + at },
      `something stands after the end of ${this.#shape.words}, which has ${items}.`,
    );
  }

  /**
   * The end of the current item: the comma after it or the last bracket. Undefined when it is not in this
   * chunk.
   */
  #itemEnd(chunk: Buffer, from: number): number | undefined {
    const { length } = chunk;
    let depth = this.#depth;
    let at = from;
    if (this.#escaped && at < length) {
      this.#escaped = false;
      at += 1;
    }
    for (; at < length; at += 1) {
      if (this.#quoted) {
        at = this.#textEnd(chunk, at);
        continue;
      }
      const byte = chunk[at] as number;
      if (byte === quote) this.#quoted = true;
      else if (byte === 0x5b || byte === 0x7b) {
        depth += 1;
        if (depth > this.#limits.depth)
          throw this.#refuse(`it is more than ${this.#limits.depth} brackets deep.`, this.#items + 1);
      } else if (byte === 0x5d || byte === 0x7d) {
        depth -= 1;
        if (depth === 0) return this.#lastBracket(byte, at);
      } else if (byte === comma && depth === 1) {
        this.#depth = depth;
        return at;
      }
    }
    this.#depth = depth;
    return undefined;
  }

  #lastBracket(byte: number, at: number): number {
    if (byte !== this.#shape.close) throw this.#refuse('it is closed by the wrong bracket.', this.#items + 1);
    this.#depth = 0;
    return at;
  }

  /** The end of the string that contains `from`: its last quote, or the end of the chunk. */
  #textEnd(chunk: Buffer, from: number): number {
    const { length } = chunk;
    let at = from;
    while (at < length) {
      const byte = chunk[at];
      if (byte === quote) {
        this.#quoted = false;
        return at;
      }
      at += byte === backslash ? 2 : 1;
    }
    this.#escaped = at > length;
    return length;
  }

  #hold(part: Buffer): void {
    this.#heldBytes += part.length;
    if (this.#heldBytes > this.#limits.itemBytes) throw this.#tooLong();
    this.#held.push(Buffer.from(part)); // the chunk's memory may be reused
  }

  #take(last: Buffer, closes: boolean): JsonPiece | undefined {
    if (this.#heldBytes + last.length > this.#limits.itemBytes) throw this.#tooLong();
    const bytes = this.#held.length === 0 ? last : Buffer.concat([...this.#held, last]);
    this.#held = [];
    this.#heldBytes = 0;
    if (firstNonBlank(bytes, 0) === bytes.length) {
      if (closes && this.#items === 0) return undefined; // an empty list
      throw this.#refuse('there is nothing between two commas, or after the last one.', this.#items + 1);
    }
    this.#items += 1;
    return { number: this.#items, start: this.#start + firstNonBlank(bytes, 0), bytes };
  }

  #tooLong(): Error {
    return this.#refuse(
      `it has more than ${this.#limits.itemBytes} bytes, which no item of such a file comes near.`,
      this.#items + 1,
    );
  }

  #refuse(what: string, item?: number, fix?: string): Error {
    const place: FilePlace = item === undefined ? this.#file : { ...this.#file, item, byte: this.#start };
    return fileError(place, what, fix);
  }
}

/** Whether it starts like UTF-16: with its byte order mark, or with a zero in one of the first two bytes. */
function looksWide(chunk: Buffer, at: number): boolean {
  return [0xff, 0xfe, 0].includes(chunk[at] as number) || chunk[at + 1] === 0;
}

function firstNonBlank(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isBlank(bytes[at] as number)) at += 1;
  return at;
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
