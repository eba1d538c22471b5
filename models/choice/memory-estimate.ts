import type { ChoiceConfig } from './choice-config.ts';
import { weightNames, weightShapes } from './choice-weights.ts';

/** The size of a batch: totals, or averages times the number of decisions. */
export interface ChoiceBatchSize {
  readonly decisions: number;
  /** Candidate rows in all. */
  readonly rows: number;
  /** Features of states and candidates in all. */
  readonly features: number;
}

/** Bytes on the tensor backend. */
export interface MemoryEstimate {
  readonly weights: number;
  /** AdamW's two moments. */
  readonly optimiser: number;
  readonly gradient: number;
  /** What one batch needs beside these while it is learned from. */
  readonly batch: number;
  /** The most that is held at any moment of `accumulate` and `apply`. */
  readonly peak: number;
}

const bytesPerNumber = 4;

/**
 * What training a choice model of this shape takes on batches of this size with no two rows alike, and so at most; `npm run perf` compares it
 * with what was taken.
 */
export function estimateChoiceMemory(config: ChoiceConfig, batch: ChoiceBatchSize): MemoryEstimate {
  const shapes = weightShapes(config);
  const weights =
    bytesPerNumber * weightNames.reduce((sum, name) => sum + shapes[name][0] * shapes[name][1], 0);
  const optimiser = 2 * weights;
  const learning = bytesPerNumber * numbersWhileLearning(config, batch);
  return {
    weights,
    optimiser,
    gradient: weights,
    batch: learning,
    peak: weights + optimiser + Math.max(2 * weights + learning, 4 * weights), // old and new gradient; or the state before and after a step
  };
}

/** Bytes that the weights and moments of a policy take on disk, about. */
export function checkpointBytes(config: ChoiceConfig): number {
  const { weights, optimiser } = estimateChoiceMemory(config, { decisions: 0, rows: 0, features: 0 });
  return weights + optimiser;
}

/** Numbers that live during the backward pass, its result left out: intermediate tensors are freed together at its end. */
function numbersWhileLearning(config: ChoiceConfig, { decisions, rows, features }: ChoiceBatchSize): number {
  const sums = rows + decisions;
  const kept = 2 * rows * (config.width + config.hidden) + rows; // activations, masks, logits
  const forwards =
    features + sums + sums * config.width + 3 * rows + 2 * rows * (config.width + config.hidden);
  const backwards =
    features + config.buckets + sums * config.width + 7 * rows + 2 * rows * (config.width + config.hidden);
  return kept + Math.max(forwards, backwards);
}
