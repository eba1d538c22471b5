import { inspect } from 'node:util';

/** What people set where a server wants no key: it is none, and to take it out of texts would only garble them. */
const placeholders: ReadonlySet<string> = new Set([
  'empty',
  'none',
  'null',
  'no-key',
  'not-needed',
  'unused',
  'dummy',
  'fake',
  'x',
  'xxx',
  '-',
]);

/** What is shorter may be a word that models say: to take it out of what they write would change what they said. */
const shortestUnspoken = 8;
const mask = '[secret]';

/** A key to a server. It shows itself in no log, message or JSON; only `reveal` gives it away. */
export class Secret {
  readonly #text: string;
  /** Where it came from, such as the name of an environment variable. */
  readonly name: string;

  constructor(text: string, name: string) {
    this.#text = text;
    this.name = name;
  }

  reveal(): string {
    return this.#text;
  }

  /** The text without the secret, however short it is, for words that come back from where it was sent; a placeholder such as `EMPTY` is none. */
  redact(text: string): string {
    return placeholders.has(this.#text.toLowerCase()) ? text : text.replaceAll(this.#text, mask);
  }

  /** The same for what a model wrote, of which secrets of fewer than 8 characters are no more than words. */
  redactWritten(text: string): string {
    return this.#text.length < shortestUnspoken ? text : this.redact(text);
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspect.custom](): string {
    return mask;
  }
}

/** The key under that name, such as that of an environment variable; undefined where there is none. */
export type KeyOf = (name: string) => Secret | undefined;
