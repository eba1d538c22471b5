import type { Printed } from '../sandbox.ts';

/** Keeps what a program prints on one stream, up to a limit. */
export class Capture {
  readonly #parts: Uint8Array[] = [];
  readonly #limit: number;
  readonly #hear: (bytes: Uint8Array) => void;
  #room: number;
  #truncated = false;

  constructor(limit: number, hear: (bytes: Uint8Array) => void) {
    this.#limit = limit;
    this.#room = limit;
    this.#hear = hear;
  }

  /** False once there was more than the limit allows. */
  take(bytes: Uint8Array): boolean {
    const kept = bytes.slice(0, this.#room);
    this.#truncated ||= bytes.byteLength > this.#room;
    this.#room -= kept.byteLength;
    if (kept.byteLength > 0) {
      this.#parts.push(kept);
      this.#hear(kept);
    }
    return !this.#truncated;
  }

  bytes(): Uint8Array {
    const all = new Uint8Array(this.#limit - this.#room);
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.byteLength;
    }
    return all;
  }

  printed(): Printed {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.bytes()), truncated: this.#truncated };
  }
}
