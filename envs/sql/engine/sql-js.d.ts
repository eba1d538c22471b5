/** The used part of the package, which has no types of its own. */
declare module 'sql.js' {
  type SqlValue = number | string | Uint8Array | null;
  interface Statement {
    step(): boolean;
    get(): SqlValue[];
    get(values: null, how: { readonly useBigInt: true }): (SqlValue | bigint)[];
    getColumnNames(): string[];
    bind(values: readonly SqlValue[]): boolean;
    run(values: readonly SqlValue[]): void;
    free(): boolean;
  }
  /** The statements of a text, prepared one by one on demand. */
  interface Statements {
    next(): { readonly value?: Statement };
    /** The text after the last returned statement. */
    getRemainingSQL(): string;
    /** Frees it, and the last returned statement. */
    return(): void;
  }
  interface Database {
    iterateStatements(sql: string): Statements;
    /** Called with each result code of SQLite, which is 0 (SQLITE_OK) or an error. Throws for errors. */
    handleError(code: number): void;
    prepare(sql: string): Statement;
    run(sql: string): Database;
    exec(sql: string): { readonly columns: string[]; readonly values: SqlValue[][] }[];
    create_function(name: string, body: (...values: unknown[]) => unknown): Database;
    export(): Uint8Array;
    close(): void;
  }
  interface SqlJs {
    readonly Database: new (bytes?: Uint8Array) => Database;
  }
  export default function initSqlJs(): Promise<SqlJs>;
}
