/** Bytes that grow as they are written. */
export class ByteBuffer {
  #bytes = Buffer.alloc(1 << 12);
  length = 0;

  /** The bytes written so far, valid until the next write. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.length] = value;
    this.length += 1;
  }

  /** Writes a whole number up to 2^53: seven bits per byte, low bits first. The high bit marks that more bytes follow. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest > 0x7fff_ffff) {
      this.#bytes[this.length] = (rest % 0x80) | 0x80;
      this.length += 1;
      rest = Math.floor(rest / 0x80);
    }
    while (rest > 0x7f) {
      this.#bytes[this.length] = (rest & 0x7f) | 0x80;
      this.length += 1;
      rest >>>= 7;
    }
    this.#bytes[this.length] = rest;
    this.length += 1;
  }

  word(value: number): void {
    this.#reserve(4);
    this.length = this.#bytes.writeUInt32LE(value, this.length);
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  #reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.written);
    this.#bytes = larger;
  }
}

/** Reads numbers of {@link ByteBuffer.varint} one after the other. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#bytes[this.at] as number;
      this.at += 1;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      if (byte === undefined || scale > 2 ** 49) throw new RangeError('it is no number');
    }
  }

  take(length: number): Uint8Array {
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
}
