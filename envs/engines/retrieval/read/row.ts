/** The bytes of a row in its file, from `start` on. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

/** A row of a corpus or of a file of questions, or the reason why there is none. */
export type Row =
  | {
      readonly kind: 'row';
      readonly place: string;
      readonly value: Readonly<Record<string, unknown>>;
      /** Where a row of JSON lines stands, so that it can be read again; undefined in packed files and in UTF-16. */
      readonly span?: Span | undefined;
    }
  | { readonly kind: 'bad'; readonly place: string; readonly why: string };

export interface ReadRows {
  readonly signal: AbortSignal;
  /** Bytes of a row in a text file; a longer one is a bad row. Default: 128 MiB. */
  readonly mostBytes?: number;
  /** Receives every chunk of the file. */
  readonly onBytes?: (chunk: Uint8Array) => void;
  /** Called for each row that is not UTF-8 and is read as Windows-1252 where it must be. */
  readonly onOddEncoding?: (place: string) => void;
  /** The columns of a CSV file without a header line, by its first line; undefined where that line is the header. */
  readonly headerless?: (
    firstLine: string,
  ) => { readonly columns: readonly string[]; readonly delimiter: string } | undefined;
}

/** Bytes of the longest row that is read. */
export const longestRow = 128 * 2 ** 20;
