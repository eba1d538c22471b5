import { z } from 'zod';
import type { Objective } from './objectives/objective.ts';

/** One step of AdamW (Loshchilov and Hutter 2019, algorithm 2), as PyTorch computes it. */
export const optimiserStepSchema = z.strictObject({
  learningRate: z.number().nonnegative(),
  /** The gradient of all weights together is scaled down to this length. */
  maxGradNorm: z.number().positive(),
  /** Decoupled; biases are spared. */
  weightDecay: z.number().nonnegative().default(0),
  beta1: z.number().min(0).lt(1).default(0.9),
  beta2: z.number().min(0).lt(1).default(0.999),
  epsilon: z.number().positive().default(1e-8),
});
export type OptimiserStep = z.output<typeof optimiserStepSchema>;
export type OptimiserStepInput = z.input<typeof optimiserStepSchema>;

/** What one batch did, as means over its decisions by their `weight` unless said otherwise. */
export interface UpdateFigures {
  /** Decisions of weight above 0. */
  readonly count: number;
  /** Sum of the weights: batches add up by it. */
  readonly weight: number;
  /** What was differentiated: the sum over decisions divided by the batch's normaliser. */
  readonly loss: number;
  /** The clipped loss, or the cross-entropy, without entropy and KL terms. */
  readonly policyLoss: number;
  /** Exact, over the admissible set, in nats. */
  readonly entropy: number;
  /** KL(current, reference), exact over the admissible set; 0 where the batch has no reference. */
  readonly referenceKl: number;
  /** Estimate of the KL between proximal and current policy: ratio - 1 - log ratio (k3 of Schulman 2020). 0 for `imitate`. */
  readonly approximateKl: number;
  /** Share of decisions whose gradient a bound cut off, by weight; 0 for `imitate`. */
  readonly clipFraction: number;
  /** Mean of current / proximal; 1 for `imitate`. */
  readonly meanRatio: number;
  /** Largest current / proximal of a decision that is trained; 1 for `imitate`. */
  readonly largestRatio: number;
  /** Mean weight of staleness, min(cap, proximal / behaviour); 1 for `imitate`. */
  readonly meanImportance: number;
  /** Share of decisions for which the chosen candidate has the highest logit, by weight. */
  readonly agreement: number;
}

/**
 * A policy that can be scored and trained. It takes plain typed arrays and named objectives, never closures, so that it may
 * live behind any backend. Calls are answered one after the other, in the order they came.
 *
 * Wrong batches throw a `UsageError`. A loss, gradient or log-probability that is not finite throws a `RunError` that names
 * batch and tensor, before any weight has moved; gradients accumulated so far are dropped with it.
 */
export interface PolicyModel<Batch, Training extends Batch, Aim = Objective, Figures = UpdateFigures> {
  /** Goes up by one with each `apply`. */
  readonly version: number;
  /** Log-probabilities at that temperature; of what, the kind of model says. */
  logprobs(batch: Batch, temperature: number): Promise<Float32Array>;
  /** Adds the gradient of the batch's loss to what has accumulated since the last `apply`. */
  accumulate(training: Training, objective: Aim, signal: AbortSignal): Promise<Figures>;
  /** Moves the weights by what has accumulated; `gradNorm` is its length before clipping. */
  apply(step: OptimiserStepInput): Promise<{ readonly gradNorm: number }>;
  /** The optimiser begins anew: without moments, and with its first step. */
  resetOptimiser(): Promise<void>;
  /** Writes weights, optimiser moments and version into the folder, which is made where it is missing. */
  save(folder: string): Promise<void>;
  /** Takes everything `save` wrote. Gradients accumulated so far are dropped. */
  load(folder: string): Promise<void>;
  /** Frees what the model holds on its backend, once the calls before it are answered. A second call does nothing. */
  dispose(): Promise<void>;
}
