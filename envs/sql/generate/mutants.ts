import type { ComparisonOperator, Condition, Draft, Measure, Shown } from '../draft/draft.ts';
import { renderDraft } from '../draft/render-draft.ts';
import type { Column, ColumnRef, Schema } from '../schema.ts';

/** A query with one plausible mistake. */
export interface Mutant {
  readonly mistake: string;
  readonly sql: string;
}

const nearMisses: Readonly<Record<ComparisonOperator, readonly ComparisonOperator[]>> = {
  is: ['is not'],
  'is not': ['is'],
  above: ['at least', 'below'],
  below: ['at most', 'above'],
  'at least': ['above', 'below'],
  'at most': ['below', 'above'],
};

/** All plausible wrong variants of a gold query. Each must give other rows. */
export function mutantsOf(draft: Draft, schema: Schema): readonly Mutant[] {
  const made = (mistake: string, changed: Draft): Mutant => ({ mistake, sql: renderDraft(changed) });
  const { where, before, order, limit, group, having } = draft;
  const plain: Draft = (({ before: _before, ...rest }) => rest)(draft);
  return [
    ...draft.shows.flatMap((shown, at) =>
      otherShown(shown, schema).map(({ mistake, shown: other }) =>
        made(mistake, { ...draft, shows: draft.shows.with(at, other) }),
      ),
    ),
    ...otherConditions(where, schema).map(({ mistake, where: other }) =>
      made(mistake, { ...draft, where: other }),
    ),
    ...(before === undefined
      ? []
      : [
          ...otherConditions(before.where, schema).map(({ mistake, where: other }) =>
            made(mistake, { ...draft, before: { ...before, where: other } }),
          ),
          made('the other set operation', {
            ...draft,
            before: { ...before, how: before.how === 'EXCEPT' ? 'INTERSECT' : 'EXCEPT' },
          }),
          made('only the first query', { ...plain, where: before.where }),
          made('only the second query', plain),
          made('both conditions in one query', { ...plain, where: [...before.where, ...where] }),
        ]),
    ...(order === undefined
      ? []
      : [
          made('the other way round', { ...draft, order: { ...order, descending: !order.descending } }),
          made('no order', (({ order: _order, ...rest }) => rest)(draft)),
        ]),
    ...(limit === undefined
      ? []
      : [
          made('one row more', { ...draft, limit: limit + 1 }),
          ...(limit > 1 ? [made('one row less', { ...draft, limit: limit - 1 })] : []),
          made('no limit', (({ limit: _limit, ...rest }) => rest)(draft)),
        ]),
    ...(group === undefined
      ? []
      : [made('no group', (({ group: _group, having: _having, ...rest }) => rest)(draft))]),
    ...(having === undefined
      ? []
      : [
          ...nearMisses[having.is].map((is) =>
            made('another comparison of the count', { ...draft, having: { ...having, is } }),
          ),
          made('no condition on the count', (({ having: _having, ...rest }) => rest)(draft)),
        ]),
    ...joinMistakes(draft),
    ...onlyOne(draft),
    ...(before === undefined ? caseMistakes(draft) : []),
  ];
}

function otherShown(
  shown: Shown,
  schema: Schema,
): readonly { readonly mistake: string; readonly shown: Shown }[] {
  if (shown.kind === 'count') return [];
  const { of, measure } = shown;
  const others = alike(of, schema).map((column) => ({
    mistake: 'another column shown',
    shown: { ...shown, of: { ...of, column } },
  }));
  if (measure === undefined) return others;
  const { measure: _measure, ...bare } = shown;
  const instead: readonly Measure[] =
    measure === 'different'
      ? []
      : (['average', 'total', 'highest', 'lowest'] as const).filter((other) => other !== measure);
  return [
    ...others,
    { mistake: 'no measure', shown: bare },
    ...instead.map((other) => ({ mistake: 'another measure', shown: { ...shown, measure: other } })),
  ];
}

/** Other columns of the table with values of the same type. */
function alike({ table, column }: ColumnRef, schema: Schema): readonly string[] {
  const columns: readonly Column[] = schema.find(({ name }) => name === table)?.columns ?? [];
  const type = columns.find(({ name }) => name === column)?.type;
  return columns
    .filter(
      ({ name, type: other, isKey, refersTo }) =>
        name !== column && other === type && !isKey && refersTo === undefined,
    )
    .map(({ name }) => name);
}

function otherConditions(
  where: readonly Condition[],
  schema: Schema,
): readonly { readonly mistake: string; readonly where: readonly Condition[] }[] {
  return where.flatMap((condition, at) => [
    { mistake: 'a condition left out', where: where.toSpliced(at, 1) },
    ...variants(condition, schema).map(({ mistake, condition: other }) => ({
      mistake,
      where: where.with(at, other),
    })),
  ]);
}

function variants(
  condition: Condition,
  schema: Schema,
): readonly { readonly mistake: string; readonly condition: Condition }[] {
  switch (condition.kind) {
    case 'without':
      return [];
    case 'compare':
      return [
        ...nearMisses[condition.is].map((is) => ({
          mistake: 'another comparison',
          condition: { ...condition, is },
        })),
        ...alike(condition.of, schema).map((column) => ({
          mistake: 'another column compared',
          condition: { ...condition, of: { ...condition.of, column } },
        })),
        ...(typeof condition.value === 'string'
          ? [
              {
                mistake: 'the value in another case',
                condition: { ...condition, value: otherCase(condition.value) },
              },
            ]
          : []),
      ];
    case 'test': {
      const opposite = {
        missing: 'known',
        known: 'missing',
        'above average': 'below average',
        'below average': 'above average',
        highest: 'lowest',
        lowest: 'highest',
      } as const;
      return [{ mistake: 'the opposite', condition: { ...condition, is: opposite[condition.is] } }];
    }
    default:
      return condition satisfies never;
  }
}

const otherCase = (text: string): string =>
  text === text.toLowerCase() ? text.charAt(0).toUpperCase() + text.slice(1) : text.toLowerCase();

/** A join without its condition, and one that keeps rows without a partner. */
function joinMistakes(draft: Draft): readonly Mutant[] {
  const sql = renderDraft(draft);
  if (draft.joins.length === 0) return [];
  const left = draft.where.some(
    (condition) => condition.kind === 'compare' && condition.of.table !== draft.from,
  ); // which removes such rows again
  return [
    { mistake: 'a join without its condition', sql: sql.replace(/ ON \S+ = \S+/, '') },
    ...(left || draft.limit !== undefined || draft.having !== undefined
      ? []
      : [{ mistake: 'an outer join', sql: sql.replace(' JOIN ', ' LEFT JOIN ') }]),
  ];
}

/** Returns the first row in order where all that tie were required. */
function onlyOne(draft: Draft): readonly Mutant[] {
  return draft.where.flatMap((condition, at): readonly Mutant[] => {
    if (condition.kind !== 'test' || (condition.is !== 'highest' && condition.is !== 'lowest')) return [];
    return [
      {
        mistake: 'one of several',
        sql: renderDraft({
          ...draft,
          where: draft.where.toSpliced(at, 1),
          order: { by: condition.of, descending: condition.is === 'highest' },
          limit: 1,
        }),
      },
    ];
  });
}

/** Text comparisons that ignore case. */
function caseMistakes(draft: Draft): readonly Mutant[] {
  const sql = renderDraft(draft);
  const changed = sql.replace(/(= '(?:[^']|'')*')/, '$1 COLLATE NOCASE');
  return changed === sql ? [] : [{ mistake: 'case passed over', sql: changed }];
}
