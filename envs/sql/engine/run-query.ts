import type { Database, SqlJs, SqlValue, Statement } from 'sql.js';
import { messageOf } from '../../core/errors.ts';
import { changesDatabase, isEmpty, refusalOf, severalStatements, writesByPlan } from './statement-guard.ts';
import { isBlob, type Answer, type Cell, type QueryLimits, type QueryResult } from './result.ts';

/** Replaces functions that use random numbers, because an answer must not depend on them. */
function noChance(): never {
  throw new Error('functions of chance are off');
}

/** An error that SQLite reports for a query. Any other error may have damaged the engine. */
class SqlError extends Error {}

/** The guard accepted a text that SQLite does not accept as one query. */
class Refusal extends Error {}

/**
 * Errors that leave the engine in an uncertain state, by the last byte of their code: SQLITE_NOMEM and
 * SQLITE_IOERR (https://sqlite.org/rescode.html).
 */
const doubtful: ReadonlySet<number> = new Set([7, 10]);

/**
 * Runs one query on a new database made from the bytes, so that nothing it does affects the next one. Random
 * functions are disabled, and files are in memory. Such files live as long as the engine, so afterwards it is
 * checked whether there could be others than ours.
 */
export function runQuery(engine: SqlJs, bytes: Uint8Array, sql: string, limits: QueryLimits): Answer {
  const refusal = refusalOf(sql);
  if (refusal !== undefined) return { result: { kind: 'refused', message: refusal }, isSpent: false };
  const database = new engine.Database(bytes);
  tellCodes(database);
  try {
    // A large sort would go to a file, in memory without a limit. Definitions in a schema may not call unsafe
    // functions.
    database.run(
      `PRAGMA hard_heap_limit = ${limits.memoryMegabytes * 1_048_576}; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cache_size = -8000`,
    );
    database.create_function('random', () => noChance());
    database.create_function('randomblob', (_size) => noChance());
    const result = resultOf(database, sql, limits);
    return isUntouched(database)
      ? { result, isSpent: false }
      : { result: { kind: 'refused', message: changesDatabase }, isSpent: true };
  } catch (thrown) {
    return { result: { kind: 'error', message: messageOf(thrown) }, isSpent: !(thrown instanceof SqlError) };
  } finally {
    closeQuietly(database);
  }
}

/** Makes errors distinguishable by their codes, which sql.js drops. */
function tellCodes(database: Database): void {
  const raise = database.handleError.bind(database);
  database.handleError = (code) => {
    try {
      raise(code);
    } catch (thrown) {
      throw doubtful.has(code & 0xff) ? thrown : new SqlError(messageOf(thrown));
    }
  };
}

function resultOf(database: Database, sql: string, limits: QueryLimits): QueryResult {
  try {
    if (withOnly(database, `EXPLAIN ${sql}`, (statement) => writesByPlan(planOf(statement))))
      return { kind: 'refused', message: changesDatabase };
    return withOnly(database, sql, (statement) => readRows(statement, limits));
  } catch (thrown) {
    if (thrown instanceof Refusal) return { kind: 'refused', message: thrown.message };
    if (thrown instanceof SqlError) return { kind: 'error', message: thrown.message };
    throw thrown;
  }
}

/**
 * Uses the first statement of a text, as SQLite delimits it.
 *
 * @throws Refusal where anything follows it, of which nothing is prepared
 */
export function withOnly<Result>(
  database: Database,
  sql: string,
  use: (statement: Statement) => Result,
): Result {
  const statements = database.iterateStatements(sql);
  try {
    const { value } = statements.next();
    if (value === undefined || !isEmpty(statements.getRemainingSQL())) throw new Refusal(severalStatements);
    return use(value);
  } finally {
    statements.return();
  }
}

function planOf(statement: Statement): readonly (readonly unknown[])[] {
  const plan: (readonly unknown[])[] = [];
  while (statement.step()) plan.push(statement.get());
  return plan;
}

/** Whether still no file is attached and nothing may be written. */
function isUntouched(database: Database): boolean {
  const attached = database.exec('PRAGMA database_list')[0]?.values ?? [];
  return (
    attached.every(([, name]) => name === 'main' || name === 'temp') &&
    database.exec('PRAGMA query_only')[0]?.values[0]?.[0] === 1
  );
}

function readRows(statement: Statement, limits: QueryLimits): QueryResult {
  const rows: (readonly Cell[])[] = [];
  let left = limits.characters;
  let isCut = false;
  const kept = (value: SqlValue | bigint): Cell => {
    const cell = cellOf(value);
    const most = Math.max(0, Math.min(limits.cellCharacters, left)); // one row alone can exceed the limit
    isCut ||= lengthOf(cell) > most;
    left -= Math.min(lengthOf(cell), most + 1);
    return shortened(cell, most);
  };
  while (statement.step()) {
    if (rows.length >= limits.rows || left < 0) {
      isCut = true;
      break;
    }
    rows.push(statement.get(null, { useBigInt: true }).map(kept));
  }
  return { kind: 'rows', columns: statement.getColumnNames(), rows, isCut };
}

function cellOf(value: SqlValue | bigint): Cell {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return value instanceof Uint8Array
    ? { blob: `x'${Buffer.from(value.subarray(0, 1_000_000)).toString('hex')}'` }
    : value;
}

/** In characters; a number counts as eight, and is never shortened. */
function lengthOf(cell: Cell): number {
  if (typeof cell === 'string') return cell.length;
  return isBlob(cell) ? cell.blob.length : 8;
}

function shortened(cell: Cell, most: number): Cell {
  if (typeof cell === 'string') return cell.slice(0, most);
  return isBlob(cell) ? { blob: cell.blob.slice(0, most) } : cell;
}

/** After running out of memory, closing may fail. The thread is then ended. */
function closeQuietly(database: Database): void {
  try {
    database.close();
  } catch {
    return;
  }
}
