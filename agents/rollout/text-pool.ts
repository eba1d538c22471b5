/**
 * Holds equal texts once. The members of a group come by the same places, so most of their keys are equal: kept once they
 * take less memory, and as a key's hash is taken here, while it is in the cache, whoever looks it up later is spared it.
 */
export class TextPool {
  readonly #texts = new Map<string, string>();

  /** The first text that was equal to this one. */
  intern<Text extends string | undefined>(text: Text): Text;
  intern(text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, text);
    return text;
  }
}
