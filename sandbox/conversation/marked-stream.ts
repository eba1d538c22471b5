/** Digits of a code, and the end of its line. */
const tailLength = 4;

/** Kept of what comes behind the line, as much as a pipe holds: code that says its end on one stream alone fills no memory. */
const longestRest = 2 ** 16;

/** Hands on what a stream prints until a line `MARK CODE` comes. */
export class MarkedStream {
  readonly #mark: string;
  readonly #hear: (bytes: Uint8Array) => void;
  #held = Buffer.alloc(0);
  #status: number | undefined;

  constructor(mark: string, hear: (bytes: Uint8Array) => void) {
    this.#mark = `${mark} `;
    this.#hear = hear;
  }

  /** The code that stands behind the mark, once it has come. */
  get status(): number | undefined {
    return this.#status;
  }

  /** What came behind the line, which is for the next call. */
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

  /** What was held back, when nothing more comes. */
  flush(): void {
    if (this.#status === undefined) this.#handOn(this.#held.length);
  }

  #handOn(length: number): void {
    if (length > 0) this.#hear(this.#held.subarray(0, length));
    this.#held = this.#held.subarray(length);
  }

  /** Where the line may have begun of which the end has not come: only that is held back, so that the rest is heard at once. */
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
