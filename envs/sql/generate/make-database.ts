import type { Database, SqlJs } from 'sql.js';
import type { Rng } from '../../core/rng.ts';
import { renderSchema } from './render-schema.ts';
import { sqlName } from '../draft/render-draft.ts';
import type { SqlBlob, Cell as AnyCell } from '../engine/result.ts';
import type { Column, Schema } from '../schema.ts';
import type { Blueprint, ColumnPlan, TablePlan } from './blueprint.ts';

/** Integers in our own databases are small. */
type Cell = Exclude<AnyCell, bigint | SqlBlob>;

/** A generated database, open so that its questions can be tried on it. */
export interface MadeDatabase {
  readonly blueprint: Blueprint;
  readonly schema: Schema;
  readonly rows: ReadonlyMap<string, readonly (readonly Cell[])[]>;
  readonly open: Database;
}

export function schemaOf({ tables }: Blueprint): Schema {
  return tables.map(({ name, columns }) => ({
    name,
    columns: [
      { name: 'id', type: 'number', isKey: true, mayBeMissing: false },
      ...columns.map((plan): Column => {
        const mayBeMissing = 'missing' in plan && (plan.missing ?? 0) > 0;
        const type = plan.kind === 'name' || plan.kind === 'choice' ? 'text' : 'number';
        return {
          name: plan.name,
          type,
          isKey: false,
          mayBeMissing,
          ...(plan.kind === 'reference' ? { refersTo: { table: plan.to, column: 'id' } } : {}),
        };
      }),
    ],
  }));
}

/** Draws the rows of all tables. Close `open` after use. */
export function makeDatabase(engine: SqlJs, blueprint: Blueprint, rng: Rng): MadeDatabase {
  const schema = schemaOf(blueprint);
  const rows = new Map<string, readonly (readonly Cell[])[]>();
  for (const plan of blueprint.tables) rows.set(plan.name, drawRows(plan, rows, rng.fork(plan.name)));
  const open = new engine.Database();
  open.run(renderSchema(schema));
  open.run('BEGIN');
  for (const [name, lines] of rows) {
    const statement = open.prepare(
      `INSERT INTO ${sqlName(name)} VALUES (${(lines[0] ?? []).map(() => '?').join(', ')})`,
    );
    for (const line of lines) statement.run(line);
    statement.free();
  }
  open.run('COMMIT');
  return { blueprint, schema, rows, open };
}

function drawRows(
  { rows: [least, most], columns }: TablePlan,
  known: ReadonlyMap<string, readonly (readonly Cell[])[]>,
  rng: Rng,
): readonly (readonly Cell[])[] {
  const count = least + rng.int(most - least + 1);
  const drawn = columns.map((plan) => drawColumn(plan, count, known, rng.fork(plan.name)));
  return Array.from({ length: count }, (_, row) => [row + 1, ...drawn.map((values) => values[row] ?? null)]);
}

function drawColumn(
  plan: ColumnPlan,
  count: number,
  known: ReadonlyMap<string, readonly (readonly Cell[])[]>,
  rng: Rng,
): readonly Cell[] {
  const values = Array.from({ length: count }, valuesFor(plan, known, rng));
  const missing = 'missing' in plan ? (plan.missing ?? 0) : 0;
  return missing === 0 ? values : values.map((value) => (rng.uniform() < missing ? null : value));
}

/** The share of texts that are stored in lower case. */
const otherSpelling = 0.25;

function valuesFor(
  plan: ColumnPlan,
  known: ReadonlyMap<string, readonly (readonly Cell[])[]>,
  rng: Rng,
): (_: unknown, row: number) => Cell {
  switch (plan.kind) {
    case 'name': {
      const names = rng.shuffle(plan.first.flatMap((first) => plan.last.map((last) => `${first} ${last}`)));
      return (_, row) => names[row % names.length] ?? null;
    }
    case 'choice': {
      // the same word in another spelling is another value: an inexact comparison gives too many rows, or
      // none
      return () => (rng.uniform() < otherSpelling ? rng.pick(plan.of).toLowerCase() : rng.pick(plan.of));
    }
    case 'whole':
      return () => plan.from + rng.int(plan.to - plan.from + 1);
    case 'decimal':
      return () => Math.round((plan.from + rng.uniform() * (plan.to - plan.from)) * 10) / 10;
    case 'reference': {
      const targets = known.get(plan.to)?.length ?? 1;
      const unused = Math.min(targets - 2, 1 + rng.int(2)); // a few that nothing refers to
      return () => 1 + rng.int(targets - unused);
    }
    default:
      return plan satisfies never;
  }
}
