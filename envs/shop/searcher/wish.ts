import { readInstruction } from '../instruction-parts.ts';
import type { SeenGroup } from './read-page.ts';

const idle = new Set(
  `a an and are as at be but by do for from has have i if in into is it its me my of on or so some that the their them there these they this
  to want was which will with would you your color size style each also very like please`.split(/\s+/),
);

/** The meaningful words of a text, without plural endings. */
export function tokensOf(text: string): readonly string[] {
  const words = text
    .toLowerCase()
    .replaceAll(/['’]s\b/g, '')
    .split(/[^\p{L}\p{N}.]+/u);
  return words
    .map((word) => stem(word.replaceAll(/^\.+|\.+$/g, '')))
    .filter((word) => word !== '' && !idle.has(word));
}

const stem = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;

/**
 * A value that was picked for an option, and its score; 1 and more for values that were asked for by name.
 */
export interface Pick {
  readonly value: string;
  readonly choose: string;
  readonly fit: number;
}

/** Common names of options, as instructions name them. */
const optionWords = ['size', 'color', 'flavor', 'scent', 'style', 'pattern', 'shape'];

/** The requirements in the words of an instruction, and how well things meet them. */
export class Wish {
  readonly priceUpper: number;
  readonly tokens: ReadonlySet<string>;
  readonly named: readonly { readonly name: string; readonly value: string }[];
  readonly #phrase: string;
  readonly #words: ReadonlySet<string>;
  readonly #seen = new Map<string, number>(); // number of titles with each token
  #titles = 0;

  constructor(instruction: string) {
    const { wish, options, priceUpper } = readInstruction(instruction);
    this.priceUpper = priceUpper;
    this.named = options;
    this.#words = new Set(wish.split(/[^a-z]+/));
    this.tokens = new Set(tokensOf(wish));
    this.#phrase = ` ${tokensOf(wish).join(' ')} `;
  }

  /** Records a title. Words that many titles contain have a low weight. */
  learn(title: string): void {
    this.#titles += 1;
    for (const token of new Set(tokensOf(title))) this.#seen.set(token, (this.#seen.get(token) ?? 0) + 1);
  }

  /** The share of the wish that the texts mention, from 0 to 1. Rare words count more. */
  coverage(texts: readonly string[]): number {
    const there = new Set(texts.flatMap(tokensOf));
    let covered = 0;
    let all = 0;
    for (const token of this.tokens) {
      const weight = Math.log(1 + (this.#titles + 1) / ((this.#seen.get(token) ?? 0) + 1));
      all += weight;
      if (there.has(token)) covered += weight;
    }
    return all === 0 ? 0 : covered / all;
  }

  /** 1 where the price fits, 0 where it does not, in between where only a part of a range fits. */
  affordable(price: string): number {
    const ends = [...price.matchAll(/\d+(?:\.\d+)?/g)].map(([number]) => Number(number));
    if (ends.length === 0) return 1;
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    if (high <= this.priceUpper) return 1;
    return low > this.priceUpper ? 0 : (this.priceUpper - low) / (high - low);
  }

  /** 0 where all options that are asked for by name are available, -1 where none is. */
  optionsFit(groups: readonly SeenGroup[], picks: readonly Pick[]): number {
    if (this.named.length > 0)
      return (picks.filter(({ fit }) => fit >= 2).length - this.named.length) / this.named.length;
    const asked = optionWords.filter((word) => this.#words.has(word));
    if (asked.length === 0) return 0;
    const good = groups.filter(
      (group) => asked.some((word) => group.name.includes(word)) && (this.pick(group)?.fit ?? 0) >= 1,
    ).length;
    return (Math.min(good, asked.length) - asked.length) / asked.length;
  }

  /** The best value of the option; undefined where none is asked for. */
  pick({ name, values }: SeenGroup): Pick | undefined {
    const asked = this.named.find((option) => option.name === name);
    const listed =
      values.find(({ value }) => value === asked?.value) ??
      values.find(({ value }) => this.named.some((option) => option.value === value));
    if (listed !== undefined) return { ...listed, fit: 2 };
    const rarity = this.#rarity(values.map(({ value }) => value));
    let best: Pick | undefined;
    for (const { value, choose } of values) {
      const fit = this.#fit(value, rarity);
      if (fit > (best?.fit ?? 0.2)) best = { value, choose, fit };
    }
    return best;
  }

  /**
   * The score of a value. Words that distinguish it from the others count for it. Words that were not asked
   * for count against it.
   */
  #fit(value: string, rarity: ReadonlyMap<string, number>): number {
    const tokens = [...new Set(tokensOf(value))];
    let matched = 0;
    let other = 0;
    for (const token of tokens) {
      const weight = rarity.get(token) ?? 1;
      if (this.tokens.has(token)) matched += weight;
      else other += weight;
    }
    if (matched === 0) return 0;
    const whole =
      tokens.length > 0 && this.#phrase.includes(` ${tokensOf(value).join(' ')} `)
        ? 0.5 + 0.05 * tokens.length
        : 0;
    return matched / (matched + other) + whole;
  }

  #rarity(values: readonly string[]): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const value of values)
      for (const token of new Set(tokensOf(value))) counts.set(token, (counts.get(token) ?? 0) + 1);
    return new Map(
      [...counts].map(([token, count]) => [
        token,
        values.length === 1 ? 1 : 0.05 + Math.log(values.length / count),
      ]),
    );
  }
}
