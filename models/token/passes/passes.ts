import type { CachedPasses, CacheSize } from '../generate/cached-passes.ts';
import type { TokenBatch, TokenTraining } from '../token-batch.ts';
import type { LossSums } from '../../loss-totals.ts';
import type { TokenObjective } from '../token-objective.ts';
import type { NamedTensors } from '../weight-layout.ts';

export interface ScoreJob {
  readonly batch: TokenBatch;
  readonly temperature: number;
  /** By the weights that are trained, or by those of the reference. */
  readonly whose: 'trained' | 'reference';
  /** The batch's in errors. */
  readonly name: string;
}

export interface LearnJob {
  readonly training: TokenTraining;
  readonly objective: TokenObjective;
  /** Compute each layer again in the backward pass. */
  readonly recompute: boolean;
  /** The batch's in errors. */
  readonly name: string;
}

/** What a pass over some rows adds to the loss of their batch, and to its gradient where it adds any. */
export interface LearnedPass {
  readonly sums: LossSums;
  /** On the model's backend; the reader frees it. */
  readonly gradient: NamedTensors | undefined;
}

/**
 * Where a model's passes over its batches are computed, always with its weights of the moment. What comes out is the same wherever that is,
 * and in the order of the plan, whose entries are the rows of one pass each; a reader that leaves, or a pass that fails, ends the others.
 */
export interface Passes {
  /** Log-probabilities of the rows' scored tokens, pass by pass. */
  score(job: ScoreJob, plan: readonly Int32Array[]): AsyncIterable<Float32Array>;
  /** @param signal between two passes its reason is thrown */
  learn(job: LearnJob, plan: readonly Int32Array[], signal: AbortSignal): AsyncIterable<LearnedPass>;
  /** Passes for generation, between which the weights may move; undefined where the generator computes them itself. */
  cached(size: CacheSize): CachedPasses | undefined;
  /** Frees what is held beside the model's own tensors. */
  close(): Promise<void>;
}
