/**
 * The thread that runs queries and does nothing else. It is ended from outside when a query takes too long.
 * It limits its memory itself, because a thread's limits do not cover WebAssembly. Its clock and random
 * numbers are fixed and its time zone is UTC, so that answers are the same every day and everywhere.
 */
import { parentPort, workerData } from 'node:worker_threads';
import initSqlJs from 'sql.js';
import { runQuery } from './run-query.ts';
import type { QueryLimits } from './result.ts';

export interface QueryRequest {
  readonly database: SharedArrayBuffer;
  readonly sql: string;
  readonly limits: QueryLimits;
}

const pageBytes = 65_536;
/** 2025-01-01: the current time for SQLite. */
const standingClock = 1_735_689_600_000;

const mostPages = (Number(workerData) * 1_048_576) / pageBytes; // in mebibytes, passed at the start
const memory = WebAssembly.Memory.prototype;
const grow = Reflect.get(memory, 'grow') as (this: WebAssembly.Memory, pages: number) => number;
memory.grow = function growWithin(this: WebAssembly.Memory, pages: number): number {
  if (this.buffer.byteLength / pageBytes + pages > mostPages)
    throw new RangeError('the memory of queries is full');
  return grow.call(this, pages);
};
// nobody reads the clock here: it is replaced
const dates = Reflect.get(globalThis, 'Date') as { readonly prototype: object };
Reflect.set(dates, 'now', () => standingClock);
for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'])
  Reflect.set(dates.prototype, `get${part}`, Reflect.get(dates.prototype, `getUTC${part}`));
Reflect.set(dates.prototype, 'getTimezoneOffset', () => 0);

Reflect.set(Math, 'random', () => 0.5); // sql.js makes the name of its file from it, which a query can see

const engine = await initSqlJs();
const port = parentPort;
port?.on('message', ({ database, sql, limits }: QueryRequest) =>
  port.postMessage(runQuery(engine, new Uint8Array(database), sql, limits)),
);
port?.postMessage('ready');
