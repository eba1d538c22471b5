/** An added token of `tokenizer.json`. */
export interface AddedToken {
  readonly id: number;
  readonly content: string;
  /** It includes the white space before it. */
  readonly lstrip: boolean;
  /** It includes the white space after it. */
  readonly rstrip: boolean;
  /** It is found in normalised text instead of the text as written. */
  readonly normalized: boolean;
}

const isSpace = (character: string): boolean => /\p{White_Space}/u.test(character);

export function withoutLeadingSpace(text: string): string {
  let from = 0;
  while (from < text.length && isSpace(text.charAt(from))) from += 1;
  return text.slice(from);
}

export function withoutTrailingSpace(text: string): string {
  let to = text.length;
  while (to > 0 && isSpace(text.charAt(to - 1))) to -= 1;
  return text.slice(0, to);
}

/** Finds added tokens in texts: the leftmost first, and of several at one place the longest. */
export class AddedTokenFinder {
  /** By the first code unit: the tokens by text, and the lengths of these texts, the longest first. */
  readonly #byHead = new Map<number, { readonly tokens: Map<string, AddedToken>; lengths: number[] }>();

  /** @param tokens with the text to look for, which may be a normalised form */
  constructor(tokens: Iterable<readonly [text: string, token: AddedToken]>) {
    for (const [text, token] of tokens) {
      if (text === '') continue;
      const head = this.#byHead.get(text.charCodeAt(0)) ?? { tokens: new Map(), lengths: [] };
      head.tokens.set(text, token);
      head.lengths = [...new Set([...head.lengths, text.length])].toSorted((a, b) => b - a);
      this.#byHead.set(text.charCodeAt(0), head);
    }
  }

  /** The tokens and the text between them, in order and without empty parts. */
  split(text: string): (string | AddedToken)[] {
    const parts: (string | AddedToken)[] = [];
    let from = 0;
    for (let at = 0; at < text.length;) {
      const found = this.#at(text, at);
      if (found === undefined) {
        at += 1;
        continue;
      }
      const [length, token] = found;
      const between = text.slice(from, at);
      const before = token.lstrip ? withoutTrailingSpace(between) : between;
      if (before !== '') parts.push(before);
      parts.push(token);
      at += length;
      // a token that begins with white space is still found within what this one strips
      from = token.rstrip ? text.length - withoutLeadingSpace(text.slice(at)).length : at;
    }
    if (from < text.length) parts.push(text.slice(from));
    return parts;
  }

  #at(text: string, at: number): readonly [length: number, token: AddedToken] | undefined {
    const head = this.#byHead.get(text.charCodeAt(at));
    for (const length of head?.lengths ?? []) {
      const token = head?.tokens.get(text.slice(at, at + length));
      if (token !== undefined) return [length, token];
    }
    return undefined;
  }
}
