import type { Optimiser } from '../../models/policy-model.ts';
import type { Agent } from '../../agents/core/agent.ts';
import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { Context } from '../../envs/core/context.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { BatchCredit } from '../credit/estimator.ts';
import type { PolicyDecoding } from '../results/estimate.ts';
import type { Shown } from '../results/result.ts';

/** Weights that play the env for which they were opened. */
export interface PlayingPolicy extends AsyncDisposable {
  /** Goes up by one whenever the weights move; decisions carry it. */
  readonly version: number;
  /** What tables must say of it. */
  readonly shown: Pick<Shown, 'kind' | 'admissible' | 'history' | 'written'>;
  /** What it chose by itself, such as by the memory at hand: a sentence each, for the log. */
  readonly notes: readonly string[];
  /** Plays with the weights of the moment, also where they move between two of its decisions. */
  agent(decoding: PolicyDecoding): Agent<unknown, unknown>;
}

/**
 * The narrow port through which the training loop reaches any policy: it plays, learns, imitates, and is
 * stored on disk. The policy decides how an episode becomes rows, how many of them are on the backend at
 * once, and how their losses are combined.
 *
 * A loss, gradient or log-probability that is not finite throws a `RunError` before any weight has moved.
 */
export interface TrainablePolicy extends PlayingPolicy {
  /** The traits without which its weights have no meaning. A run continues only with equal traits. */
  readonly traits: readonly PolicyTrait[];
  /** What `save` writes, about. */
  readonly checkpointBytes: number;
  /**
   * Moves the weights by what was played and credited; the figures are those of the metrics. The KL is measured wherever a reference is
   * kept.
   * @throws UsageError for an episode that no policy of its kind has played; the signal's reason between two steps of the optimiser
   */
  learn(
    played: CreditedGroups,
    settings: UpdateSettings,
    context: Context,
  ): Promise<Readonly<Record<string, number>>>;
  /**
   * Makes ready to imitate what is done in these episodes, which need not be of a policy.
   * @throws UsageError for one that it could not have played
   */
  imitate(demonstrations: readonly TrajectoryGroup[]): Promise<Imitation>;
  /** From now on the weights of this moment are the reference of the KL. */
  keepReference(): Promise<void>;
  /** Resets the optimiser: no moments, and its first step next. */
  resetOptimiser(): Promise<void>;
  /** Writes all that going on needs, the reference apart, into the folder, which is made where it is missing. */
  save(folder: string): Promise<void>;
  /** Takes all that `save` wrote; the reference stays. */
  load(folder: string): Promise<void>;
  /** Refuses, with a `UsageError`, to learn from these episodes in mini-batches that would not fit the memory. */
  assertFits(groups: readonly TrajectoryGroup[], update: UpdateShape): void;
  /** The memory of an update that reported these figures. */
  memoryOf(figures: Readonly<Record<string, number>>, update: UpdateShape): TrainingMemory;
}

/** Something of a policy that must be the same wherever its weights are used. */
export interface PolicyTrait {
  /** Under which a run records it, such as `encoder`. */
  readonly name: string;
  /** In words, such as `the encoder of observations`. */
  readonly says: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly fingerprint: string;
}

/** Episodes, and what each of their steps is worth. */
export interface CreditedGroups {
  readonly groups: readonly TrajectoryGroup[];
  readonly credit: BatchCredit;
}

/** How a batch of credited steps moves the weights; the defaults stand in `trainers/config/config.ts`. */
export interface UpdateSettings {
  readonly epochs: number;
  readonly batchSteps: number;
  readonly learningRate: number;
  /** What rewards the policy: a built-in objective, or one of the user's own that is registered. */
  readonly objective: { readonly kind: string; readonly options: Readonly<Record<string, Json>> };
  readonly clipLow: number;
  readonly clipHigh: number;
  readonly dualClip?: number | undefined;
  /** What becomes of groups in which every advantage is 0. */
  readonly zeroAdvantage: 'leave-out' | 'keep';
  readonly klWeight: number;
  readonly entropyWeight: number;
  readonly importanceCap: number;
  readonly optimiser: Optimiser;
  readonly maxGradNorm: number;
  readonly weightDecay: number;
  /** Temperature of the rollouts: ratios compare like with like. */
  readonly temperature: number;
  /** True when rollouts and update used the same weights: then the behaviour policy is the proximal one. */
  readonly synchronous: boolean;
}

/** Of an update, what its memory goes by; a reference is kept where it weighs anything. */
export type UpdateShape = Pick<UpdateSettings, 'batchSteps' | 'klWeight'>;

/** Demonstrations in the form in which the policy learns from them. */
export interface Imitation {
  /** One pass over all of them, in an order that is drawn from `rng`: the rest of it, where part of it is done, and no more than the mini-batch of now, where the signal says so. */
  pass(settings: ImitationSettings, rng: Rng, options: PassOptions): Promise<ImitatedSoFar>;
}

/** How far a pass has come. */
export interface PassPosition {
  /** Mini-batches done. */
  readonly batches: number;
  /** The number of mini-batches of the pass. A pass with another number starts again. */
  readonly of: number;
  /** Sum of their mean cross entropies, in nats, each times its weight. */
  readonly lossSum: number;
  /** Sum of their weights. */
  readonly weight: number;
}

export const passBegins: PassPosition = { batches: 0, of: 0, lossSum: 0, weight: 0 };

export interface ImitatedSoFar extends PassPosition {
  readonly isWhole: boolean;
}

export interface PassOptions {
  readonly from: PassPosition;
  readonly signal: AbortSignal;
  /** Told the share of the pass that is done, after each mini-batch. */
  readonly onDone?: ((share: number) => void) | undefined;
}

export interface ImitationSettings extends Pick<
  UpdateSettings,
  'batchSteps' | 'optimiser' | 'maxGradNorm' | 'weightDecay'
> {
  /** The learning rate of mini-batch `at` of the `count` of a pass, counted from 0. */
  readonly learningRate: (at: number, count: number) => number;
}

/** Bytes on the tensor backend. */
export interface TrainingMemory {
  readonly weights: number;
  /** AdamW's two moments. */
  readonly optimiser: number;
  readonly gradient: number;
  /** What one batch needs beside these while it is learned from. */
  readonly batch: number;
  /** Of the reference policy, as far as it is held beside the one that learns. */
  readonly reference: number;
  /** The most that is held at any moment. */
  readonly peak: number;
}
