import type { Printed } from '../sandbox.ts';

/** Keeps what a program prints on one stream, up to a limit. */
export class Capture {
  readonly #parts: Uint8Array[] = [];
  readonly #limit: number;
  readonly #onBytes: (bytes: Uint8Array) => void;
  #length = 0;
  #truncated = false;

  constructor(limit: number, onBytes: (bytes: Uint8Array) => void) {
    this.#limit = limit;
    this.#onBytes = onBytes;
  }

  /** False once there was more than the limit allows. */
  take(bytes: Uint8Array): boolean {
    const room = this.#limit - this.#length;
    const kept = bytes.subarray(0, room);
    if (bytes.byteLength > room) this.#truncated = true;
    if (kept.byteLength > 0) {
      this.#parts.push(kept);
      this.#length += kept.byteLength;
      this.#onBytes(kept);
    }
    return !this.#truncated;
  }

  printed(): Printed {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(this.#parts)), truncated: this.#truncated };
  }
}
