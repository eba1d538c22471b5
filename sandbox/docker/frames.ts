/**
 * Splits the daemon's stream into frames: 8 bytes of header (stream, three zeros, length), then output of
 * that stream.
 */
export class FrameReader {
  readonly #hear: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void;
  #head = Buffer.alloc(0);
  #stream: 'stdout' | 'stderr' = 'stdout';
  #left = 0;

  constructor(hear: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => void) {
    this.#hear = hear;
  }

  /** Passes on output without waiting for complete frames. */
  push(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#left > 0) {
        const part = rest.subarray(0, this.#left);
        this.#left -= part.length;
        rest = rest.subarray(part.length);
        this.#hear(this.#stream, part);
        continue;
      }
      const missing = headLength - this.#head.length;
      this.#head = Buffer.concat([this.#head, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      if (this.#head.length < headLength) return;
      this.#stream = this.#head[0] === 2 ? 'stderr' : 'stdout';
      this.#left = this.#head.readUInt32BE(4);
      this.#head = Buffer.alloc(0);
    }
  }
}

const headLength = 8;
