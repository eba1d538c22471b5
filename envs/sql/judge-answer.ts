import type { Reward } from '../core/step.ts';
import type { SqlConfig } from './config.ts';
import type { QueryResult } from './engine/result.ts';
import { shownMessage } from './observation.ts';
import { linkingOf, namesATable, ngramsOf } from './reward/likeness.ts';
import { isSameResult, type Matching } from './reward/match-rows.ts';
import { answerReward, type AnswerScores } from './reward/reward-terms.ts';
import { ordersRows, type SqlQuestion } from './task.ts';

/** The result of an answer. */
export interface Judgement {
  readonly isRight: boolean;
  readonly isRefused: boolean;
  readonly reward: Reward;
  readonly metrics: Readonly<Record<string, number>>;
  /** Why it could not be run. */
  readonly message?: string;
}

/** Scores the result of an answer against the gold query's rows. */
export function judgeAnswer(
  result: QueryResult,
  sql: string,
  of: SqlQuestion,
  { matching, weights }: { readonly matching: Matching; readonly weights: SqlConfig['weights'] },
): Judgement {
  const scores = scoresOf(result, sql, of, matching);
  const isRight = scores.execution === 1;
  return {
    isRight,
    isRefused: result.kind === 'refused',
    reward: answerReward(scores, weights),
    metrics: { ...scores, tableless: isRight && !namesATable(sql, of.database.schema) ? 1 : 0 },
    ...(result.kind === 'rows' ? {} : { message: result.message }),
  };
}

function scoresOf(
  result: QueryResult,
  sql: string,
  { gold, goldRows, database }: SqlQuestion,
  matching: Matching,
): AnswerScores {
  if (result.kind === 'refused') return { execution: 0, linking: 0, ngrams: 0, syntax: 0, format: 0 };
  if (result.kind === 'error') return { execution: 0, linking: 0, ngrams: 0, syntax: 0, format: 1 };
  const isSame =
    !result.isCut && isSameResult(result.rows, goldRows, { matching, isOrdered: ordersRows(gold) });
  return {
    execution: isSame ? 1 : 0,
    linking: linkingOf(sql, gold, database.schema),
    ngrams: ngramsOf(sql, gold),
    syntax: 1,
    format: 1,
  };
}

/** What is wrong with the result of an answer, without a value of the gold query's rows. */
export function describeWrong(result: QueryResult, { gold, goldRows }: SqlQuestion): string {
  if (result.kind !== 'rows') return `The query could not be run: ${shownMessage(result.message)}`;
  const [columns, wanted] = [result.columns.length, goldRows[0]?.length];
  if (wanted !== undefined && columns !== wanted)
    return `The query has the wrong number of columns: ${columns}, and the answer has ${wanted}.`;
  if (result.isCut || result.rows.length !== goldRows.length)
    return `The query has the wrong number of rows: ${result.isCut ? 'too many' : result.rows.length}, and the answer has ${goldRows.length}.`;
  return `The numbers of rows and columns are right, but values ${ordersRows(gold) ? 'or their order ' : ''}are wrong.`;
}
