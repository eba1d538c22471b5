import { inspect } from 'node:util';

/**
 * Common values for servers that need no key. They are not secret, and removing them from texts would only
 * garble those.
 */
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

/** A shorter key may be an ordinary word, and removing it from a model's text would change what it says. */
const shortestUnspoken = 8;
const mask = '[secret]';

/** A key to a server. It never appears in logs, messages or JSON; only `reveal` returns it. */
export class Secret {
  readonly #text: string;
  /** Its source, such as the name of an environment variable. */
  readonly name: string;

  constructor(text: string, name: string) {
    this.#text = text;
    this.name = name;
  }

  reveal(): string {
    return this.#text;
  }

  /**
   * Removes the secret, however short, from text of the server that received it. A placeholder such as
   * `EMPTY` is not secret.
   */
  redact(text: string): string {
    return placeholders.has(this.#text.toLowerCase()) ? text : text.replaceAll(this.#text, mask);
  }

  /**
   * The same for text that a model wrote. Secrets of fewer than 8 characters stay, because they may be
   * ordinary words.
   */
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

/** Returns the key of that name, such as that of an environment variable; undefined if there is none. */
export type KeyOf = (name: string) => Secret | undefined;
