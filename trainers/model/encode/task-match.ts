import { hashText } from './text.ts';

/** English words that name nothing one could look for. */
const idle = new Set('a an the some any and or it its them they their this that in on at to of with without under from into for by is are be has have you your i my me'.split(' '));

/** The words of a text that mean something, without endings of number, as hashes. */
export function contentWords(text: string): readonly number[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:\.\p{N}+)?/gu) ?? [];
  return words.filter((word) => !idle.has(word)).map((word) => hashText(word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word));
}

/** {@link contentWords}, of the same text once. Forgets all when it holds `capacity` texts. */
export function rememberWords(capacity = 50_000): (text: string) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= capacity) known.clear();
    const words = contentWords(text);
    known.set(text, words);
    return words;
  };
}

/** Sums of money that a text names. */
export function amountsIn(text: string): readonly number[] {
  const found = text.matchAll(/[$€£]\s?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s?(?:dollars|usd|euros)\b/gi);
  return [...found].map(([, marked, named]) => Number((marked ?? named ?? '').replaceAll(',', '')));
}

/** How sums of money stand to the one that the task names. */
export type Affordable = 'unknown' | 'all' | 'some' | 'none';

/** What a text has of what the task asks for. */
export class TaskMatch {
  readonly words: ReadonlySet<number>;
  readonly #phrase: string;
  readonly #most: number | undefined;

  constructor(task: string) {
    const words = contentWords(task);
    this.words = new Set(words);
    this.#phrase = ` ${words.join(' ')} `;
    const amounts = amountsIn(task);
    this.#most = amounts.length === 0 ? undefined : Math.min(...amounts);
  }

  /** How many words it has when they stand in the task one after the other, as in the text; else 0. */
  phraseLength(words: readonly number[]): number {
    return words.length > 0 && this.#phrase.includes(` ${words.join(' ')} `) ? words.length : 0;
  }

  /** How many of the task's words are among those. */
  shared(words: ReadonlySet<number>): number {
    let shared = 0;
    for (const word of this.words) if (words.has(word)) shared += 1;
    return shared;
  }

  affordable(texts: readonly string[]): Affordable {
    const most = this.#most;
    if (most === undefined) return 'unknown';
    const amounts = texts.flatMap(amountsIn);
    if (amounts.length === 0) return 'unknown';
    const within = amounts.filter((amount) => amount <= most).length;
    if (within === 0) return 'none';
    return within === amounts.length ? 'all' : 'some';
  }
}
