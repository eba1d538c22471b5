import { hashText } from './text.ts';

/** English words that name nothing one could look for: of structure, of asking, of money. */
const idle = new Set(
  `a an the some any and or it its them they their this that in on at to of with without under from into for by is are be am has have you your i my me
  i'm i'd id need want would like looking shopping shop find show get give help please can could buy should must good
  price priced prices cost costs costing lower less than below most money dollars usd`.split(/\s+/),
);

/** The words of a text that mean something, without endings of number, as hashes. */
export function contentWords(text: string): readonly number[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['.][\p{L}\p{N}]+)*/gu) ?? [];
  return words.filter((word) => !idle.has(word)).map((word) => hashText(stem(word.replace(/'s$/, ''))));
}

const stem = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;

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

const money = /[$€£]\s?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s?(?:dollars|usd|euros)\b/gi;

/** Sums of money that a text names. */
export function amountsIn(text: string): readonly number[] {
  return [...text.matchAll(money)].map(([, marked, named]) =>
    Number((marked ?? named ?? '').replaceAll(',', '')),
  );
}

/** How sums of money stand to the one that the task names. */
export type Affordable = 'unknown' | 'all' | 'some' | 'none';

/** What a text has of what the task asks for. */
export class TaskMatch {
  readonly words: ReadonlySet<number>;
  readonly #phrase: string;
  readonly #most: number | undefined;

  constructor(task: string) {
    const words = contentWords(task.replaceAll(money, ' '));
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
