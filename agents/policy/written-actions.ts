/** The text of an admissible action. */
export interface WrittenAction {
  /** In the model's grammar. */
  readonly command: string;
  readonly tokens: readonly number[];
}

/** Limit over all cached actions. */
const mostCharacters = 2 ** 20;

/**
 * Caches what is written for each action of an env, by its text. Envs mostly offer the same actions turn by
 * turn, and encoding them took longer than the rest of a turn. If the texts exceed the limit, the cache is
 * cleared.
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
