import { tokensOf, type SqlToken } from '../engine/sql-token.ts';
import type { Schema, Table } from '../schema.ts';

/**
 * Words after which a name or another operand follows. A name after anything else that stands for a value is
 * an alias.
 */
const opens = new Set(
  'SELECT DISTINCT ALL FROM JOIN ON WHERE AND OR NOT BY HAVING CASE WHEN THEN ELSE IN LIKE GLOB REGEXP MATCH BETWEEN IS LIMIT OFFSET UNION EXCEPT INTERSECT EXISTS USING WITH RECURSIVE VALUES ESCAPE COLLATE OVER FILTER PARTITION'.split(
    ' ',
  ),
);
/** Words that start another part of a query, at their depth of parentheses. */
const parts = new Set(
  'SELECT FROM JOIN ON USING WHERE GROUP HAVING ORDER LIMIT UNION EXCEPT INTERSECT WINDOW VALUES'.split(' '),
);

interface Name {
  readonly text: string;
  readonly before: SqlToken | undefined;
  readonly after: SqlToken | undefined;
  /** The part of a query that contains it, such as `FROM`. */
  readonly part: string | undefined;
}

/**
 * The tables and columns that a query reads, by their bare names. Tables are the names after FROM and JOIN.
 * Columns are names of columns of these tables. Excluded are aliases, names of WITH, and quoted names without
 * such a table, which SQLite reads as texts.
 */
export function namesUsed(sql: string, schema: Schema): ReadonlySet<string> {
  const names = namesIn(tokensOf(sql));
  const own = new Set(names.filter(isDefinition).map(({ text }) => text));
  const tables = new Map(schema.map((table): [string, Table] => [table.name.toLowerCase(), table]));
  const read = new Set(
    names
      .filter((name) => isTable(name) && !own.has(name.text) && tables.has(name.text))
      .map(({ text }) => text),
  );
  const columns = new Set(
    [...read].flatMap((name) => tables.get(name)?.columns.map((column) => column.name.toLowerCase()) ?? []),
  );
  const used = names.filter((name) => !isTable(name) && name.after?.text !== '.' && columns.has(name.text));
  return new Set([...[...read].map((name) => `table ${name}`), ...used.map(({ text }) => `column ${text}`)]);
}

/** All names that are no aliases, in lower case. */
function namesIn(tokens: readonly SqlToken[]): readonly Name[] {
  const names: Name[] = [];
  const open: (string | undefined)[] = [undefined];
  for (const [at, token] of tokens.entries()) {
    const word = token.kind === 'word' ? token.text.toUpperCase() : token.text;
    const part = open.at(-1);
    if (word === '(') open.push(part === 'FROM' ? 'FROM' : undefined);
    else if (word === ')') open.pop();
    else if (word === ',' && (part === 'ON' || part === 'USING')) open.splice(-1, 1, 'FROM');
    else if (token.kind === 'word' && parts.has(word)) open.splice(-1, 1, word === 'JOIN' ? 'FROM' : word);
    const [before, after] = [tokens[at - 1], tokens[at + 1]];
    if (isName(token) && !isAlias(before))
      names.push({ text: token.text.toLowerCase(), before, after, part: open.at(-1) });
  }
  return names;
}

const isName = ({ kind, text }: SqlToken): boolean =>
  kind === 'quoted-name' || (kind === 'word' && !opens.has(text.toUpperCase()));

function isAlias(before: SqlToken | undefined): boolean {
  if (before === undefined) return false;
  if (before.kind === 'word') return !opens.has(before.text.toUpperCase());
  return before.text === ')' || ['quoted-name', 'number', 'string', 'blob'].includes(before.kind);
}

/** True for the names that WITH defines. */
const isDefinition = ({ before, after }: Name): boolean =>
  (before === undefined || before.text === ',' || /^(with|recursive)$/i.test(before.text)) &&
  (after?.text === '(' || after?.text.toUpperCase() === 'AS');

const isTable = ({ before, part }: Name): boolean =>
  part === 'FROM' &&
  before?.text !== '.' &&
  (before?.text === ',' || before?.text === '(' || /^(from|join)$/i.test(before?.text ?? ''));
