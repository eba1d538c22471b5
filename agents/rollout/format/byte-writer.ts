/** Longer text uses the engine's own writer; for shorter text the call costs more than a loop. */
const shortText = 32;

const comma = 0x2c;
const zero = 0x30;

/** Most numbers are integers of few digits. */
const shortDigits = 4;
const isShort = (number: number): boolean => number >= 0 && number < 10_000 && Math.trunc(number) === number;

/** Returns the position of the next byte. */
function putShort(bytes: Uint8Array, at: number, number: number): number {
  const digits = number < 10 ? 1 : number < 100 ? 2 : number < 1_000 ? 3 : 4;
  let rest = number;
  for (let place = at + digits - 1; place >= at; place -= 1) {
    const tenth = Math.trunc(rest / 10);
    bytes[place] = zero + rest - 10 * tenth;
    rest = tenth;
  }
  return at + digits;
}

/** Writes text as UTF-8 into one growing buffer. Many small pieces cost little more than their bytes. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(bytes = 1 << 17) {
    this.#bytes = Buffer.allocUnsafe(bytes);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  /** The bytes written. The writer must not be used afterwards. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** ASCII text only, such as keys of the format. */
  ascii(text: string): void {
    this.#reserve(text.length);
    if (text.length > shortText) {
      this.#length += this.#bytes.write(text, this.#length, 'latin1');
      return;
    }
    const bytes = this.#bytes;
    let at = this.#length;
    for (let index = 0; index < text.length; index += 1) bytes[at++] = text.charCodeAt(index);
    this.#length = at;
  }

  /** Any text. */
  text(text: string): void {
    this.#reserve(3 * text.length); // no UTF-16 unit takes more bytes
    this.#length += this.#bytes.write(text, this.#length, 'utf8');
  }

  /** A finite number as JSON writes it. */
  number(number: number): void {
    if (isShort(number)) {
      this.#reserve(shortDigits);
      this.#length = putShort(this.#bytes, this.#length, number);
    } else this.ascii(String(number));
  }

  /** Finite numbers and nulls, separated by commas. */
  numbers(numbers: readonly (number | null)[]): void {
    for (let index = 0; index < numbers.length;) {
      this.#reserve((shortDigits + 1) * (numbers.length - index));
      const bytes = this.#bytes;
      let at = this.#length;
      for (; index < numbers.length; index += 1) {
        const number = numbers[index] as number | null;
        if (index > 0) bytes[at++] = comma;
        if (number === null || !isShort(number)) break;
        at = putShort(bytes, at, number);
      }
      this.#length = at;
      if (index === numbers.length) return;
      this.ascii(String(numbers[index]));
      index += 1;
    }
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#length + more));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}
