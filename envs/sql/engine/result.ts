/** Bytes, distinct from a text that looks the same. */
export interface SqlBlob {
  /** In SQL syntax, `x'0a'`; shortened where there are too many. */
  readonly blob: string;
}

/**
 * A value as SQLite returns it: integers beyond 2^53 as bigint, infinite numbers as `Infinity`, and null for
 * NULL, which JSON expresses the same way.
 */
export type Cell = string | number | bigint | SqlBlob | null;

export const isBlob = (cell: Cell): cell is SqlBlob => typeof cell === 'object' && cell !== null;

/** The result of running a text as a query. */
export type QueryResult =
  | {
      readonly kind: 'rows';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly Cell[])[];
      /** Whether the limits removed rows or shortened a cell. */ readonly isCut: boolean;
    }
  /** It could not be run, or not completely. The message is the engine's. */
  | {
      readonly kind: 'error';
      readonly message: string;
      /** It was stopped at the time limit. */ readonly isLate?: true;
    }
  /** It was not run, because it is no query. */
  | { readonly kind: 'refused'; readonly message: string };

/** What a thread answers. */
export interface Answer {
  readonly result: QueryResult;
  /** Whether the state of the thread is uncertain, so that no other query may be run there. */
  readonly isSpent: boolean;
}

/** The limits of a query. Time is limited from outside. */
export interface QueryLimits {
  /** Memory of a thread: the database, and what the query needs besides. */
  readonly memoryMegabytes: number;
  readonly rows: number;
  /** The most characters of a text, or of a blob in SQL syntax. */
  readonly cellCharacters: number;
  /** Characters of all cells together. */
  readonly characters: number;
}
