import type { Database, SqlJs, SqlValue } from 'sql.js';
import { messageOf } from '../../core/errors.ts';
import { refusalOf, writesByPlan } from './statement-guard.ts';
import { isBlob, type Cell, type QueryLimits, type QueryResult } from './result.ts';

/** Why a function is not there: an answer must not hang on chance. */
function noChance(): never {
  throw new Error('functions of chance are off');
}

/**
 * Runs one query on a database of its own, made from the bytes for it alone: nothing that it does is there for the next one.
 * Chance is off and files are memory.
 */
export function runQuery(engine: SqlJs, bytes: Uint8Array, sql: string, limits: QueryLimits): QueryResult {
  const refusal = refusalOf(sql);
  if (refusal !== undefined) return { kind: 'refused', message: refusal };
  const database = new engine.Database(bytes);
  try {
    // Else a big sort goes to a file, which is memory that no limit holds; and no definition in a schema may call more than it should.
    database.run('PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cache_size = -8000');
    database.create_function('random', () => noChance());
    database.create_function('randomblob', (_size) => noChance());
    if (writesByPlan(database.exec(`EXPLAIN ${sql}`)[0]?.values ?? [])) return { kind: 'refused', message: 'The database is not to be changed: only queries can be run.' };
    return readRows(database, sql, limits);
  } catch (thrown) {
    return { kind: 'error', message: messageOf(thrown) };
  } finally {
    closeQuietly(database);
  }
}

function readRows(database: Database, sql: string, limits: QueryLimits): QueryResult {
  const statement = database.prepare(sql);
  try {
    const rows: (readonly Cell[])[] = [];
    let characters = 0;
    let isCut = false;
    while (statement.step()) {
      if (rows.length >= limits.rows || characters > limits.characters) {
        isCut = true;
        break;
      }
      const row = statement.get(null, { useBigInt: true }).map(cellOf);
      isCut ||= row.some((cell) => lengthOf(cell) > limits.cellCharacters);
      const short = row.map((cell) => shortened(cell, limits.cellCharacters));
      for (const cell of short) characters += lengthOf(cell);
      rows.push(short);
    }
    return { kind: 'rows', columns: statement.getColumnNames(), rows, isCut };
  } finally {
    statement.free();
  }
}

function cellOf(value: SqlValue | bigint): Cell {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  return value instanceof Uint8Array ? { blob: `x'${Buffer.from(value.subarray(0, 1_000_000)).toString('hex')}'` } : value;
}

/** In characters; a number counts as eight, and is never cut. */
function lengthOf(cell: Cell): number {
  if (typeof cell === 'string') return cell.length;
  return isBlob(cell) ? cell.blob.length : 8;
}

function shortened(cell: Cell, most: number): Cell {
  if (typeof cell === 'string') return cell.slice(0, most);
  return isBlob(cell) ? { blob: cell.blob.slice(0, most) } : cell;
}

/** What is out of memory may not even close; its thread is done with then. */
function closeQuietly(database: Database): void {
  try {
    database.close();
  } catch {
    return;
  }
}
