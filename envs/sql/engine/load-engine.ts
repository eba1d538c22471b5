import initSqlJs, { type SqlJs } from 'sql.js';

let loading: Promise<SqlJs> | undefined;

/** SQLite in this thread, loaded once. It is used for our own databases and queries alone. */
export function loadEngine(): Promise<SqlJs> {
  loading ??= initSqlJs();
  return loading;
}
