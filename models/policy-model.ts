import { z } from 'zod';
import type { Objective } from './objectives/objective.ts';

/** What moves the weights. */
export const optimiserSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('adamw') }).describe('AdamW for all weights'),
  z
    .strictObject({
      kind: z.literal('muon'),
      momentum: z.number().min(0).lt(1).default(0.95).describe('share of the momentum that each step keeps'),
    })
    .describe(
      'Muon for the matrices of hidden layers; AdamW for embeddings, the output layer, norms and biases',
    ),
]);
export type Optimiser = z.output<typeof optimiserSchema>;

/**
 * One step of the optimiser. AdamW is Loshchilov and Hutter 2019, algorithm 2, as PyTorch computes it. Muon takes the matrices of hidden layers,
 * and AdamW the rest.
 */
export const optimiserStepSchema = z.strictObject({
  optimiser: optimiserSchema.default({ kind: 'adamw' }),
  learningRate: z.number().nonnegative(),
  /** The gradient of all weights is scaled down to this norm. */
  maxGradNorm: z.number().positive(),
  /** Decoupled weight decay; biases are exempt. */
  weightDecay: z.number().nonnegative().default(0),
  beta1: z.number().min(0).lt(1).default(0.9),
  beta2: z.number().min(0).lt(1).default(0.999),
  epsilon: z.number().positive().default(1e-8),
});
export type OptimiserStep = z.output<typeof optimiserStepSchema>;
export type OptimiserStepInput = z.input<typeof optimiserStepSchema>;

/** Statistics of one batch: means over its decisions, weighted by `weight`, unless noted otherwise. */
export interface UpdateFigures {
  /** Decisions of weight above 0. */
  readonly count: number;
  /** Sum of the weights, for combining batches. */
  readonly weight: number;
  /** The differentiated loss: the sum over decisions divided by the batch's normaliser. */
  readonly loss: number;
  /** The clipped loss, or the cross-entropy, without entropy and KL terms. */
  readonly policyLoss: number;
  /** Exact, over the admissible set, in nats. */
  readonly entropy: number;
  /** KL(current, reference), exact over the admissible set; 0 if the batch has no reference. */
  readonly referenceKl: number;
  /** Estimate of the KL between proximal and current policy: ratio - 1 - log ratio (k3 of Schulman 2020). 0 for `imitate`. */
  readonly approximateKl: number;
  /** Weighted share of decisions whose gradient a bound removed; 0 for `imitate`. */
  readonly clipFraction: number;
  /** Mean of current / proximal; 1 for `imitate`. */
  readonly meanRatio: number;
  /** Largest current / proximal of a decision that is trained; 1 for `imitate`. */
  readonly largestRatio: number;
  /** Mean weight of staleness, min(cap, proximal / behaviour); 1 for `imitate`. */
  readonly meanImportance: number;
  /** Weighted share of decisions in which the chosen candidate has the highest logit. */
  readonly agreement: number;
}

/**
 * A policy that can be scored and trained. It takes plain typed arrays and named objectives, never closures,
 * so that it can run on any backend. Calls are processed in order, one at a time.
 *
 * A loss, gradient or log-probability that is not finite throws before any weight has changed; accumulated
 * gradients are dropped.
 * @throws UsageError for invalid batches
 * @throws RunError that names batch and tensor for a value that is not finite
 */
export interface PolicyModel<Batch, Training extends Batch, Aim = Objective, Figures = UpdateFigures> {
  /** Increases by one with each `apply`. */
  readonly version: number;
  /** Log-probabilities at that temperature; the kind of model defines their shape. */
  logprobs(batch: Batch, temperature: number): Promise<Float32Array>;
  /** Adds the gradient of the batch's loss to the one accumulated since the last `apply`. */
  accumulate(training: Training, objective: Aim, signal: AbortSignal): Promise<Figures>;
  /** Updates the weights by the accumulated gradient; `gradNorm` is its norm before clipping. */
  apply(step: OptimiserStepInput): Promise<{ readonly gradNorm: number }>;
  /** Resets the optimiser: no moments, and step 0. */
  resetOptimiser(): Promise<void>;
  /** Writes weights, optimiser moments and version into the folder, which is created if missing. */
  save(folder: string): Promise<void>;
  /** Loads everything that `save` wrote. Accumulated gradients are dropped. */
  load(folder: string): Promise<void>;
  /** Frees the model's memory on its backend after pending calls. A second call does nothing. */
  dispose(): Promise<void>;
}
