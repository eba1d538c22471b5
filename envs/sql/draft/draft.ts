import type { ColumnRef, ForeignKey } from '../schema.ts';

/** How a column is shown. */
export const measures = ['different', 'average', 'total', 'highest', 'lowest'] as const;
export type Measure = (typeof measures)[number];

/** Comparisons of a column with a value. */
export const comparisons = {
  is: '=',
  'is not': '<>',
  above: '>',
  below: '<',
  'at least': '>=',
  'at most': '<=',
} as const;
export type ComparisonOperator = keyof typeof comparisons;

/** Conditions on a column without a value. */
export const tests = ['missing', 'known', 'above average', 'below average', 'highest', 'lowest'] as const;
export type Test = (typeof tests)[number];

export type Shown =
  | { readonly kind: 'count' }
  | { readonly kind: 'column'; readonly of: ColumnRef; readonly measure?: Measure };

export type Condition =
  | {
      readonly kind: 'compare';
      readonly of: ColumnRef;
      readonly is: ComparisonOperator;
      readonly value: string | number;
    }
  | { readonly kind: 'test'; readonly of: ColumnRef; readonly is: Test }
  /** No row of the key's table points here. */
  | { readonly kind: 'without'; readonly key: ForeignKey };

/** A query under construction, by its clauses. */
export interface Draft {
  readonly from: string;
  readonly joins: readonly ForeignKey[];
  readonly shows: readonly Shown[];
  /** Conditions of the query before the current one, where two are combined. */
  readonly before?: { readonly how: 'EXCEPT' | 'INTERSECT'; readonly where: readonly Condition[] };
  readonly where: readonly Condition[];
  readonly group?: ColumnRef;
  readonly having?: { readonly is: ComparisonOperator; readonly count: number };
  readonly order?: { readonly by: ColumnRef | 'count'; readonly descending: boolean };
  readonly limit?: number;
}

/** The tables that a draft reads, in the order in which they were added. */
export function tablesOf({ from, joins }: Pick<Draft, 'from' | 'joins'>): readonly string[] {
  const tables = [from];
  for (const { from: one, to: other } of joins)
    tables.push(tables.includes(one.table) ? other.table : one.table);
  return tables;
}
