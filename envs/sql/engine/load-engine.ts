import initSqlJs, { type SqlJs } from 'sql.js';

let loading: Promise<SqlJs> | undefined;

/** SQLite in this thread, loaded once: for our own databases alone, whose queries are ours. */
export function loadEngine(): Promise<SqlJs> {
  loading ??= initSqlJs();
  return loading;
}
