import { tokensOf, type SqlToken } from '../engine/sql-token.ts';
import type { Schema } from '../schema.ts';
import { namesUsed } from './names-used.ts';

/** Shared members divided by all members; 1 where both sets are empty. */
function jaccard(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((member) => other.has(member)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 1 : shared / all;
}

/** Whether a query reads any table. The rows of a query that reads none do not come from the database. */
export const namesATable = (sql: string, schema: Schema): boolean =>
  [...namesUsed(sql, schema)].some((name) => name.startsWith('table '));

/** Schema linking: the Jaccard index of the used tables and columns. */
export const linkingOf = (sql: string, gold: string, schema: Schema): number =>
  jaccard(namesUsed(sql, schema), namesUsed(gold, schema));

/** The longest run of tokens that is compared. */
const longestGram = 3;

/** The Jaccard index of the runs of one to three tokens. */
export const ngramsOf = (sql: string, gold: string): number => jaccard(gramsIn(sql), gramsIn(gold));

function gramsIn(sql: string): ReadonlySet<string> {
  const words = tokensOf(sql)
    .filter(({ kind }) => kind !== 'semicolon')
    .map(wordOf);
  const grams = new Set<string>();
  for (let length = 1; length <= longestGram; length += 1)
    for (let at = 0; at + length <= words.length; at += 1) grams.add(words.slice(at, at + length).join(' '));
  return grams;
}

/** Only strings are case-sensitive. */
const wordOf = ({ kind, text }: SqlToken): string => (kind === 'string' ? text : text.toLowerCase());
