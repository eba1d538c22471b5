import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { databaseOf, smallSchema } from './small-database.ts';

/** The entry of a tables file for the small database, with the additional keys of both published sets. */
export const smallTables = {
  db_id: 'club_life',
  table_names: ['clubs', 'members'],
  table_names_original: ['clubs', 'members'],
  column_names: [
    [-1, '*'],
    [0, 'id'],
    [0, 'name'],
    [0, 'town'],
    [1, 'id'],
    [1, 'name'],
    [1, 'age'],
    [1, 'club id'],
  ],
  column_names_original: [
    [-1, '*'],
    [0, 'id'],
    [0, 'name'],
    [0, 'town'],
    [1, 'id'],
    [1, 'Name'],
    [1, 'age'],
    [1, 'club_id'],
  ],
  column_types: ['text', 'number', 'text', 'text', 'number', 'text', 'number', 'number'],
  primary_keys: [1, [4]],
  foreign_keys: [[7, 1]],
};

const gold = 'SELECT name FROM members WHERE age > 40';
export const spiderQuestion = (over: object = {}): object => ({
  db_id: 'club_life',
  question: 'Who is older than 40?',
  query: gold,
  query_toks: ['SELECT'],
  query_toks_no_value: [],
  question_toks: [],
  sql: {},
  ...over,
});
export const birdQuestion = (over: object = {}): object => ({
  question_id: 0,
  db_id: 'club_life',
  question: 'Who is older than 40?',
  evidence: 'older means age > 40',
  SQL: gold,
  difficulty: 'simple',
  ...over,
});

/** Files of a folder: JSON as a value, databases as statements or bytes. */
export type FolderFiles = Readonly<Record<string, unknown>>;

const small = { sql: smallSchema };

/** A folder in the form of Spider, with these files replacing its own or added to them. undefined leaves a file out. */
export const spiderFiles = (over: FolderFiles = {}): FolderFiles => ({
  'tables.json': ['club_life', 'other_life', 'third_life'].map((db_id) => ({ ...smallTables, db_id })),
  'train_spider.json': ['club_life', 'other_life', 'third_life'].flatMap((db_id) => [
    spiderQuestion({ db_id }),
    spiderQuestion({ db_id, question: 'How many members are there?', query: 'SELECT count(*) FROM members' }),
  ]),
  'dev.json': [
    spiderQuestion(),
    spiderQuestion({
      question: 'Towns?',
      query: 'SELECT T2.town FROM members AS T1 JOIN clubs AS T2 ON T1.club_id = T2.id ORDER BY T1.id',
    }),
  ],
  ...Object.fromEntries(
    ['club_life', 'other_life', 'third_life'].map((id) => [
      `database/${id}/${id}.sqlite`,
      { sql: `${smallSchema}; CREATE TABLE mark_${id} (x)` },
    ]),
  ),
  ...over,
});

/** The same in the form of the dev set of BIRD. */
export const birdFiles = (over: FolderFiles = {}): FolderFiles => ({
  'dev_tables.json': [smallTables],
  'dev.json': [
    birdQuestion(),
    birdQuestion({
      question: 'How many?',
      evidence: '',
      SQL: 'SELECT COUNT(*) FROM members',
      difficulty: 'challenging',
    }),
  ],
  'dev_databases/club_life/club_life.sqlite': small,
  ...over,
});

/** Writes a folder; remove it after use. */
export async function writeFolder(files: FolderFiles): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'cairn-sql-'));
  for (const [name, content] of Object.entries(files)) {
    if (content === undefined) continue;
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    if (content instanceof Uint8Array || typeof content === 'string') writeFileSync(file, content);
    else writeFileSync(file, isStatements(content) ? await databaseOf(content.sql) : JSON.stringify(content));
  }
  return folder;
}

const isStatements = (content: unknown): content is { readonly sql: string } =>
  typeof content === 'object' && content !== null && 'sql' in content && Object.keys(content).length === 1;

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true });
