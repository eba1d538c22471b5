import { reward, type Reward } from '../../core/step.ts';

/** The scores of an answer, each from 0 to 1. */
export interface AnswerScores {
  /** Its rows are those of the gold query. */
  readonly execution: number;
  /** Its tables and columns are those of the gold query, for an answer that runs. */
  readonly linking: number;
  /** Its token runs are those of the gold query, for an answer that runs. */
  readonly ngrams: number;
  /** It runs. */
  readonly syntax: number;
  /** It is exactly one query. */
  readonly format: number;
}
export type RewardWeights = AnswerScores;

const terms = ['execution', 'linking', 'ngrams', 'syntax', 'format'] as const;

/** Each score times its weight, where it has one. */
export function answerReward(scores: AnswerScores, weights: RewardWeights): Reward {
  return reward(
    Object.fromEntries(
      terms.filter((term) => weights[term] > 0).map((term) => [term, weights[term] * scores[term]]),
    ),
  );
}

/**
 * Why the weights would pay a wrong answer as much as a right one, or nothing for running at all; undefined
 * where they do not. A right answer earns execution, syntax and format in any form. A wrong one that runs can
 * earn everything except execution.
 */
export function flawOfWeights({ execution, linking, ngrams }: RewardWeights): string | undefined {
  return execution > linking + ngrams
    ? undefined
    : `execution (${execution}) must be above linking and ngrams together (${linking + ngrams}), else a wrong answer that looks right earns as much as a right one`;
}
