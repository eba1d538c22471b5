import { reward, type Reward } from '../../core/step.ts';

/** What an answer is paid for, each from 0 to 1. */
export interface AnswerScores {
  /** Its rows are those of the gold query. */
  readonly execution: number;
  /** Tables and columns are those of the gold query, of an answer that runs. */
  readonly linking: number;
  /** Its tokens stand together as in the gold query, of an answer that runs. */
  readonly ngrams: number;
  /** It runs. */
  readonly syntax: number;
  /** It is one query, and no more. */
  readonly format: number;
}
export type RewardWeights = AnswerScores;

const terms = ['execution', 'linking', 'ngrams', 'syntax', 'format'] as const;

/** Each score times its weight, of those that have one. */
export function answerReward(scores: AnswerScores, weights: RewardWeights): Reward {
  return reward(
    Object.fromEntries(
      terms.filter((term) => weights[term] > 0).map((term) => [term, weights[term] * scores[term]]),
    ),
  );
}

/**
 * Why weights would pay a wrong answer as much as a right one, or nothing for running at all; undefined where they do not. A right answer earns
 * execution, syntax and format whatever it looks like; a wrong one that runs can earn all but execution.
 */
export function flawOfWeights({ execution, linking, ngrams }: RewardWeights): string | undefined {
  return execution > linking + ngrams
    ? undefined
    : `execution (${execution}) must be above linking and ngrams together (${linking + ngrams}), else a wrong answer that looks right earns as much as a right one`;
}
