import type { Snapshot } from '../core/env.ts';
import { canonicalJson } from '../core/json.ts';
import { reward, type StepResult, type Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { shortDigest } from '../kit/short-digest.ts';
import { actionHelp, type SqlAction, type SqlStep } from './action.ts';
import { matchingOf, type SqlConfig } from './config.ts';
import { applyStep } from './draft/apply-step.ts';
import type { Draft } from './draft/draft.ts';
import { offeredActions } from './draft/offered.ts';
import { renderDraft, sqlName } from './draft/render-draft.ts';
import type { QueryPool } from './engine/query-pool.ts';
import type { QueryResult } from './engine/result.ts';
import { describeWrong, judgeAnswer } from './judge-answer.ts';
import { shownMessage, shownTable, type Said, type SqlObservation } from './observation.ts';
import { tableCalled, type Table } from './schema.ts';
import { savePoint, type SavedEpisode } from './snapshot.ts';
import { valuesOf, type SqlQuestion } from './task.ts';
import type { QuestionValues } from './draft/question-values.ts';

/** What the episodes of a host share. */
export interface SqlRules {
  readonly config: SqlConfig;
  readonly pool: QueryPool;
  question(ref: TaskRef): SqlQuestion;
}

/**
 * The question, and the task that its answer and rows come from. Both are the same, except where `checkEnv`
 * swaps hidden facts.
 */
export interface EpisodeTask {
  readonly ref: TaskRef;
  readonly behind: TaskRef;
}

/** Rows of a table that `look` shows. */
const sampleRows = 3;

/** One question, from the schema to the answer. */
export class SqlEpisode {
  readonly #rules: SqlRules;
  readonly #task: EpisodeTask;
  readonly #asked: SqlQuestion;
  readonly #behind: SqlQuestion;
  readonly #values: QuestionValues;
  #draft: Draft | undefined;
  #said: Said;
  /** Tables that were looked at. */
  readonly #looked: Set<string>;
  /** A digest of the last shown rows or error. */
  #lastResult: string;

  constructor(rules: SqlRules, task: EpisodeTask, saved?: SavedEpisode) {
    this.#rules = rules;
    this.#task = task;
    this.#asked = rules.question(task.ref);
    this.#behind = rules.question(task.behind);
    this.#values = valuesOf(this.#asked);
    this.#draft = saved?.draft;
    this.#said = saved?.said ?? {
      kind: 'schema',
      tables: this.#asked.database.schema.map(tableWords),
      help: actionHelp(rules.config.mode),
    };
    this.#looked = new Set(saved?.looked);
    this.#lastResult = saved?.lastResult ?? '';
  }

  get question(): SqlQuestion {
    return this.#asked;
  }

  turn(): Turn<SqlObservation, SqlAction> {
    const { ref } = this.#task;
    const draft = this.#draft === undefined ? '' : canonicalJson(this.#draft);
    const isBuilt = this.#rules.config.mode === 'steps';
    return {
      observation: this.#observation(),
      stateKey: this.stateKey(),
      anchorKey: `${ref.panel}/${ref.index}|${[...this.#looked].toSorted().join()}|${this.#lastResult}|${draft}`,
      admissible: isBuilt
        ? [...offeredActions(this.#asked.database.schema, this.#values, this.#draft)]
        : undefined,
      stepsLeft: undefined,
      seat: 0,
    };
  }

  stateKey(): string {
    const { ref, behind } = this.#task;
    return `${ref.panel}/${ref.index}#${digestOf([behind.panel, behind.index])}|${this.#draft === undefined ? '' : canonicalJson(this.#draft)}`;
  }

  async act(action: SqlAction, signal: AbortSignal): Promise<StepResult<SqlObservation, SqlAction>> {
    switch (action.kind) {
      case 'look':
        return this.#look(action.table, signal);
      case 'query':
        return this.#show(await this.#run(action.sql, signal));
      case 'answer':
        return this.#judge(action.sql, signal);
      default:
        return this.#rules.config.mode === 'text'
          ? this.#refuse('Queries are written here, not built.')
          : this.#build(action, signal);
    }
  }

  save(): Snapshot {
    return savePoint(this.#task, {
      draft: this.#draft,
      said: this.#said,
      looked: [...this.#looked].toSorted(),
      lastResult: this.#lastResult,
    });
  }

  async #build(
    action: SqlStep | { readonly kind: 'clear' | 'run' | 'finish' },
    signal: AbortSignal,
  ): Promise<StepResult<SqlObservation, SqlAction>> {
    const draft = this.#draft;
    switch (action.kind) {
      case 'run':
      case 'finish': {
        if (draft === undefined) return this.#refuse('There is no query yet: begin with `from`.');
        const sql = renderDraft(draft);
        return action.kind === 'run' ? this.#show(await this.#run(sql, signal)) : this.#judge(sql, signal);
      }
      case 'clear':
        if (draft === undefined) return this.#refuse('There is no query to clear.');
        this.#draft = undefined;
        return this.#goOn({ kind: 'drafted' });
      default:
        return this.#add(action);
    }
  }

  #add(action: SqlStep): StepResult<SqlObservation, SqlAction> {
    const next = applyStep(this.#draft, action, this.#asked.database.schema);
    if (next === undefined) return this.#refuse('That part does not fit here, or names what is not there.');
    this.#draft = next;
    return this.#goOn({ kind: 'drafted' });
  }

  async #look(label: string, signal: AbortSignal): Promise<StepResult<SqlObservation, SqlAction>> {
    const table = tableCalled(this.#asked.database.schema, label);
    if (table === undefined) return this.#refuse(`There is no table ${label}.`);
    const result = await this.#run(`SELECT * FROM ${sqlName(table.name)} LIMIT ${sampleRows}`, signal);
    this.#looked.add(table.name);
    if (result.kind !== 'rows') return this.#show(result);
    return this.#goOn({ kind: 'table', ...explainedWords(table), rows: shownTable(result, sampleRows).rows });
  }

  #run(sql: string, signal: AbortSignal): Promise<QueryResult> {
    return this.#rules.pool.run(this.#behind.database.bytes, sql, signal);
  }

  #show(result: QueryResult): StepResult<SqlObservation, SqlAction> {
    if (result.kind === 'refused') return this.#refuse(result.message);
    const said = this.#saidOf(result);
    this.#lastResult = digestOf(said);
    return { ...this.#goOn(said), metrics: { stopped: wasStopped(result) } };
  }

  #saidOf(result: Exclude<QueryResult, { readonly kind: 'refused' }>): Said {
    if (result.kind === 'error') return { kind: 'error', message: shownMessage(result.message) };
    const shown = shownTable(result, this.#rules.config.shownRows);
    return {
      kind: 'rows',
      ...shown,
      ...(result.isCut ? {} : { more: result.rows.length - shown.rows.length }),
    };
  }

  async #judge(sql: string, signal: AbortSignal): Promise<StepResult<SqlObservation, SqlAction>> {
    const { config } = this.#rules;
    const result = await this.#run(sql, signal);
    const {
      isRight,
      reward: earned,
      metrics,
      message,
      isRefused,
    } = judgeAnswer(result, sql, this.#behind, { matching: matchingOf(config), weights: config.weights });
    this.#said = {
      kind: 'judged',
      isRight,
      ...(message === undefined ? {} : { message: shownMessage(message) }),
    };
    return {
      kind: 'terminated',
      outcome: isRight ? 'solved' : 'failed',
      observation: this.#observation(),
      reward: earned,
      inadmissible: isRefused,
      metrics: { ...metrics, stopped: wasStopped(result) },
      ...(isRight ? {} : { feedback: describeWrong(result, this.#behind) }),
      stateKey: `${this.stateKey()}|answered`,
    };
  }

  #refuse(message: string): StepResult<SqlObservation, SqlAction> {
    this.#said = { kind: 'refused', message: shownMessage(message) };
    return { kind: 'ongoing', ...this.turn(), reward: reward({}), inadmissible: true };
  }

  #goOn(said: Said): StepResult<SqlObservation, SqlAction> {
    this.#said = said;
    return { kind: 'ongoing', ...this.turn(), reward: reward({}), inadmissible: false };
  }

  #observation(): SqlObservation {
    return { said: this.#said, ...(this.#draft === undefined ? {} : { draft: renderDraft(this.#draft) }) };
  }
}

/** 1 for a query that hit the time limit. */
const wasStopped = (result: QueryResult): number =>
  result.kind === 'error' && result.isLate === true ? 1 : 0;

type TableWords = Extract<Said, { readonly kind: 'schema' }>['tables'][number];

function tableWords({ name, columns }: Table): TableWords {
  return {
    name,
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type,
      isKey: column.isKey,
      ...(column.refersTo === undefined
        ? {}
        : { refersTo: `${column.refersTo.table}.${column.refersTo.column}` }),
    })),
  };
}

/** The same with the meanings of columns. */
const explainedWords = (table: Table): TableWords => ({
  ...tableWords(table),
  columns: tableWords(table).columns.map((column, at) => {
    const meaning = table.columns[at]?.meaning;
    return meaning === undefined ? column : { ...column, meaning };
  }),
});

const digestOf = (value: unknown): string => shortDigest(canonicalJson(value), 16);
