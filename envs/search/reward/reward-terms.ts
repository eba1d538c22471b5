import { z } from 'zod';

const weight = (of: string, usual: number) => z.number().min(0).max(100).default(usual).describe(of);

/** Verdicts of an episode that are paid for. */
export const paidVerdicts = 10;

/** What an episode is paid for. */
export const weightsSchema = z
  .strictObject({
    answer: weight('paid where the answer is right', 1),
    f1: weight('times the F1 of the words of the answer', 0),
    format: weight('paid with an answer where each reply was a thought and one action', 0),
    retrieval: weight(
      'times the share of the supporting documents that have been shown; where they are unknown, once for a shown answer',
      0,
    ),
    judge: weight(
      `a tenth of it for each right verdict, less for each wrong one, over ${paidVerdicts} verdicts`,
      0,
    ),
    confidence: weight(
      'times (confidence - 1 if right, else 0)^2, taken for an answer; without a confidence, all of it',
      0,
    ),
    cost: weight('divided by maxSteps, taken for each search and each opened page', 0),
  })
  .superRefine((weights, issues) => {
    const flaw = flawOfWeights(weights);
    if (flaw !== undefined) issues.addIssue({ code: 'custom', message: flaw });
  });
export type RewardWeights = z.output<typeof weightsSchema>;

interface Weights {
  readonly answer: number;
  readonly f1: number;
  readonly format: number;
  readonly retrieval: number;
  readonly judge: number;
  readonly cost: number;
  readonly confidence: number;
}

/** Why a failed episode could earn as much as a solved one; undefined where none can. */
export function flawOfWeights(weights: Weights): string | undefined {
  const { answer, f1, format, retrieval, judge, cost, confidence } = weights;
  const beside = format + retrieval + 2 * judge + cost;
  if (beside === 0 && answer > 0 && answer >= confidence) return undefined;
  if (answer > beside + confidence || (beside + confidence === 0 && answer + f1 > 0)) return undefined;
  return `a wrong answer could earn as much as a right one: answer must be more than format + retrieval + 2 judge + cost + confidence, ${beside + confidence}`;
}

/**
 * The flaw of weights where an answer may contain more than the gold answer: a right one may have an F1 near 0, and a wrong one
 * an F1 near 1.
 */
export function flawOfContaining(weights: Weights): string | undefined {
  const { answer, f1, format, retrieval, judge, cost, confidence } = weights;
  const beside = f1 + format + retrieval + 2 * judge + cost + confidence;
  if (f1 === 0 || answer > beside) return undefined;
  return `with matching=contains, a wrong answer could earn as much as a right one: answer must be more than f1 + format + retrieval + 2 judge + cost + confidence, ${beside}`;
}
