import { tokensOf } from './sql-token.ts';

/** Longer statements are refused without parsing. No question needs them. */
export const longestStatement = 100_000;

/** The first words of queries. `EXPLAIN` and `PRAGMA` are excluded: they show the engine, not the data. */
const openers = new Set(['SELECT', 'WITH', 'VALUES']);

/** The message for a text with several statements, wherever this is detected. */
export const severalStatements = 'One query at a time: there are several statements.';

/** The message for a query that writes, wherever this is detected. */
export const changesDatabase = 'The database is not to be changed: only queries can be run.';

/**
 * Why a text cannot be run as one query; undefined where it can. It checks the number of statements, outside
 * of strings and comments, and the first word. SQLite has no authorizer here. So two more things are checked:
 * where the first statement ends, and whether its plan writes ({@link writesByPlan}). Afterwards it is
 * checked what has changed; see `run-query.ts`.
 */
export function refusalOf(sql: string): string | undefined {
  if (sql.length > longestStatement)
    return `A query has at most ${longestStatement} characters; this one has ${sql.length}.`;
  if (sql.includes('\0')) return 'A query has no NUL characters.';
  const tokens = tokensOf(sql);
  const broken = tokens.find(({ kind }) => kind === 'broken');
  if (broken !== undefined)
    return `This is no SQL: nothing can begin with ${JSON.stringify(broken.text)} there.`;
  if (tokens.some(({ kind }) => kind === 'variable'))
    return 'A query has no variables: write the values themselves.';
  const first = tokens.find(({ kind }) => kind !== 'semicolon');
  if (first === undefined) return 'There is no query.';
  if (tokens[0] !== first) return 'There is a semicolon before the query: leave it out.';
  const end = tokens.findIndex(({ kind }, at) => kind === 'semicolon' && at > tokens.indexOf(first));
  if (end >= 0 && tokens.slice(end).some(({ kind }) => kind !== 'semicolon')) return severalStatements;
  if (first.kind === 'word' && openers.has(first.text.toUpperCase())) return undefined;
  return 'Only queries can be run, which begin with SELECT, WITH or VALUES: the database is not to be changed.';
}

/** Whether the text after the first statement has only white space, comments and semicolons. */
export const isEmpty = (sql: string): boolean => tokensOf(sql).every(({ kind }) => kind === 'semicolon');

/**
 * Whether the output of `EXPLAIN` shows a write: rows of address, opcode, p1, p2 and more
 * (https://sqlite.org/opcode.html).
 */
export function writesByPlan(plan: readonly (readonly unknown[])[]): boolean {
  return plan.some(([, opcode, , p2]) => opcode === 'OpenWrite' || (opcode === 'Transaction' && p2 !== 0));
}
