/** Characters that an incomplete character at either end of some tokens may decode to. */
const slack = 8;

/** Watches what is written for texts that end it, and decodes no more of it than such a text can reach. */
export class StopTexts {
  readonly #texts: readonly string[];
  readonly #decode: (tokens: readonly number[]) => string;
  readonly #reach: number;
  #tail: number[] = [];

  constructor(texts: readonly string[], decode: (tokens: readonly number[]) => string) {
    this.#texts = texts;
    this.#decode = decode;
    this.#reach = texts.reduce((most, { length }) => Math.max(most, length), 0) + slack;
  }

  /** Takes the next token, and says whether it completes one of the texts. */
  isCompletedBy(token: number): boolean {
    if (this.#texts.length === 0) return false;
    this.#tail.push(token);
    const said = this.#decode(this.#tail);
    if (this.#texts.some((text) => said.includes(text))) return true;
    if (said.length > 4 * this.#reach) this.#forget();
    return false;
  }

  /** Leaves what is too far back to be part of a text still to be completed. */
  #forget(): void {
    let kept = this.#reach;
    while (kept < this.#tail.length && this.#decode(this.#tail.slice(-kept)).length < this.#reach) kept *= 2;
    this.#tail = this.#tail.slice(-kept);
  }
}
