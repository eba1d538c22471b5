import path from 'node:path';
import { z } from 'zod';
import { readJson } from './read-json.ts';

/** A question as a file has it. */
export interface FileQuestion {
  /** The file and the place in it. */
  readonly where: string;
  readonly database: string;
  readonly question: string;
  readonly evidence?: string;
  readonly gold: string;
  readonly difficulty?: string;
}

/**
 * A database as `tables.json` describes it. Columns refer to tables by number, and foreign keys refer to
 * columns by number.
 */
const tablesSchema = z.array(
  z.object({
    db_id: z.string().min(1),
    table_names_original: z.array(z.string()),
    column_names_original: z.array(z.tuple([z.int(), z.string()])),
    column_types: z.array(z.string()),
    primary_keys: z.array(z.union([z.int(), z.array(z.int())])),
    foreign_keys: z.array(z.tuple([z.int(), z.int()])),
  }),
);
export type TablesEntry = z.output<typeof tablesSchema>[number];

const spiderSchema = z.array(
  z.object({ db_id: z.string().min(1), question: z.string().min(1), query: z.string().min(1) }),
);
const birdSchema = z.array(
  z.object({
    db_id: z.string().min(1),
    question: z.string().min(1),
    evidence: z.string().optional(),
    SQL: z.string().min(1),
    difficulty: z.string().optional(),
  }),
);

/** The questions of one file, and where their databases are. */
export interface QuestionSet {
  readonly part: 'train' | 'dev';
  readonly file: string;
  readonly questions: readonly FileQuestion[];
  /** By id, from the tables file that belongs to the questions. */
  readonly tables: ReadonlyMap<string, TablesEntry>;
  readonly tablesFile: string;
  readonly databases: string;
}

/**
 * Reads the files of a folder in the format of Spider: train_spider.json, train_others.json and dev.json, as
 * far as they exist.
 */
export async function readSpider(folder: string): Promise<readonly QuestionSet[]> {
  const tablesFile = path.join(folder, 'tables.json');
  const tables = await readTables(tablesFile);
  const files = [
    ['train', 'train_spider.json'],
    ['train', 'train_others.json'],
    ['dev', 'dev.json'],
  ] as const;
  const sets = await Promise.all(
    files.map(async ([part, name]): Promise<QuestionSet | undefined> => {
      const file = path.join(folder, name);
      const entries = await readJson(file, spiderSchema);
      const questions = entries?.map(({ db_id, question, query }, at): FileQuestion => ({
        where: `${file}, entry ${at + 1}`,
        database: db_id,
        question,
        gold: query,
      }));
      return questions === undefined
        ? undefined
        : { part, file, questions, tables, tablesFile, databases: path.join(folder, 'database') };
    }),
  );
  return sets.filter((set) => set !== undefined);
}

/**
 * Reads the files of a folder in the format of BIRD: dev.json and train.json, each with its tables and
 * databases beside it, or in a folder of its name.
 */
export async function readBird(folder: string): Promise<readonly QuestionSet[]> {
  const parts = await Promise.all(
    (['train', 'dev'] as const).flatMap((part) =>
      [folder, path.join(folder, part)].map(async (at): Promise<QuestionSet | undefined> => {
        const file = path.join(at, `${part}.json`);
        const entries = await readJson(file, birdSchema);
        if (entries === undefined) return undefined;
        const questions = entries.map(
          ({ db_id, question, evidence, SQL, difficulty }, number): FileQuestion => ({
            where: `${file}, entry ${number + 1}`,
            database: db_id,
            question,
            gold: SQL,
            ...(evidence === undefined ? {} : { evidence }),
            ...(difficulty === undefined ? {} : { difficulty }),
          }),
        );
        const tablesFile = path.join(at, `${part}_tables.json`);
        return {
          part,
          file,
          questions,
          tables: await readTables(tablesFile),
          tablesFile,
          databases: path.join(at, `${part}_databases`),
        };
      }),
    ),
  );
  return parts.filter((set) => set !== undefined);
}

async function readTables(file: string): Promise<ReadonlyMap<string, TablesEntry>> {
  const entries = await readJson(file, tablesSchema);
  return new Map((entries ?? []).map((entry) => [entry.db_id, entry]));
}
