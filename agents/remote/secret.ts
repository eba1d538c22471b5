import { inspect } from 'node:util';

/** What is shorter is a placeholder such as `EMPTY`: to take it out of what models write would change what they say. */
const shortestSecret = 8;
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

  /** The text without the secret, for words that come back from where it was sent. */
  redact(text: string): string {
    return this.#text.length < shortestSecret ? text : text.replaceAll(this.#text, mask);
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
