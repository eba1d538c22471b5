/** A value as SQLite gives it; whole numbers beyond 2^53 as such, blobs as SQL writes them, `x'0a'`, and null for NULL, which JSON has no other word for. */
export type Cell = string | number | bigint | null;

/** What came of running a text as a query. */
export type QueryResult =
  | { readonly kind: 'rows'; readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[]; /** Whether there were more, or a cell was longer, than the limits have it. */ readonly isCut: boolean }
  /** It could not be run, or not to its end: the engine says why. */
  | { readonly kind: 'error'; readonly message: string }
  /** It was not run: it is no query. */
  | { readonly kind: 'refused'; readonly message: string };

/** What a query may take; time is kept outside. */
export interface QueryLimits {
  readonly rows: number;
  /** Characters of a text, or bytes of a blob. */
  readonly cellCharacters: number;
  /** Characters of all cells together. */
  readonly characters: number;
}
