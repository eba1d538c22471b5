import initSqlJs from 'sql.js';
import { QueryPool, type PoolLimits } from '../../../envs/sql/engine/query-pool.ts';
import { shareBytes } from '../../../envs/sql/task.ts';

/** Two tables written by hand. */
export const smallSchema = `
CREATE TABLE clubs (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT);
CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age NUMERIC, club_id NUMERIC REFERENCES clubs (id));
INSERT INTO clubs VALUES (1, 'Chess', 'Arden'), (2, 'chess', 'Dover'), (3, 'Choir', NULL);
INSERT INTO members VALUES (1, 'Ada', 30, 1), (2, 'Ben', 41, 1), (3, 'Cleo', 41, 2), (4, 'Dan', NULL, NULL);
`;

/** The database file that SQLite makes from statements. */
export async function databaseOf(sql: string): Promise<Uint8Array> {
  const { Database } = await initSqlJs();
  const database = new Database();
  database.run(sql);
  const bytes = database.export();
  database.close();
  return bytes;
}

export const sharedOf = async (sql: string): Promise<SharedArrayBuffer> => shareBytes(await databaseOf(sql));

/** Threads with limits that a test can reach. */
export function smallPool(limits: Partial<PoolLimits> = {}, threads = 2): QueryPool {
  return new QueryPool(
    {
      rows: 100,
      cellCharacters: 1_000,
      characters: 1_000_000,
      timeMs: 20_000,
      memoryMegabytes: 64,
      ...limits,
    },
    { threads },
  );
}
