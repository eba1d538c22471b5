import type { Reward } from '../core/step.ts';
import type { SqlConfig } from './config.ts';
import type { QueryResult } from './engine/result.ts';
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
