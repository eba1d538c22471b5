import type { Analyzer } from './analyzer.ts';
import { inverseDocumentFrequency } from './bm25.ts';
import type { TextIndexData } from './index-data.ts';
import type { WeightedTerms } from './max-score.ts';
import { findTerm } from './term-dictionary.ts';

/** The most cached tokens of queries. */
const cacheSize = 4096;
/**
 * V8 stores a longer substring as a reference to its text, so caching it would keep the whole query in
 * memory.
 */
const longestCached = 12;

/** Parses queries into bags of known terms. */
export class QueryReader {
  readonly #data: TextIndexData;
  readonly #analyzer: Analyzer;
  /** The terms of tokens of recent queries. */
  readonly #numbers = new Map<string, number | undefined>();

  constructor(data: TextIndexData, analyzer: Analyzer) {
    this.#data = data;
    this.#analyzer = analyzer;
  }

  /** The terms of a query that occur in some document, in the order of their numbers. */
  read(query: string): WeightedTerms {
    const counts = new Map<number, number>();
    this.#analyzer.split(query, (start, end) => {
      const number = this.#numberOf(query.slice(start, end));
      if (number !== undefined) counts.set(number, (counts.get(number) ?? 0) + 1);
    });
    const numbers = [...counts.keys()].toSorted((a, b) => a - b);
    return {
      numbers,
      weights: numbers.map((number) => Math.fround((counts.get(number) ?? 0) * this.#rarity(number))),
    };
  }

  /** The term number of a token; undefined where no document has it. */
  #numberOf(token: string): number | undefined {
    if (this.#numbers.has(token)) return this.#numbers.get(token);
    const term = this.#analyzer.termOf(token);
    const number = term === '' ? undefined : findTerm(this.#data.terms, term);
    if (token.length <= longestCached) {
      if (this.#numbers.size >= cacheSize) this.#numbers.clear();
      this.#numbers.set(token, number);
    }
    return number;
  }

  #rarity(number: number): number {
    const { starts, documentsWithTerms } = this.#data;
    return inverseDocumentFrequency(
      (starts[number + 1] as number) - (starts[number] as number),
      documentsWithTerms,
    );
  }
}
