import type { Analyzer } from './analyzer.ts';
import { inverseDocumentFrequency } from './bm25.ts';
import type { TextIndexData } from './index-data.ts';
import { findTerm } from './term-dictionary.ts';

/** The most cached tokens of queries. */
const cacheSize = 4096;
/**
 * V8 stores a longer substring as a reference to its text, so caching it would keep the whole query in
 * memory.
 */
const longestCached = 12;

/** A term of an index. */
export interface IndexTerm {
  /** Terms are numbered in the order in which they first occurred. */
  readonly number: number;
  /** The number of documents that have it. */
  readonly documents: number;
}

/** The terms of an index. */
export interface IndexTerms<Term extends IndexTerm = IndexTerm> {
  /** Documents with at least one term. */
  readonly documentsWithTerms: number;
  /** The term, or undefined where no document has it. */
  find(term: string): Term | undefined;
}

/** The distinct terms of a query, in the order of their numbers, which does not depend on its wording. */
export interface WeightedTerms<Term extends IndexTerm = IndexTerm> {
  readonly terms: readonly Term[]; // (n)
  /** Inverse document frequency times occurrences in the query, in single precision. */
  readonly weights: readonly number[]; // (n)
}

/** The terms of an index in memory. */
export const termsIn = ({
  documentsWithTerms,
  terms,
  starts,
}: Pick<TextIndexData, 'documentsWithTerms' | 'terms' | 'starts'>): IndexTerms => ({
  documentsWithTerms,
  find: (term) => {
    const number = findTerm(terms, term);
    if (number === undefined) return undefined;
    return { number, documents: (starts[number + 1] as number) - (starts[number] as number) };
  },
});

/** Parses queries into bags of known terms. */
export class QueryReader<Term extends IndexTerm = IndexTerm> {
  readonly #terms: IndexTerms<Term>;
  readonly #analyzer: Analyzer;
  /** The terms of tokens of recent queries. */
  readonly #recent = new Map<string, Term | undefined>();

  constructor(terms: IndexTerms<Term>, analyzer: Analyzer) {
    this.#terms = terms;
    this.#analyzer = analyzer;
  }

  /** The terms of a query that occur in some document. */
  read(query: string): WeightedTerms<Term> {
    const counts = new Map<number, { readonly term: Term; count: number }>();
    this.#analyzer.split(query, (start, end) => {
      const term = this.#termOf(query.slice(start, end));
      if (term === undefined) return;
      const counted = counts.get(term.number);
      if (counted === undefined) counts.set(term.number, { term, count: 1 });
      else counted.count += 1;
    });
    const sorted = [...counts.values()].toSorted((a, b) => a.term.number - b.term.number);
    const { documentsWithTerms } = this.#terms;
    return {
      terms: sorted.map(({ term }) => term),
      weights: sorted.map(({ term, count }) =>
        Math.fround(count * inverseDocumentFrequency(term.documents, documentsWithTerms)),
      ),
    };
  }

  /** The term of a token; undefined where no document has it. */
  #termOf(token: string): Term | undefined {
    if (this.#recent.has(token)) return this.#recent.get(token);
    const text = this.#analyzer.termOf(token);
    const term = text === '' ? undefined : this.#terms.find(text);
    if (token.length <= longestCached) {
      if (this.#recent.size >= cacheSize) this.#recent.clear();
      this.#recent.set(token, term);
    }
    return term;
  }
}
