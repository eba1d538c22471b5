import fc from 'fast-check';
import initSqlJs from 'sql.js';
import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../../envs/sql/engine/statement-guard.ts';
import { tokensOf } from '../../../envs/sql/engine/sql-token.ts';
import { runs } from '../../support/thorough.ts';

describe('refusalOf', () => {
  it.each([
    'SELECT 1',
    'select 1;',
    '  -- a note\n SELECT 1 -- ; DROP TABLE members',
    "SELECT ';' || '--' || '/*'",
    'SELECT ";" FROM members',
    'SELECT [;] FROM members',
    '/* ; */ SELECT 1 /* left open',
    'WITH a AS (SELECT 1) SELECT * FROM a',
    'VALUES (1), (2);;',
    "SELECT 'it''s; here'",
  ])('accepts %s', (sql) => {
    expect(refusalOf(sql)).toBeUndefined();
  });

  it.each<[string, string]>([
    ['', 'no query'],
    [';', 'no query'],
    ['-- only a note', 'no query'],
    ['; SELECT 1', 'before the query'],
    [' /* a */ ; ; SELECT 1', 'before the query'],
    ['DELETE FROM members', 'begin with SELECT'],
    ['/**/ DrOp TABLE members', 'begin with SELECT'],
    ["ATTACH 'x' AS y", 'begin with SELECT'],
    ['PRAGMA query_only = 0', 'begin with SELECT'],
    ['EXPLAIN SELECT 1', 'begin with SELECT'],
    ["VACUUM INTO 'x'", 'begin with SELECT'],
    ['"SELECT" 1', 'begin with SELECT'],
    ['SELECT 1; SELECT 2', 'several'],
    ["SELECT 'a' /* ' */; DROP TABLE members", 'several'],
    ["SELECT 1 -- '\n; DROP TABLE members -- '", 'several'],
    ['SELECT "a""; b" ; DELETE FROM members', 'several'],
    ['SELECT 1; -- c\n ; PRAGMA x', 'several'],
    ["SELECT 'without end", 'no SQL'],
    ['SELECT ?, ?1, :a', 'no variables'],
    ...['$x', '$a::b', '@x', ':x', '#x'].flatMap((name): [string, string][] => [
      [`SELECT 1, ${name}(') ;DELETE FROM members; --'`, 'several|no variables'],
      [`SELECT 1, ${name}(');DELETE FROM members; --')`, 'no variables'], // one token up to the bracket
      [`SELECT 1, ${name}(' ;DELETE FROM members; --'`, 'no SQL'],
    ]),
    ['SELECT 1 \0; DROP TABLE members', 'NUL'],
    [`SELECT '${'x'.repeat(1_048_576)}'`, 'at most'],
  ])('refuses %s', (sql, why) => {
    expect(refusalOf(sql)).toMatch(new RegExp(why));
  });

  it('reads any text, in time that grows with its length', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            "'",
            '"',
            '`',
            '[',
            ']',
            '--',
            '/*',
            '*/',
            ';',
            '\n',
            'a',
            '1',
            'x',
            ' ',
            '(',
            '\\',
            '.',
            'é',
          ),
        ),
        (parts) => void refusalOf(parts.join('')),
      ),
      { numRuns: runs(2_000) },
    );
    for (const text of [
      '/*'.repeat(40_000),
      '-'.repeat(80_001),
      "''".repeat(40_000),
      '1e'.repeat(40_000),
      '['.repeat(90_000),
    ])
      refusalOf(text);
  });
});

/** What hides the end of a statement from who reads it otherwise than SQLite. */
const pieces = [
  '$x(',
  '@x(',
  '#x(',
  ':x(',
  '$::a(',
  '::',
  ')',
  "'",
  '"',
  '`',
  '[',
  ']',
  '--',
  '/*',
  '*/',
  '+',
  ' ',
  '\n',
  '\r',
  '\v',
  '\f',
  '\ufeff',
  '\u00a0',
  'x',
  '1',
  'e',
  '.',
  '\\',
  '?1',
  '->>',
  ';',
];

it('refusalOf accepts nothing in which SQLite finds a second statement', async () => {
  const { Database } = await initSqlJs();
  const database = new Database();
  database.run('CREATE TABLE t (a)');
  let taken = 0;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...pieces), { maxLength: 10 }),
      fc.constantFrom("'", '"', '`', ']', '*/', ''),
      (parts, end) => {
        const sql = `SELECT 1,${parts.join('')};INSERT INTO t VALUES (1);--${end}`;
        if (refusalOf(sql) !== undefined) return;
        taken += 1;
        database.run('DELETE FROM t'); // from an earlier case, while fast-check shrinks
        try {
          database.exec(`EXPLAIN ${sql}`); // of every statement, where there are several
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(Error); // most are invalid SQL
        }
        expect(database.exec('SELECT count(*) FROM t')[0]?.values).toEqual([[0]]);
      },
    ),
    { numRuns: runs(10_000) },
  );
  expect(taken).toBeGreaterThan(runs(10_000) / 20);
  database.close();
});

it('tokensOf splits SQL as SQLite does', () => {
  expect(
    tokensOf("SELECT a.\"b c\", x'0F', 1.5e3, ?1 FROM [t] WHERE n<>'o''k' -- end").map(
      ({ kind, text }) => `${kind} ${text}`,
    ),
  ).toEqual([
    'word SELECT',
    'word a',
    'sign .',
    'quoted-name b c',
    'sign ,',
    "blob x'0F'",
    'sign ,',
    'number 1.5e3',
    'sign ,',
    'variable ?1',
    'word FROM',
    'quoted-name t',
    'word WHERE',
    'word n',
    'sign <>',
    "string 'o''k'",
  ]);
  expect(tokensOf("SELECT $a::b(';'), @c, :d(e)").map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'word SELECT',
    "variable $a::b(';')",
    'sign ,',
    'variable @c',
    'sign ,',
    'variable :d(e)',
  ]);
});
