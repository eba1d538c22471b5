import { createHash } from 'node:crypto';
import { UsageError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { Logger } from '../../core/log.ts';
import { assertTask, type UnavailablePanel, type PanelInfo, type TaskRef } from '../../core/task.ts';
import type { SqlConfig } from '../config.ts';
import type { QueryPool } from '../engine/query-pool.ts';
import { tokensOf } from '../engine/sql-token.ts';
import type { QuestionSource } from '../question-source.ts';
import type { SharedDatabase, SqlQuestion } from '../task.ts';
import { fileError } from './file-error.ts';
import { readBird, readSpider, type FileQuestion, type QuestionSet } from './layouts.ts';
import { idOf, readDatabase } from './read-database.ts';

type FolderConfig = Exclude<SqlConfig['source'], { readonly kind: 'generated' }>;

/** What opening needs besides the files. */
interface Opening {
  readonly pool: QueryPool;
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly path: string;
}

/** A question that cannot be used. */
interface LeftOut {
  readonly database: Pick<SharedDatabase, 'id'>;
  /** Its place, and what is wrong with its gold query or its database. */
  readonly why: string;
  /** `too-many-rows`: its gold query gives more than `maxRows`. */
  readonly code?: 'too-many-rows';
}

interface Loaded {
  readonly questions: readonly SqlQuestion[];
  readonly leftOut: readonly LeftOut[];
}

interface Panel extends PanelInfo, Loaded {}

/** Questions of a folder in the format of Spider or BIRD. All their gold queries have been run. */
export class FolderSource implements QuestionSource {
  readonly panels: readonly PanelInfo[];
  readonly unavailablePanels: readonly UnavailablePanel[];
  readonly isOwn = false;
  readonly #panels: ReadonlyMap<string, Panel>;

  private constructor(panels: readonly Panel[], unavailablePanels: readonly UnavailablePanel[]) {
    this.unavailablePanels = unavailablePanels;
    this.panels = panels.map(({ name, size, purpose, summary }) => ({ name, size, purpose, summary }));
    this.#panels = new Map(panels.map((panel) => [panel.name, panel]));
  }

  /**
   * Opens a folder.
   *
   * @throws UsageError for files that are missing or damaged, databases that differ from the tables file, and
   * gold queries that fail
   */
  static async open(config: FolderConfig, opening: Opening): Promise<FolderSource> {
    const sets = await (config.kind === 'spider' ? readSpider : readBird)(config.folder);
    if (sets.length === 0)
      throw fileError(
        config.folder,
        `it has none of the questions files of ${config.kind === 'spider' ? 'Spider: train_spider.json, train_others.json, dev.json' : 'BIRD: train.json, dev.json'}.`,
        'Name the folder that has them.',
      );
    const chosen = config.databases === undefined ? undefined : new Set(config.databases);
    const loaded = await Promise.all(
      sets.map(async (set) => ({
        part: set.part,
        ...(await loadSet(set, { chosen, failing: config.failing }, opening)),
      })),
    );
    const of = (
      part: QuestionSet['part'],
      isIn: (of: { readonly database: Pick<SharedDatabase, 'id'> }) => boolean,
    ): Loaded => {
      const parts = loaded.filter((set) => set.part === part);
      return {
        questions: parts.flatMap(({ questions }) => questions.filter(isIn)),
        leftOut: parts.flatMap(({ leftOut }) => leftOut.filter(isIn)),
      };
    };
    const panels = [
      panelOf(
        {
          name: 'train',
          purpose: 'train',
          summary: 'questions of the training files, about seven databases of eight',
        },
        of('train', ({ database }) => !isForChoices(database)),
      ),
      panelOf(
        {
          name: 'dev',
          purpose: 'dev',
          summary: 'questions of the training files, about the other databases, to choose settings by',
        },
        of('train', ({ database }) => isForChoices(database)),
      ),
      panelOf(
        {
          name: `${config.kind}-dev`,
          purpose: 'held-out',
          summary: 'questions of dev.json, on which results are published',
        },
        of('dev', () => true),
      ),
    ];
    const filled = panels.filter(({ size }) => size > 0);
    if (filled.length === 0)
      throw nothingLeft(
        config.folder,
        panels.flatMap(({ leftOut }) => leftOut),
      );
    return new FolderSource(
      filled,
      panels
        .filter(({ size, leftOut }) => size === 0 && leftOut.length > 0)
        .map(({ name, leftOut }) => ({ name, ...emptinessOf(leftOut) })),
    );
  }

  question(ref: TaskRef): SqlQuestion {
    assertTask(this, 'sql-v1', ref);
    return this.#panels.get(ref.panel)?.questions[ref.index] as SqlQuestion;
  }

  contentOf(ref: TaskRef): Json {
    const { question, evidence, gold, database } = this.question(ref);
    return { question, ...(evidence === undefined ? {} : { evidence }), gold, database: database.digest };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const panelOf = (info: Omit<PanelInfo, 'size'>, loaded: Loaded): Panel => ({
  ...info,
  size: loaded.questions.length,
  ...loaded,
});

/** Why no question is left, and how to get some back. */
function emptinessOf(leftOut: readonly LeftOut[]): Omit<UnavailablePanel, 'name'> {
  return {
    why: `${leftOut.length === 1 ? 'its only question was' : `all of its ${leftOut.length} questions were`} left out (source.failing=leave-out): ${failures(leftOut)}`,
    fix: `Fix them${raising(leftOut)}`,
  };
}

function nothingLeft(folder: string, leftOut: readonly LeftOut[]): UsageError {
  if (leftOut.length === 0)
    return fileError(folder, 'no question is left.', 'Name other databases, or leave `databases` out.');
  const { why, fix } = emptinessOf(leftOut);
  return fileError(
    folder,
    `no question is left: ${why}.`,
    `${fix}, or name another folder or other databases.`,
  );
}

/** The most reasons that an error lists. */
const told = 5;

function failures(leftOut: readonly LeftOut[]): string {
  const reasons = leftOut.map(({ why }) => why);
  const many =
    reasons.length === 1 ? '1 question cannot be used' : `${reasons.length} questions cannot be used`;
  return `${many}: ${reasons.slice(0, told).join('; ')}${reasons.length > told ? '; ...' : ''}`;
}

/** The extra fix where some queries only return too many rows. */
const raising = (leftOut: readonly LeftOut[]): string =>
  leftOut.some(({ code }) => code === 'too-many-rows') ? '; a higher maxRows lets more rows through' : '';

/**
 * One database of eight, by its id. Its questions are for choosing settings, and no other panel has questions
 * about it.
 */
const isForChoices = ({ id }: Pick<SharedDatabase, 'id'>): boolean =>
  (createHash('sha256').update(id).digest()[0] ?? 0) % 8 === 0;

interface Choice {
  readonly chosen: ReadonlySet<string> | undefined;
  readonly failing: FolderConfig['failing'];
}

async function loadSet(set: QuestionSet, { chosen, failing }: Choice, opening: Opening): Promise<Loaded> {
  const asked = set.questions.filter(({ database }) => chosen?.has(database) ?? true);
  const databases = new Map<string, SharedDatabase | UsageError>();
  const unread: string[] = [];
  for (const id of new Set(asked.map(({ database }) => database))) {
    const read = await readDatabaseOr(id, set, failing, opening);
    databases.set(id, UsageError.is(read) ? read : read.database);
    if (!UsageError.is(read)) unread.push(...read.unread);
  }
  const tried = await Promise.all(
    asked.map(async (question): Promise<SqlQuestion | LeftOut> => {
      const database = databases.get(question.database) as SharedDatabase | UsageError;
      return UsageError.is(database)
        ? {
            database: { id: idOf(question.database, set) },
            why: `${question.where}: ${database.message.replace(/\.$/, '')}`,
          }
        : tryGold(question, database, opening);
    }),
  );
  const leftOut = tried.filter((result) => 'why' in result);
  if (leftOut.length > 0 && failing === 'refuse')
    throw fileError(
      set.file,
      `${failures(leftOut)}.`,
      `Fix them, or leave them out with failing=leave-out${raising(leftOut)}.`,
    );
  const questions = tried.filter((result): result is SqlQuestion => !('why' in result));
  const say = (name: string, count: number): void => {
    if (count > 0) opening.log.event(opening.path, { type: 'opening-tally', part: set.file, name, count });
  };
  say('questions left out, whose gold query fails or whose database cannot be used', leftOut.length);
  say(
    `description files that cannot be used, so their columns have no description (${unread[0] ?? ''})`,
    unread.length,
  );
  say(
    'questions whose gold query gives no rows: any answer without rows is right',
    questions.filter(({ goldRows }) => goldRows.length === 0).length,
  );
  return { questions, leftOut };
}

/** Reads a database. Where broken ones are left out, returns what is wrong with it. */
async function readDatabaseOr(
  id: string,
  set: QuestionSet,
  failing: FolderConfig['failing'],
  { pool, signal }: Opening,
): Promise<Awaited<ReturnType<typeof readDatabase>> | UsageError> {
  try {
    return await readDatabase(id, set, pool, signal);
  } catch (thrown) {
    if (failing === 'refuse' || !UsageError.is(thrown)) throw thrown;
    return thrown;
  }
}

/** The question with its rows, or why its gold query cannot be used. */
async function tryGold(
  { where, database: named, question, evidence, gold, difficulty }: FileQuestion,
  database: SharedDatabase,
  { pool, signal }: Opening,
): Promise<SqlQuestion | LeftOut> {
  const result = await pool.run(database.bytes, gold, signal);
  const leftOut = (what: string): LeftOut => ({ database, why: `${where}, about ${named}: ${what}` });
  // becomes part of an error that ends with a full stop
  if (result.kind !== 'rows') return leftOut(result.message.replace(/\.$/, ''));
  if (result.isCut)
    return {
      ...leftOut('it gives more rows than maxRows, or longer texts than are kept'),
      code: 'too-many-rows',
    };
  return {
    family: difficulty ?? levelOf(gold),
    question,
    gold,
    goldRows: result.rows,
    database,
    ...(evidence === undefined ? {} : { evidence }),
  };
}

/** The difficulty of a query, by its parts: the families of our own questions. */
function levelOf(sql: string): string {
  const words = tokensOf(sql).flatMap(({ kind, text }) => (kind === 'word' ? [text.toUpperCase()] : []));
  const has = (...any: readonly string[]): boolean => any.some((word) => words.includes(word));
  if (has('INTERSECT', 'EXCEPT', 'UNION', 'HAVING') || words.filter((word) => word === 'SELECT').length > 1)
    return 'nested';
  if (has('JOIN')) return 'join';
  return has('GROUP', 'COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'DISTINCT') ? 'aggregate' : 'filter';
}
