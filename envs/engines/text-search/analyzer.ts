/** Splits a text into terms, which an index stores and queries match. Pure. */
export interface Analyzer {
  /** The name of the analyzer and the version of its rules, stored with every index. */
  readonly id: string;
  /** Calls `visit` with the position of every token of a text, in order. */
  readonly split: (text: string, visit: (start: number, end: number) => void) => void;
  /** The term of a token; empty for a token that is dropped, such as a stop word. */
  readonly termOf: (token: string) => string;
}

/** All terms of a text, in order, with repeats. */
export function termsOf(analyzer: Analyzer, text: string): readonly string[] {
  const terms: string[] = [];
  analyzer.split(text, (start, end) => {
    const term = analyzer.termOf(text.slice(start, end));
    if (term !== '') terms.push(term);
  });
  return terms;
}
