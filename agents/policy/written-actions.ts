/** What is written for an admissible action. */
export interface WrittenAction {
  /** In the model's words. */
  readonly command: string;
  readonly tokens: readonly number[];
}

/** Of all actions that are remembered at once. */
const mostCharacters = 2 ** 20;

/**
 * What is written for the actions of an env, by their words in it. Worlds offer mostly the same ones turn by turn, and to encode them took longer than
 * all else of a turn. Where the words become too many, all are forgotten.
 */
export class WrittenActions {
  readonly #written = new Map<string, WrittenAction>();
  #characters = 0;

  of(words: string, write: () => WrittenAction): WrittenAction {
    const known = this.#written.get(words);
    if (known !== undefined) return known;
    if (this.#characters > mostCharacters) {
      this.#written.clear();
      this.#characters = 0;
    }
    const made = write();
    this.#written.set(words, made);
    this.#characters += words.length;
    return made;
  }
}
