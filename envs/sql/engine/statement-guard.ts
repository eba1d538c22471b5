import { tokensOf } from './sql-token.ts';

/** Longer ones are refused unread: no question needs them. */
export const longestStatement = 100_000;

/** What a query begins with. `EXPLAIN` and `PRAGMA` are none: they show the engine, not the data. */
const openers = new Set(['SELECT', 'WITH', 'VALUES']);

/** What is said of a text with more than one statement, whoever finds the second. */
export const severalStatements = 'One query at a time: there are several statements.';

/** What is said of a query that writes, whoever finds it out. */
export const changesDatabase = 'The database is not to be changed: only queries can be run.';

/**
 * Why a text cannot be run as one query, or undefined where it can be: how many statements there are, behind strings and comments, and which
 * word the only one begins with. SQLite has no authorizer here, so it is asked besides: where the first statement ends, whether its plan
 * writes ({@link writesByPlan}), and afterwards what is changed; see `run-query.ts`.
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

/** Whether nothing but spaces, comments and semicolons is left: of what the engine leaves of a text behind its first statement. */
export const isEmpty = (sql: string): boolean => tokensOf(sql).every(({ kind }) => kind === 'semicolon');

/** What `EXPLAIN` says of a statement: rows of address, opcode, p1, p2 and more (https://sqlite.org/opcode.html). */
export function writesByPlan(plan: readonly (readonly unknown[])[]): boolean {
  return plan.some(([, opcode, , p2]) => opcode === 'OpenWrite' || (opcode === 'Transaction' && p2 !== 0));
}
