import { tokensOf } from './sql-token.ts';

/** Longer ones are refused unread: no question needs them. */
export const longestStatement = 100_000;

/** What a query begins with. `EXPLAIN` and `PRAGMA` are none: they show the engine, not the data. */
const openers = new Set(['SELECT', 'WITH', 'VALUES']);

/**
 * Why a text cannot be run as one query, or undefined where it can be. SQLite has no authorizer here, so what is asked is what cannot be
 * hidden: how many statements there are, behind strings and comments, and which word the only one begins with. Whether a `WITH` goes on to
 * write, the plan says: see {@link writesByPlan}.
 */
export function refusalOf(sql: string): string | undefined {
  if (sql.length > longestStatement) return `A query has at most ${longestStatement} characters; this one has ${sql.length}.`;
  if (sql.includes('\0')) return 'A query has no NUL characters.';
  const tokens = tokensOf(sql);
  const broken = tokens.find(({ kind }) => kind === 'broken');
  if (broken !== undefined) return `This is no SQL: nothing can begin with ${JSON.stringify(broken.text)} there.`;
  const first = tokens.find(({ kind }) => kind !== 'semicolon');
  if (first === undefined) return 'There is no query.';
  if (tokens[0] !== first) return 'There is a semicolon before the query: leave it out.';
  const end = tokens.findIndex(({ kind }, at) => kind === 'semicolon' && at > tokens.indexOf(first));
  if (end >= 0 && tokens.slice(end).some(({ kind }) => kind !== 'semicolon')) return 'One query at a time: there are several statements.';
  if (first.kind === 'word' && openers.has(first.text.toUpperCase())) return undefined;
  return 'Only queries can be run, which begin with SELECT, WITH or VALUES: the database is not to be changed.';
}

/** What `EXPLAIN` says of a statement: rows of address, opcode, p1, p2 and more (https://sqlite.org/opcode.html). */
export function writesByPlan(plan: readonly (readonly unknown[])[]): boolean {
  return plan.some(([, opcode, , p2]) => opcode === 'OpenWrite' || (opcode === 'Transaction' && p2 !== 0));
}
