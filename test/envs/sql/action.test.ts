import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeAction, readAction, type SqlAction } from '../../../envs/sql/action.ts';
import { comparisons, measures, tests, type ComparisonOperator } from '../../../envs/sql/draft/draft.ts';
import { valuesIn } from '../../../envs/sql/draft/question-values.ts';
import { labelOf, nameFor } from '../../../envs/sql/schema.ts';
import { runs } from '../../support/thorough.ts';

const label = fc
  .array(
    fc.constantFrom(
      'name',
      'birth',
      'year',
      'of',
      'average',
      'is',
      'by',
      'Total',
      'x2',
      'count',
      'at',
      'least',
      'missing',
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((words) => labelOf(words.join('_')));
const place = { column: label, table: label };
const is = fc.constantFrom(...(Object.keys(comparisons) as ComparisonOperator[]));
const action: fc.Arbitrary<SqlAction> = fc.oneof(
  fc.record({ kind: fc.constantFrom('look' as const, 'from' as const), table: label }),
  fc.record({
    kind: fc.constantFrom('query' as const, 'answer' as const),
    sql: fc.string({ minLength: 1 }).map((text) => `SELECT ${text.trim()}`.trim()),
  }),
  fc.record({ kind: fc.constantFrom('join' as const, 'without' as const), table: label, by: label }),
  fc.record({ kind: fc.constant('show' as const), ...place }),
  fc.record({ kind: fc.constant('show' as const), ...place, measure: fc.constantFrom(...measures) }),
  fc.record({
    kind: fc.constant('where' as const),
    ...place,
    is,
    value: fc.oneof(fc.string(), fc.integer(), fc.constantFrom(-1.5, 0.1, 1e21)),
  }),
  fc.record({ kind: fc.constant('where-test' as const), ...place, is: fc.constantFrom(...tests) }),
  fc.record({
    kind: fc.constant('combine' as const),
    how: fc.constantFrom('except' as const, 'also' as const),
  }),
  fc.record({ kind: fc.constant('group' as const), ...place }),
  fc.record({ kind: fc.constant('having' as const), is, count: fc.nat(1_000_000) }),
  fc.record({ kind: fc.constant('order' as const), ...place, descending: fc.boolean() }),
  fc.record({ kind: fc.constant('order-count' as const), descending: fc.boolean() }),
  fc.record({ kind: fc.constant('limit' as const), rows: fc.integer({ min: 1, max: 1_000 }) }),
  fc.record({
    kind: fc.constantFrom('clear' as const, 'run' as const, 'finish' as const, 'show-count' as const),
  }),
);

describe('readAction of sql-v1', () => {
  // Takes milliseconds in linear time. In polynomial time the test would not end.
  it.each([
    ['blanks behind a fence', `\`\`\`${' '.repeat(1_000_000)}x`],
    ['blanks before a false end', `\`\`\`x${' '.repeat(1_000_000)}y\`\`\`z`],
    ['fences', '```'.repeat(300_000)],
  ])('reads a million characters soon: %s', (_, text) => {
    for (const said of [text, `query ${text}`, `answer ${text}`])
      expect(['action', 'malformed']).toContain(readAction(said).kind);
  });

  it.each([
    'SELECT 1',
    '```SELECT 1```',
    '```sql\nSELECT 1\n```',
    '```sqlite\nSELECT 1\n```',
    '```SQL SELECT 1 ```',
  ])('takes a query out of its fence: %j', (query) => {
    expect(readAction(`query ${query}`)).toEqual({
      kind: 'action',
      action: { kind: 'query', sql: 'SELECT 1' },
    });
  });

  it('reads back what describeAction writes, whatever the names are', () => {
    fc.assert(
      fc.property(action, (one) => {
        expect(readAction(describeAction(one))).toEqual({ kind: 'action', action: one });
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('reads tool calls', () => {
    fc.assert(
      fc.property(action, ({ kind, ...rest }) => {
        expect(readAction(JSON.stringify({ kind, ...rest }))).toEqual({
          kind: 'action',
          action: { kind, ...rest },
        });
        expect(readAction(JSON.stringify({ name: kind, arguments: rest }))).toEqual({
          kind: 'action',
          action: { kind, ...rest },
        });
      }),
    );
  });

  it.each([
    ['answer ```sql\nSELECT 1\n```', { kind: 'answer', sql: 'SELECT 1' }],
    ['QUERY: SELECT a\nFROM b', { kind: 'query', sql: 'SELECT a\nFROM b' }],
    ['answer\nSELECT 1;', { kind: 'answer', sql: 'SELECT 1;' }],
    [
      'Order By birth year of students Descending',
      { kind: 'order', column: 'birth year', table: 'students', descending: true },
    ],
  ])('reads actions as models write them: %s', (text, wanted) => {
    expect(readAction(text)).toEqual({ kind: 'action', action: wanted });
  });

  it.each([
    '',
    '  ',
    'SELECT 1',
    'look',
    'limit 0',
    'limit -1',
    'where age is 3',
    '{',
    '{"kind":"answer"}',
    '{"kind":"drop","sql":"x"}',
    'look a\nlook b',
    'x'.repeat(1_000_000),
    '{"kind":"limit","rows":1e99}',
    'answer',
    '[]',
  ])('reports without guessing as malformed: %s', (text) => {
    expect(readAction(text)).toMatchObject({ kind: 'malformed' });
  });
});

describe('labelOf and nameFor', () => {
  it('write names as words, except those that the grammar would misread', () => {
    expect(
      ['birth_year', 'Song release year', 'number_of_platforms', 'average', 'Official_Name'].map(labelOf),
    ).toEqual(['birth year', 'song release year', 'number_of_platforms', 'average', 'official name']);
    expect(nameFor([{ name: 'birth_year' }, { name: 'Birth Year' }], 'birth_year')).toBe('birth_year');
  });
});

it('valuesIn finds the values that a question names', () => {
  expect(
    valuesIn("List the three names above 2.5, not \"Ada 7\" or 'Bo', since 1990. Don't count x9."),
  ).toEqual({ texts: ['Ada 7', 'Bo'], numbers: [2.5, 1990], counts: [3] });
});
