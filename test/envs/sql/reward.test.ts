import { describe, expect, it } from 'vitest';
import { judgeAnswer } from '../../../envs/sql/judge-answer.ts';
import { sqlConfig } from '../../../envs/sql/config.ts';
import type { QueryResult } from '../../../envs/sql/engine/result.ts';
import { linkingOf, ngramsOf } from '../../../envs/sql/reward/likeness.ts';
import { namesUsed } from '../../../envs/sql/reward/names-used.ts';
import { flawOfWeights } from '../../../envs/sql/reward/reward-terms.ts';
import type { Schema } from '../../../envs/sql/schema.ts';
import type { SqlQuestion } from '../../../envs/sql/task.ts';
import { sqlEnv } from '../../../envs/sql/definition.ts';
import { recipeFor } from '../../../trainers/recipes/recipe.ts';

const column = (name: string) => ({ name, type: 'text', isKey: false, mayBeMissing: true }) as const;
const schema: Schema = [
  { name: 'members', columns: [column('name'), column('age'), column('club_id')] },
  { name: 'clubs', columns: [column('id'), column('name'), column('town')] },
];
const question: SqlQuestion = {
  family: 'filter',
  question: 'Who is above 30?',
  gold: 'SELECT name FROM members WHERE age > 30',
  goldRows: [['Ben'], ['Cleo']],
  database: { id: 'a', schema, bytes: new SharedArrayBuffer(0), digest: '' },
};
const rowsOf = (rows: readonly (readonly string[])[]): QueryResult => ({
  kind: 'rows',
  columns: ['name'],
  rows,
  isCut: false,
});

describe('the likeness of queries, worked by hand', () => {
  it.each([
    ['SELECT m.NAME, \'town\' FROM "Members" AS m -- clubs', 'column name, table members'],
    ['SELECT 1 AS name, 2 age, 3 AS clubs', ''],
    ['SELECT "clubs", "name", "age"', ''],
    ['SELECT name AS town FROM members', 'column name, table members'],
    ['SELECT name town FROM members clubs', 'column name, table members'],
    [
      'SELECT count(*) AS clubs, max(age) name FROM members GROUP BY club_id HAVING count(*) > 1 ORDER BY name',
      'column age, column club_id, column name, table members',
    ],
    ['WITH clubs AS (SELECT name FROM members) SELECT name FROM clubs', 'column name, table members'],
    [
      'WITH RECURSIVE a(name) AS (SELECT 1 UNION SELECT age FROM members), clubs (x) AS (SELECT 1) SELECT * FROM a, clubs',
      'column age, column name, table members',
    ],
    [
      'SELECT CASE WHEN age > 1 THEN town ELSE name END id FROM members, clubs WHERE NOT club_id IN (SELECT id FROM clubs)',
      'column age, column club_id, column id, column name, column town, table clubs, table members',
    ],
    [
      'SELECT x.name FROM (members AS x JOIN clubs USING (id)), clubs c',
      'column id, column name, table clubs, table members',
    ],
    ['SELECT * FROM a JOIN b ON a.x = b.x, clubs', 'table clubs'],
    ['SELECT [name] FROM (SELECT * FROM `members`) AS clubs', 'column name, table members'],
    ['SELECT age FROM clubs', 'table clubs'],
  ])('namesUsed lists the tables and columns that are read: %s', (sql, expected) => {
    expect([...namesUsed(sql, schema)].toSorted().join(', ')).toBe(expected);
  });

  it('linkingOf gives the share of names that both queries read', () => {
    // one table and one column of the two tables and four columns that are used by either
    expect(
      linkingOf(
        'SELECT clubs.town, members.name FROM members JOIN clubs ON club_id = id',
        question.gold,
        schema,
      ),
    ).toBeCloseTo(2 / 7);
    expect(linkingOf(question.gold, question.gold, schema)).toBe(1);
  });

  it('ngramsOf gives the share of token runs that both queries have', () => {
    // 8 tokens, so 8 + 7 + 6 runs (all tokens differ); another number changes 1 + 1 + 1 of them
    expect(ngramsOf('select NAME from members where age > 31;', question.gold)).toBeCloseTo(18 / 24);
    expect(ngramsOf('', question.gold)).toBe(0);
    expect(ngramsOf("SELECT 'A'", "SELECT 'a'")).toBeCloseTo(1 / 5);
  });
});

describe('judgeAnswer', () => {
  const fixed: readonly (readonly [string, QueryResult, string])[] = [
    [
      'right, and written quite differently',
      rowsOf([['Cleo'], ['Ben']]),
      'SELECT m.name FROM (SELECT * FROM members) AS m WHERE NOT m.age <= 30 LIMIT 99',
    ],
    ['wrong, by the very words of the gold query', rowsOf([['Ben']]), question.gold],
    ['wrong, and like nothing', rowsOf([['x']]), 'SELECT 1'],
    ['an error, by the very words of the gold query', { kind: 'error', message: 'stopped' }, question.gold],
    ['refused', { kind: 'refused', message: 'several' }, `${question.gold}; DROP TABLE members`],
  ];

  it.each([
    ['the recipe', sqlConfig.parse(recipeFor(sqlEnv).envConfig).weights],
    ['all that may be', { execution: 1, linking: 0.5, ngrams: 0.49, syntax: 1, format: 1 }],
  ])(
    'pays less and less for a right answer, a wrong one, an error and a refused one, with the weights of %s',
    (_name, weights) => {
      const paid = fixed.map(
        ([, result, sql]) => judgeAnswer(result, sql, question, { matching: 'rows', weights }).reward.total,
      );
      expect(paid).toEqual(paid.toSorted((one, other) => other - one));
      expect(new Set(paid).size).toBe(paid.length);
    },
  );

  it.each([
    ['SELECT name FROM Members', rowsOf([['Ben'], ['Cleo']]), 0],
    ["SELECT 'Ben' UNION ALL SELECT 'Cleo' -- members", rowsOf([['Ben'], ['Cleo']]), 1],
    ["SELECT 'Dan'", rowsOf([['Dan']]), 0],
  ])('counts right answers that read no table: %s', (sql, result, tableless) => {
    expect(
      judgeAnswer(result, sql, question, { matching: 'rows', weights: sqlConfig.parse({}).weights }).metrics,
    ).toMatchObject({ tableless });
  });

  it('pays for execution only by default', () => {
    const { weights } = sqlConfig.parse({});
    expect(
      fixed.map(
        ([, result, sql]) => judgeAnswer(result, sql, question, { matching: 'rows', weights }).reward,
      ),
    ).toEqual([1, 0, 0, 0, 0].map((total) => ({ total, terms: { execution: total } })));
  });

  it('explains the reward by its terms, and rejects a cut result', () => {
    const weights = { execution: 1, linking: 0.2, ngrams: 0.2, syntax: 0.1, format: 0.1 };
    expect(
      judgeAnswer(rowsOf([['Ben']]), question.gold, question, { matching: 'rows', weights }),
    ).toMatchObject({
      isRight: false,
      reward: { terms: { execution: 0, linking: 0.2, ngrams: 0.2, syntax: 0.1, format: 0.1 } },
    });
    expect(
      judgeAnswer(
        { kind: 'rows', columns: [], rows: question.goldRows, isCut: true },
        question.gold,
        question,
        { matching: 'rows', weights },
      ).isRight,
    ).toBe(false);
  });

  it('compares the order when the outermost gold query has one', () => {
    const swapped = rowsOf([['Cleo'], ['Ben']]);
    const of = (gold: string): boolean =>
      judgeAnswer(
        swapped,
        '',
        { ...question, gold },
        { matching: 'rows', weights: sqlConfig.parse({}).weights },
      ).isRight;
    expect(of(`${question.gold} ORDER BY name`)).toBe(false);
    expect(of('SELECT name FROM (SELECT name FROM members ORDER BY name)')).toBe(true);
    expect(of("SELECT name FROM members WHERE 'ORDER BY' = 'ORDER BY' -- ORDER BY name")).toBe(true);
  });

  it('refuses weights that pay for looking right as much as for being right', () => {
    expect(flawOfWeights({ execution: 1, linking: 0.6, ngrams: 0.4, syntax: 0, format: 0 })).toContain(
      'must be above',
    );
    expect(sqlConfig.safeParse({ weights: { linking: 1 } }).success).toBe(false);
  });
});
