/** Digits of a code, and the newline. */
const tailLength = 4;

/**
 * The most bytes kept after the line, as much as a pipe holds. So code that prints the end on one stream
 * alone fills no memory.
 */
const longestRest = 2 ** 16;

/** Passes on a stream's output until a line `MARK CODE`. */
export class MarkedStream {
  readonly #mark: string;
  readonly #hear: (bytes: Uint8Array) => void;
  #held = Buffer.alloc(0);
  #status: number | undefined;

  constructor(mark: string, hear: (bytes: Uint8Array) => void) {
    this.#mark = `${mark} `;
    this.#hear = hear;
  }

  /** The code after the mark, once the line has come. */
  get status(): number | undefined {
    return this.#status;
  }

  /** Output after the line, which belongs to the next call. */
  get rest(): Uint8Array {
    return this.#status === undefined ? Buffer.alloc(0) : this.#held;
  }

  push(bytes: Uint8Array): void {
    const isOver = this.#status !== undefined;
    this.#held = Buffer.concat([this.#held, bytes]).subarray(0, isOver ? longestRest : undefined);
    if (isOver) return;
    const text = this.#held.toString('latin1');
    const line = new RegExp(`${this.#mark}(\\d{1,3})\\n`).exec(text);
    this.#handOn(line?.index ?? this.#certain(text));
    if (line === null) return;
    this.#status = Number(line[1]);
    this.#held = this.#held.subarray(line[0].length);
  }

  /** Passes on what was held back, once no more output comes. */
  flush(): void {
    if (this.#status === undefined) this.#handOn(this.#held.length);
  }

  #handOn(length: number): void {
    if (length > 0) this.#hear(this.#held.subarray(0, length));
    this.#held = this.#held.subarray(length);
  }

  /**
   * The index where a line `MARK CODE` may have started whose end has not come. Only that part is held back,
   * so that the rest is passed on at once.
   */
  #certain(text: string): number {
    for (let at = Math.max(0, text.length - this.#mark.length - tailLength); at < text.length; at += 1) {
      const end = text.slice(at);
      if (
        this.#mark.startsWith(end) ||
        (end.startsWith(this.#mark) && /^\d{0,3}$/.test(end.slice(this.#mark.length)))
      )
        return at;
    }
    return text.length;
  }
}
