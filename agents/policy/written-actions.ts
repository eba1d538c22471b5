/** The text of an admissible action. */
export interface WrittenAction {
  /** In the model's grammar. */
  readonly command: string;
  readonly tokens: readonly number[];
}

/** Limit over all cached actions. */
const mostCharacters = 2 ** 20;

/**
 * Caches what is written for each action of an env, by its text and the token before it. Envs mostly offer the same actions turn by
 * turn, and encoding them took longer than the rest of a turn. If the texts exceed the limit, the cache is
 * cleared.
 */
export class WrittenActions {
  readonly #written = new Map<string, WrittenAction>();
  #characters = 0;

  /** @param place the text of the action, and the token that it is written after */
  of(
    { words, after }: { readonly words: string; readonly after: number | undefined },
    write: () => WrittenAction,
  ): WrittenAction {
    const key = `${after ?? ''} ${words}`;
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    if (this.#characters > mostCharacters) {
      this.#written.clear();
      this.#characters = 0;
    }
    const made = write();
    this.#written.set(key, made);
    this.#characters += words.length;
    return made;
  }
}
