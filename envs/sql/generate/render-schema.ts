import { sqlName } from '../draft/render-draft.ts';
import type { Column, Schema, Table } from '../schema.ts';

/** The SQL statements that create the tables. */
export function renderSchema(schema: Schema): string {
  return schema
    .map((table) => `CREATE TABLE ${sqlName(table.name)} (${columnsOf(table).join(', ')});`)
    .join('\n');
}

function columnsOf({ columns }: Table): readonly string[] {
  return [
    ...columns.map(columnOf),
    ...columns.flatMap(({ name, refersTo }) =>
      refersTo === undefined
        ? []
        : [
            `FOREIGN KEY (${sqlName(name)}) REFERENCES ${sqlName(refersTo.table)} (${sqlName(refersTo.column)})`,
          ],
    ),
  ];
}

function columnOf({ name, type, isKey, mayBeMissing }: Column): string {
  if (isKey) return `${sqlName(name)} INTEGER PRIMARY KEY`;
  return `${sqlName(name)} ${type === 'text' ? 'TEXT' : 'NUMERIC'}${mayBeMissing ? '' : ' NOT NULL'}`;
}
