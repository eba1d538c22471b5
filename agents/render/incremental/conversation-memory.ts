import { Environment, type RuntimeValue } from '@huggingface/jinja';
import type { RememberedLoop } from './remembered-loop.ts';
import type { PastIteration } from './iteration.ts';

/** A message as a template value, with what loops wrote for it. */
export interface RememberedMessage {
  readonly value: RuntimeValue;
  /** Newest first. */
  readonly past: Map<RememberedLoop, readonly PastIteration[]>;
  /** Approximate characters held for the message itself. */
  readonly cost: number;
}

/** Overhead of an entry, in characters. */
const costOfOne = 300;
/** Characters of a generation; at most two generations are held. */
const mostOfGeneration = 32_000_000;
/** Most characters of an iteration to keep. */
const longestPast = 1_000_000;
/** Iterations to keep for one message and loop, for example at the start of a conversation and within it. */
const mostPast = 4;

/** Messages by role and text. Equal messages of one conversation are separate values. */
type Generation = Map<string, Map<string, RememberedMessage[]>>;

/**
 * Caches the messages of the conversations that one template renders. A message of an earlier conversation is
 * the same value again, with the text that loops wrote for it. Entries unused for long are dropped.
 */
export class ConversationMemory {
  readonly #harmless: (text: string) => string;
  readonly #messages = new WeakMap<RuntimeValue, RememberedMessage>();
  #young: Generation = new Map();
  #old: Generation = new Map();
  #cost = 0;

  /** @param harmless what a template gets of a message's text */
  constructor(harmless: (text: string) => string) {
    this.#harmless = harmless;
  }

  /** The conversation as a template value; each message has a `role` and a `content`. */
  listOf(conversation: readonly { readonly role: string; readonly text: string }[]): RuntimeValue {
    const list = new Environment().set('messages', []);
    if (!Array.isArray(list.value)) throw new TypeError(`a list is a ${list.type} without items`);
    const counts = new Map<RememberedMessage[], number>();
    for (const { role, text } of conversation) {
      const equals = this.#equals(role, text);
      const count = counts.get(equals) ?? 0;
      counts.set(equals, count + 1);
      list.value.push((equals[count] ?? this.#make(equals, role, text)).value);
    }
    return list;
  }

  /** Undefined for values that {@link listOf} did not create. */
  messageOf(value: RuntimeValue): RememberedMessage | undefined {
    return this.#messages.get(value);
  }

  keep(message: RememberedMessage, loop: RememberedLoop, past: PastIteration): void {
    const cost = costOf(past);
    if (cost > longestPast) return;
    message.past.set(loop, [past, ...(message.past.get(loop) ?? [])].slice(0, mostPast));
    this.#charge(cost);
  }

  /** Equal messages of the young generation. Those of the old one become young again. */
  #equals(role: string, text: string): RememberedMessage[] {
    const texts = this.#young.get(role) ?? new Map<string, RememberedMessage[]>();
    this.#young.set(role, texts);
    const known = texts.get(text);
    if (known !== undefined) return known;
    const equals = this.#old.get(role)?.get(text) ?? [];
    texts.set(text, equals);
    this.#charge(
      sumOf(
        equals,
        (message) => message.cost + sumOf(message.past.values(), (pasts) => sumOf(pasts, costOf)),
      ),
    );
    return equals;
  }

  #make(equals: RememberedMessage[], role: string, text: string): RememberedMessage {
    const value = new Environment().set('message', { role, content: this.#harmless(text) });
    const made = {
      value,
      past: new Map<RememberedLoop, readonly PastIteration[]>(),
      cost: costOfOne + 2 * text.length,
    };
    equals.push(made);
    this.#messages.set(value, made);
    this.#charge(made.cost);
    return made;
  }

  #charge(cost: number): void {
    this.#cost += cost;
    if (this.#cost <= mostOfGeneration) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#cost = 0;
  }
}

/** Approximate characters held for an iteration. */
const costOf = ({ text, reads }: PastIteration): number =>
  costOfOne + text.length + sumOf(reads.values(), (read) => read.length);

function sumOf<T>(items: Iterable<T>, of: (item: T) => number): number {
  let sum = 0;
  for (const item of items) sum += of(item);
  return sum;
}
