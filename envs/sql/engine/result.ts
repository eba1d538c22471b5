/** Bytes, told from the text that looks like them. */
export interface SqlBlob {
  /** As SQL writes them, `x'0a'`; cut where they are too many. */
  readonly blob: string;
}

/** A value as SQLite gives it; whole numbers beyond 2^53 as such, numbers without end as `Infinity`, and null for NULL, which JSON has no other word for. */
export type Cell = string | number | bigint | SqlBlob | null;

export const isBlob = (cell: Cell): cell is SqlBlob => typeof cell === 'object' && cell !== null;

/** What came of running a text as a query. */
export type QueryResult =
  | {
      readonly kind: 'rows';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly Cell[])[];
      /** Whether there were more, or a cell was longer, than the limits have it. */ readonly isCut: boolean;
    }
  /** It could not be run, or not to its end: the engine says why. */
  | {
      readonly kind: 'error';
      readonly message: string;
      /** It was stopped at the limit on time. */ readonly isLate?: true;
    }
  /** It was not run: it is no query. */
  | { readonly kind: 'refused'; readonly message: string };

/** What a thread answers. */
export interface Answer {
  readonly result: QueryResult;
  /** Whether it cannot be told what the thread holds by now, so that no other query may be run there. */
  readonly isSpent: boolean;
}

/** What a query may take; time is kept outside. */
export interface QueryLimits {
  /** Of a thread: the database, and what the query needs beside it. */
  readonly memoryMegabytes: number;
  readonly rows: number;
  /** Of a text, or of a blob as SQL writes it. */
  readonly cellCharacters: number;
  /** Characters of all cells together. */
  readonly characters: number;
}
