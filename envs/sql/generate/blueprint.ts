/** How the values of a column are drawn. */
export type ColumnPlan =
  /** A name that is unique among the rows. */
  | {
      readonly kind: 'name';
      readonly name: string;
      readonly first: readonly string[];
      readonly last: readonly string[];
    }
  /** One of a few texts, some with another spelling. */
  | {
      readonly kind: 'choice';
      readonly name: string;
      readonly of: readonly string[];
      readonly missing?: number;
    }
  | {
      readonly kind: 'whole' | 'decimal';
      readonly name: string;
      readonly from: number;
      readonly to: number;
      readonly missing?: number;
    }
  | { readonly kind: 'reference'; readonly name: string; readonly to: string; readonly missing?: number };

export interface TablePlan {
  readonly name: string;
  /** The least and the most rows. */
  readonly rows: readonly [least: number, most: number];
  readonly columns: readonly ColumnPlan[];
}

/** A world of ordinary life as tables. Tables that others refer to come first. */
export interface Blueprint {
  readonly name: string;
  readonly tables: readonly TablePlan[];
}

const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/);

export const table = (name: string, rows: TablePlan['rows'], columns: readonly ColumnPlan[]): TablePlan => ({
  name,
  rows,
  columns,
});
/** Consists of one word of each list. The words of both lists are separated by spaces. */
export const named = (name: string, first: string, last: string): ColumnPlan => ({
  kind: 'name',
  name,
  first: wordsOf(first),
  last: wordsOf(last),
});
export const choice = (name: string, of: string, missing = 0): ColumnPlan => ({
  kind: 'choice',
  name,
  of: wordsOf(of),
  missing,
});
export const whole = (name: string, from: number, to: number, missing = 0): ColumnPlan => ({
  kind: 'whole',
  name,
  from,
  to,
  missing,
});
export const decimal = (name: string, from: number, to: number, missing = 0): ColumnPlan => ({
  kind: 'decimal',
  name,
  from,
  to,
  missing,
});
export const reference = (name: string, to: string, missing = 0): ColumnPlan => ({
  kind: 'reference',
  name,
  to,
  missing,
});
