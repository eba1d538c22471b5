/** Hands on what a stream prints until a line with the mark comes, which no code can have printed before it was told the mark. */
export class MarkedStream {
  readonly #mark: Buffer;
  readonly #hear: (bytes: Uint8Array) => void;
  #held = Buffer.alloc(0);
  /** The code that stands behind the mark, once it has come. */
  status: number | undefined;

  constructor(mark: string, hear: (bytes: Uint8Array) => void) {
    this.#mark = Buffer.from(`${mark} `);
    this.#hear = hear;
  }

  push(bytes: Uint8Array): void {
    if (this.status !== undefined) return;
    const all = Buffer.concat([this.#held, bytes]);
    const at = all.indexOf(this.#mark);
    const end = at === -1 ? -1 : all.indexOf(10, at);
    // what may be the beginning of a mark is held back until more is there
    const safe = at === -1 ? all.length - beginningAtEnd(all, this.#mark) : at;
    if (safe > 0) this.#hear(all.subarray(0, safe));
    this.#held = all.subarray(safe);
    if (end !== -1) this.status = Number(all.toString('latin1', at + this.#mark.length, end));
  }

  /** What was held back, when nothing more comes. */
  flush(): void {
    if (this.status === undefined && this.#held.length > 0) this.#hear(this.#held);
    this.#held = Buffer.alloc(0);
  }
}

/** Bytes at the end of `all` that the mark begins with. */
function beginningAtEnd(all: Buffer, mark: Buffer): number {
  for (let length = Math.min(mark.length - 1, all.length); length > 0; length -= 1) {
    if (all.subarray(all.length - length).equals(mark.subarray(0, length))) return length;
  }
  return 0;
}
