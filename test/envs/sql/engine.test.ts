import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createContext } from '../../../envs/core/context.ts';
import initSqlJs, { type Statements } from 'sql.js';
import type { QueryPool } from '../../../envs/sql/engine/query-pool.ts';
import { runQuery, withOnly } from '../../../envs/sql/engine/run-query.ts';
import { digestOf } from '../../../envs/sql/task.ts';
import { sharedOf, smallPool, smallSchema } from './small-database.ts';

const never = createContext({ seed: 0, now: () => 0 }).signal;
const look =
  'SELECT (SELECT group_concat(name) FROM members), (SELECT group_concat(name) FROM clubs), (SELECT group_concat(sql) FROM sqlite_master)';

let database: SharedArrayBuffer;
let pool: QueryPool;
const folder = mkdtempSync(path.join(tmpdir(), 'cairn-sql-'));
beforeAll(async () => {
  database = await sharedOf(smallSchema);
  pool = smallPool({}, 1);
});
afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

describe('queries in the SQL engine', () => {
  it.each([
    "INSERT INTO members VALUES (9, 'Eve', 1, 1)",
    'WITH gone AS (SELECT 1) DELETE FROM members',
    "with a as (select 1) insert into members (name) select 'Eve' from a returning id",
    'WITH a AS (SELECT 1) UPDATE members SET age = 0 RETURNING name',
    "WITH a AS (SELECT 1) REPLACE INTO clubs VALUES (1, 'x', 'y')",
    '/* SELECT */ UPDATE members SET age = 0',
    'CREATE TABLE evil (x)',
    'CREATE TEMP TABLE members AS SELECT 1 AS name',
    'CREATE TEMP TRIGGER t AFTER INSERT ON members BEGIN DELETE FROM clubs; END',
    'DROP TABLE members',
    'ALTER TABLE members RENAME TO others',
    `ATTACH '${folder}/evil.db' AS evil`,
    `VACUUM INTO '${folder}/evil.db'`,
    'PRAGMA query_only = OFF',
    'PRAGMA writable_schema = ON',
    'PRAGMA case_sensitive_like = ON',
    `PRAGMA temp_store_directory = '${folder}'`,
    'SELECT * FROM pragma_query_only(0)',
    "SELECT load_extension('evil')",
    `SELECT writefile('${folder}/evil', 'x')`,
    "SELECT readfile('/etc/passwd')",
    "SELECT edit('x')",
    "SELECT fts3_tokenizer('simple', x'0000000000000000')",
    'SELECT random()',
    'SELECT name FROM members ORDER BY random()',
    'SELECT hex(randomblob(4))',
    'BEGIN',
    'SAVEPOINT a',
    'REINDEX',
    'ANALYZE',
    'DETACH main',
    'SELECT 1; DROP TABLE members',
    "SELECT (SELECT group_concat(name) FROM members), $x(') ;PRAGMA query_only=OFF; INSERT INTO members VALUES (9, ''Eve'', 1, 1); --'",
    "SELECT 1, @x(') ;PRAGMA query_only=OFF; ATTACH 'keep.db' AS k; CREATE TABLE k.s (v); --'",
    "SELECT $x(');PRAGMA query_only=OFF; ATTACH ''keep.db'' AS k; --')",
    'SELECT 1 FROM nothing',
    "SELECT 'without end",
    'SELECT 1 \0; DROP TABLE members',
    `SELECT '${'x'.repeat(1_048_576)}'`,
    '🙂',
  ])('a statement that fails or is refused changes nothing and touches no file: %s', async (sql) => {
    const before = digestOf(new Uint8Array(database));
    const seen = await pool.run(database, look, never);
    const result = await pool.run(database, sql, never);
    expect(result.kind).not.toBe('rows');
    expect(await pool.run(database, look, never)).toEqual(seen);
    expect(digestOf(new Uint8Array(database))).toBe(before);
    expect(readdirSync(folder)).toEqual([]);
    expect(existsSync('evil.db')).toBe(false);
  });

  it('withOnly prepares nothing behind the first statement, whatever the guard took for one query', async () => {
    const { Database } = await initSqlJs();
    const own = new Database();
    own.run('CREATE TABLE t (a)');
    for (const sql of [
      'SELECT 1; INSERT INTO t VALUES (1)',
      "EXPLAIN SELECT 1, $x(') ;INSERT INTO t VALUES (1); --'",
      'SELECT 1; PRAGMA query_only = ON',
      '',
      '-- a note',
    ]) {
      expect(() => withOnly(own, sql, () => 'used')).toThrow('several');
    }
    expect(withOnly(own, 'SELECT 1; -- a note', (statement) => statement.step())).toBe(true);
    own.run('INSERT INTO t VALUES (2)');
    expect(own.exec('SELECT a FROM t')[0]?.values).toEqual([[2]]);
    own.close();
  });

  it.each(["ATTACH 'keep.db' AS k", 'PRAGMA query_only = OFF'])(
    'a statement that slips through all checks ends its thread and its files: %s',
    async (sql) => {
      const engine = await initSqlJs();
      class Leaking extends engine.Database {
        override iterateStatements(text: string): Statements {
          this.run(sql);
          return super.iterateStatements(text);
        }
      }
      const limits = { rows: 1, cellCharacters: 10, characters: 10, memoryMegabytes: 2_048 };
      expect(runQuery({ Database: Leaking }, new Uint8Array(database), 'SELECT 1', limits)).toEqual({
        result: { kind: 'refused', message: expect.stringContaining('not to be changed') as string },
        isSpent: true,
      });
      expect(runQuery(engine, new Uint8Array(database), 'SELECT 1', limits)).toMatchObject({
        result: { kind: 'rows' },
        isSpent: false,
      });
    },
  );

  it('a view or trigger of the database may not write, nor call what is off', async () => {
    const trapped = await sharedOf(
      `${smallSchema} CREATE VIEW trap AS SELECT random() AS r; CREATE TRIGGER t AFTER INSERT ON members BEGIN DELETE FROM clubs; END;`,
    );
    expect(await pool.run(trapped, 'SELECT * FROM trap', never)).toMatchObject({ kind: 'error' });
    expect(
      await pool.run(trapped, "WITH a AS (SELECT 1) INSERT INTO members (name) SELECT 'x' FROM a", never),
    ).toMatchObject({ kind: 'refused' });
  });

  it('pragma_database_list gives the same in every engine', async () => {
    const results = await Promise.all(
      Array.from({ length: 3 }, async () => {
        await using one = closing(smallPool({}, 1));
        return [
          await one.pool.run(database, 'SELECT * FROM pragma_database_list', never),
          await one.pool.run(database, 'SELECT * FROM pragma_database_list', never),
        ];
      }),
    );
    expect(results[0]?.[0]).toMatchObject({ kind: 'rows', rows: { length: 1 } });
    expect(new Set(results.flat().map((result) => JSON.stringify(result))).size).toBe(1);
  });

  it('whole numbers stay exact, however large', async () => {
    expect(
      await pool.run(
        database,
        'SELECT 9007199254740993, -9223372036854775808, 9007199254740991, 2.0, 5',
        never,
      ),
    ).toMatchObject({ rows: [[9007199254740993n, -9223372036854775808n, 9007199254740991, 2, 5]] });
  });

  it('the clock uses UTC, whatever the time zone of the machine', async () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'Asia/Tokyo';
    expect(new Date(2025, 0, 1).getTimezoneOffset()).toBe(-540); // otherwise this test proves nothing
    const far = smallPool({}, 1);
    try {
      const asked =
        "SELECT datetime('now', 'localtime'), strftime('%H', '2024-07-01 12:00:00', 'localtime'), datetime('2024-07-01 12:00:00', 'utc')";
      expect(await far.run(database, asked, never)).toMatchObject({
        rows: [['2025-01-01 00:00:00', '12', '2024-07-01 12:00:00']],
      });
    } finally {
      await far.close();
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it('the clock stands still', async () => {
    expect(await pool.run(database, "SELECT datetime('now'), CURRENT_DATE, date()", never)).toMatchObject({
      rows: [['2025-01-01 00:00:00', '2025-01-01', '2025-01-01']],
    });
  });
});

describe('the limits of a query', () => {
  it('cut rows, cells and the characters of a result', async () => {
    const numbers =
      'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000) SELECT x FROM n';
    expect(await pool.run(database, numbers, never)).toMatchObject({
      kind: 'rows',
      isCut: true,
      rows: { length: 100 },
    });
    expect(await pool.run(database, "SELECT printf('%.*c', 5000, 'x')", never)).toMatchObject({
      isCut: true,
      rows: [['x'.repeat(1_000)]],
    });
    await using small = closing(smallPool({ characters: 2_500, rows: 1_000 }));
    expect(
      await small.pool.run(
        database,
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 50) SELECT printf('%.*c', 900, 'x') FROM n",
        never,
      ),
    ).toMatchObject({ isCut: true, rows: { length: 3 } });
    const wide = await small.pool.run(
      database,
      `SELECT ${Array.from({ length: 100 }, () => "printf('%900d', 1)").join(', ')}`,
      never,
    ); // one row can be too much by itself
    expect(wide).toMatchObject({ isCut: true, rows: { length: 1 } });
    expect(JSON.stringify(wide).length).toBeLessThan(6_000);
    expect(
      await pool.run(database, "SELECT name, age, x'0a0b', 1.5, NULL FROM members WHERE id = 4", never),
    ).toEqual({
      kind: 'rows',
      isCut: false,
      columns: ['name', 'age', "x'0a0b'", '1.5', 'NULL'],
      rows: [['Dan', null, { blob: "x'0a0b'" }, 1.5, null]],
    });
    expect(await pool.run(database, 'SELECT zeroblob(600), 9e999, -9e999', never)).toEqual({
      kind: 'rows',
      isCut: true,
      columns: ['zeroblob(600)', '9e999', '-9e999'],
      rows: [[{ blob: `x'${'0'.repeat(998)}` }, Infinity, -Infinity]],
    });
  });

  it.each([
    [
      'endless recursion',
      'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n',
    ],
    [
      'endless recursion in a sort',
      'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT 0 - x FROM n) SELECT max(x) FROM n',
    ],
    [
      'a product of everything',
      'SELECT count(*) FROM members a, members b, members c, members d, members e, members f, members g, members h, members i, members j, members k, members l, members m, members n',
    ],
  ])('end %s with its thread after the time limit, and other queries go on', async (_name, sql) => {
    await using two = closing(smallPool({ timeMs: 1_000 }, 2));
    await Promise.all([1, 2].map(() => two.pool.run(database, 'SELECT 1', never))); // both threads have started
    const [hung, ...others] = await Promise.all([
      two.pool.run(database, sql, never),
      ...Array.from({ length: 20 }, () => two.pool.run(database, 'SELECT 1', never)),
    ]);
    expect(hung).toEqual({ kind: 'error', message: 'stopped: it ran longer than 1000 ms', isLate: true });
    expect(others.every((result) => result.kind === 'rows')).toBe(true);
    expect(await two.pool.run(database, 'SELECT 1', never)).toMatchObject({ kind: 'rows' });
  });

  it.each([
    ['one huge value', 'SELECT length(hex(zeroblob(400000000)))'],
    [
      'a huge sort',
      "WITH RECURSIVE n(x, t) AS (SELECT 1, printf('%.*c', 100000, 'x') UNION ALL SELECT x + 1, printf('%.*c', 100000, 'x') FROM n LIMIT 3000) SELECT count(*) FROM (SELECT t FROM n ORDER BY t || x)",
    ],
    [
      'a huge list',
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 3000) SELECT length(group_concat(printf('%.*c', 100000, 'x'))) FROM n",
    ],
  ])('end %s with a memory error, and the next query is answered', async (_name, sql) => {
    expect(await pool.run(database, sql, never)).toMatchObject({
      kind: 'error',
      message: expect.stringMatching(/memory|too big/) as string,
    });
    expect(await pool.run(database, 'SELECT count(*) FROM members', never)).toMatchObject({ rows: [[4]] });
  });

  it('end the thread for a fatal error of SQLite, but not for an error about the query', async () => {
    const engine = await initSqlJs();
    const limits = { rows: 1, cellCharacters: 10, characters: 10, memoryMegabytes: 2_048 };
    const run = (sql: string): unknown => runQuery(engine, new Uint8Array(database), sql, limits);
    expect(run('SELECT memory FROM members')).toEqual({
      result: { kind: 'error', message: 'no such column: memory' },
      isSpent: false,
    });
    expect(run("SELECT json('out of memory')")).toMatchObject({ result: { kind: 'error' }, isSpent: false });
    for (const code of [7, 3_082, 10]) {
      // SQLITE_NOMEM, SQLITE_IOERR_NOMEM, SQLITE_IOERR
      class Failing extends engine.Database {
        override iterateStatements(): Statements {
          this.handleError(code);
          throw new Error('errors are thrown');
        }
      }
      expect(runQuery({ Database: Failing }, new Uint8Array(database), 'SELECT 1', limits)).toMatchObject({
        result: { kind: 'error' },
        isSpent: true,
      });
    }
  });

  it('end a query that is nested too deep with an error', async () => {
    expect(
      await pool.run(database, `SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`, never),
    ).toMatchObject({ kind: 'error' });
    expect(
      await pool.run(database, `SELECT ${Array.from({ length: 2_000 }, () => 1).join(' + ')}`, never),
    ).toMatchObject({ kind: 'error' });
    expect(await pool.run(database, 'SELECT 1', never)).toMatchObject({ kind: 'rows' });
  });

  it('end a query of an invalid database with an error', async () => {
    expect(await pool.run(new SharedArrayBuffer(4_096), 'SELECT * FROM members', never)).toMatchObject({
      kind: 'error',
    });
    const torn = new Uint8Array(database.slice(0));
    torn.fill(0xff, 100, 8_000);
    const shared = new SharedArrayBuffer(torn.length);
    new Uint8Array(shared).set(torn);
    expect(await pool.run(shared, 'SELECT * FROM members', never)).toMatchObject({ kind: 'error' });
  });
});

describe('a pending query', () => {
  const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n';

  it('can be aborted while it runs and while it is queued', async () => {
    await using one = closing(smallPool({}, 1));
    await one.pool.run(database, 'SELECT 1', never);
    const [running, queued] = [new AbortController(), new AbortController()];
    const first = one.pool.run(database, endless, running.signal);
    const second = one.pool.run(database, 'SELECT 2', queued.signal);
    queued.abort(new Error('given up in the queue'));
    await expect(second).rejects.toThrow('given up in the queue');
    running.abort(new Error('given up on the way'));
    await expect(first).rejects.toThrow('given up on the way');
    expect(await one.pool.run(database, 'SELECT 3', never)).toMatchObject({ rows: [[3]] });
  });

  it('rejects when the host closes', async () => {
    const one = smallPool({}, 1);
    await one.run(database, 'SELECT 1', never);
    const first = one.run(database, endless, never);
    const second = one.run(database, 'SELECT 2', never);
    const told = Promise.allSettled([first, second]);
    await one.close();
    for (const result of await told)
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { fault: { kind: 'env-crashed', message: 'its host was closed' } },
      });
    await expect(one.run(database, 'SELECT 3', never)).rejects.toThrow('closed');
  });
});

const closing = (opened: QueryPool): AsyncDisposable & { readonly pool: QueryPool } => ({
  pool: opened,
  [Symbol.asyncDispose]: () => opened.close(),
});
