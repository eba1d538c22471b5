import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, messageOf } from '../../core/errors.ts';
import type { QueryPool } from '../engine/query-pool.ts';
import type { Cell } from '../engine/result.ts';
import type { Column, Schema } from '../schema.ts';
import { digestOf, shareBytes, type SharedDatabase } from '../task.ts';
import { fileError } from './file-error.ts';
import type { QuestionSet, TablesEntry } from './layouts.ts';
import { placeOf, readDescriptions, type Meanings } from './read-descriptions.ts';

/** The largest database in mebibytes. It is held in memory as a whole. */
const mostMegabytes = 1_024;
const magic = 'SQLite format 3\0';

/** The id with its part, because files of different parts may use the same names. */
export const idOf = (id: string, { part }: Pick<QuestionSet, 'part'>): string => `${part}/${id}`;

/**
 * Reads a database and checks it against the tables file.
 *
 * @throws UsageError where it is missing, damaged or another database
 */
export async function readDatabase(
  id: string,
  set: QuestionSet,
  pool: QueryPool,
  signal: AbortSignal,
): Promise<{ readonly database: SharedDatabase; readonly unread: readonly string[] }> {
  if (!/^[\w-][\w .-]*$/.test(id))
    throw fileError(set.file, `${JSON.stringify(id)} is no name of a database.`);
  const entry = set.tables.get(id);
  if (entry === undefined)
    throw fileError(
      set.tablesFile,
      `there is no entry for the database ${id}, which ${set.file} asks about.`,
    );
  const file = path.join(set.databases, id, `${id}.sqlite`);
  const content = await readBytes(file);
  const bytes = shareBytes(content);
  const listed = await pool.run(
    bytes,
    'SELECT m.name, c.name, c.type, c."notnull", c.pk FROM sqlite_master AS m JOIN pragma_table_xinfo(m.name) AS c WHERE m.type = \'table\' AND c.hidden <> 1 ORDER BY m.rowid, c.cid',
    signal,
  );
  if (listed.kind !== 'rows')
    throw fileError(file, `its schema cannot be read: ${listed.message.replace(/\.$/, '')}.`);
  if (listed.isCut)
    throw fileError(
      file,
      `its tables have more columns than maxRows (${listed.rows.length}) lets through.`,
      'Raise maxRows.',
    );
  const schema = schemaOf([...listed.rows, ...(await viewColumns(bytes, pool, signal))], entry, {
    file,
    tablesFile: set.tablesFile,
  });
  const { meanings, unread } = await readDescriptions(path.join(set.databases, id, 'database_description'));
  const digest =
    meanings.size === 0 ? digestOf(content) : digestOf(JSON.stringify([digestOf(content), [...meanings]]));
  const database = { id: idOf(id, set), schema: explained(schema, meanings), bytes, digest };
  return { database, unread };
}

/**
 * The columns of views, in the format of tables. A view that cannot be read, such as one of a missing table,
 * has none.
 */
async function viewColumns(
  bytes: SharedArrayBuffer,
  pool: QueryPool,
  signal: AbortSignal,
): Promise<readonly (readonly Cell[])[]> {
  const views = await pool.run(
    bytes,
    "SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY rowid",
    signal,
  );
  if (views.kind !== 'rows') return [];
  const listed = await Promise.all(
    views.rows.map(async ([name]) => {
      if (typeof name !== 'string') return [];
      const columns = await pool.run(
        bytes,
        `SELECT name, type FROM pragma_table_xinfo('${name.replaceAll("'", "''")}') ORDER BY cid`,
        signal,
      );
      return columns.kind === 'rows'
        ? columns.rows.map(([column, type]): readonly Cell[] => [name, column ?? null, type ?? null, 0, 0])
        : [];
    }),
  );
  return listed.flat();
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size > mostMegabytes * 1_048_576)
      throw fileError(
        file,
        `it has ${Math.round(size / 1_048_576)} MiB, above ${mostMegabytes}.`,
        'Leave the questions about it out: name others with `databases`.',
      );
    const content = await readFile(file);
    if (content.toString('latin1', 0, magic.length) !== magic)
      throw fileError(file, 'it is no SQLite database.');
    assertWhole(content, file);
    await assertAlone(file);
    return content;
  } catch (thrown) {
    throw codeOf(thrown) === undefined
      ? thrown
      : fileError(
          file,
          codeOf(thrown) === 'ENOENT' ? 'there is no such file.' : `it cannot be read: ${messageOf(thrown)}.`,
        );
  }
}

/**
 * Checks that a file is complete. SQLite itself reads a truncated file as far as its pages go, and fails only
 * at a query that needs a lost one. The header has the page size at byte 16 (1 stands for 65,536), and the
 * number of pages at 28. That number is valid where the change counters at 24 and 92 are equal
 * (https://www.sqlite.org/fileformat2.html, section 1.3).
 */
function assertWhole(content: Buffer, file: string): void {
  const headerBytes = 100;
  if (content.length < headerBytes)
    throw fileError(
      file,
      `it was cut off: it has ${content.length} bytes, and the header alone has ${headerBytes}.`,
    );
  const pageBytes = content.readUInt16BE(16) === 1 ? 65_536 : content.readUInt16BE(16);
  const pages = content.readUInt32BE(28);
  // otherwise SQLite reports what is wrong
  const isHeader = pageBytes >= 512 && Number.isInteger(Math.log2(pageBytes));
  const isCounted = isHeader && content.readUInt32BE(24) === content.readUInt32BE(92);
  if (!isCounted || content.length >= pages * pageBytes) return;
  throw fileError(
    file,
    `it was cut off: it has ${content.length} bytes, and by its header ${pages} pages of ${pageBytes} bytes, ${pages * pageBytes} in all.`,
  );
}

/**
 * Checks that there is no journal. The latest changes, or unfinished ones, would be in files beside the
 * database, which are not read here.
 */
async function assertAlone(file: string): Promise<void> {
  for (const [ending, fix] of [
    ['-wal', 'PRAGMA wal_checkpoint(TRUNCATE)'],
    ['-journal', 'VACUUM'],
  ] as const) {
    const { size } = await stat(file + ending).catch(() => ({ size: 0 }));
    if (size > 0)
      throw fileError(
        file,
        `beside it lies ${path.basename(file)}${ending} with changes that it does not have.`,
        `Bring them in, by \`sqlite3 ${path.basename(file)} '${fix}'\`.`,
      );
  }
}

/** The tables and views that the database really has, with the keys of the tables file. */
function schemaOf(
  rows: readonly (readonly unknown[])[],
  entry: TablesEntry,
  { file, tablesFile }: { readonly file: string; readonly tablesFile: string },
): Schema {
  const tables = new Map<string, Column[]>();
  for (const [table, name, type, notNull, key] of rows) {
    const columns = tables.get(String(table)) ?? [];
    tables.set(String(table), columns);
    columns.push({
      name: String(name),
      type: isNumeric(String(type)) ? 'number' : 'text',
      isKey: Number(key) > 0,
      mayBeMissing: Number(notNull) === 0 && Number(key) === 0,
    });
  }
  const find = (number: number): { readonly table: string; readonly column: string } => {
    const named = entry.column_names_original[number];
    if (named === undefined || named[0] < 0)
      throw fileError(
        tablesFile,
        `a key of the database ${entry.db_id} is column ${number}, and there is no column of that number.`,
      );
    const [at, name] = named;
    const table = [...tables.keys()].find(
      (known) => known.toLowerCase() === (entry.table_names_original[at] ?? '').toLowerCase(),
    );
    const column = tables.get(table ?? '')?.find((known) => known.name.toLowerCase() === name.toLowerCase());
    if (table === undefined || column === undefined)
      throw fileError(
        file,
        `it has no column ${name} of a table ${entry.table_names_original[at] ?? `of number ${at}`}, which ${tablesFile} has.`,
        'Take database and tables file of the same version.',
      );
    return { table, column: column.name };
  };
  for (const [number, [at]] of entry.column_names_original.entries()) if (at >= 0) find(number);
  const keys = entry.foreign_keys.map(([from, to]) => ({ from: find(from), to: find(to) }));
  return [...tables]
    .filter(([name]) => !name.startsWith('sqlite_'))
    .map(([name, columns]) => ({
      name,
      columns: columns.map((column): Column => {
        const to = keys.find(({ from }) => from.table === name && from.column === column.name)?.to;
        return to === undefined ? column : { ...column, refersTo: to };
      }),
    }));
}

const explained = (schema: Schema, meanings: Meanings): Schema =>
  schema.map((table) => ({
    ...table,
    columns: table.columns.map((column) => {
      const meaning = meanings.get(placeOf(table.name, column.name));
      return meaning === undefined ? column : { ...column, meaning };
    }),
  }));

/** Follows SQLite's type affinity, except for dates, which are stored as texts. */
const isNumeric = (type: string): boolean => /INT|REAL|FLOA|DOUB|NUM|DEC|BOOL|YEAR/i.test(type);
