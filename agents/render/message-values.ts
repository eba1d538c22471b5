import { Environment, type RuntimeValue } from '@huggingface/jinja';

const messages = new WeakSet<RuntimeValue>();

/** True of what {@link MessageValues} has made, which never changes. */
export const isMessage = (value: RuntimeValue): boolean => messages.has(value);

/** Characters of all messages that are kept. */
const mostCharacters = 4_000_000;

/** Messages as values of a template's world. Most were in the conversation a turn before, and are the same values then. */
export class MessageValues {
  readonly #harmless: (text: string) => string;
  readonly #known = new Map<string, RuntimeValue>();
  #characters = 0;

  /** @param harmless what a template gets of a message's text */
  constructor(harmless: (text: string) => string) {
    this.#harmless = harmless;
  }

  /** The conversation, with a `role` and a `content` in each message. */
  listOf(conversation: readonly { readonly role: string; readonly text: string }[]): RuntimeValue {
    const list = new Environment().set('messages', []);
    if (!Array.isArray(list.value)) throw new TypeError(`a list is a ${list.type} without items`);
    for (const { role, text } of conversation) list.value.push(this.#valueOf(role, text));
    return list;
  }

  #valueOf(role: string, text: string): RuntimeValue {
    const key = `${role}\n${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#characters > mostCharacters) {
      this.#known.clear();
      this.#characters = 0;
    }
    const made = new Environment().set('message', { role, content: this.#harmless(text) });
    messages.add(made);
    this.#known.set(key, made);
    this.#characters += key.length;
    return made;
  }
}
