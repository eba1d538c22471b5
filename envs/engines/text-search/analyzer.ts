/** Makes terms of a text: what an index stores and what queries are matched by. Pure. */
export interface Analyzer {
  /** Names the analyzer and the version of its rules: stored with every index. */
  readonly id: string;
  /** Calls `visit` with the place of every token of a text, from the first on. */
  readonly split: (text: string, visit: (start: number, end: number) => void) => void;
  /** The term of a token; empty where a token does not count, such as a stop word. */
  readonly termOf: (token: string) => string;
}

/** All terms of a text, in order, repeated ones as often as they come. */
export function termsOf(analyzer: Analyzer, text: string): readonly string[] {
  const terms: string[] = [];
  analyzer.split(text, (start, end) => {
    const term = analyzer.termOf(text.slice(start, end));
    if (term !== '') terms.push(term);
  });
  return terms;
}
