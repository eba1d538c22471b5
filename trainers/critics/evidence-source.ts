import type { z } from 'zod';
import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { Context } from '../../envs/core/context.ts';
import type { PluginDefinition } from '../../envs/core/plugin.ts';
import type { BatchCredit, Evidence } from '../credit/estimator.ts';

/** A batch whose credit was assigned. */
export interface CreditedBatch {
  readonly groups: readonly TrajectoryGroup[];
  readonly evidence: Evidence;
  readonly credit: BatchCredit;
}

/** Something that is trained beside the policy, such as a critic. Every checkpoint keeps it, and resuming restores it. */
export interface Learner {
  /** Approximate bytes that `save` writes. */
  readonly bytes: number;
  /** Learns from a batch after the policy's update. Returns metrics of the iteration. */
  learn(batch: CreditedBatch, context: Context): Promise<Readonly<Record<string, number>>>;
  /** Writes everything that resuming needs into an existing folder. */
  save(folder: string): Promise<void>;
  /** Restores what `save` wrote. */
  load(folder: string): Promise<void>;
}

/** Computes evidence from episodes, such as the values of a critic or the scores of a judge. */
export interface EvidenceSource {
  /** Returns every name that the definition promises in `gives`. Called once an iteration, between rollout and credit. */
  gather(groups: readonly TrajectoryGroup[], context: Context): Promise<Evidence>;
  /** A model trained beside the policy to improve the evidence. */
  readonly learner?: Learner;
}

/** A source of evidence without its options. */
export interface EvidenceDefinition<
  Kind extends string = string,
  Options extends z.ZodObject = z.ZodObject,
> extends PluginDefinition<Kind, Options> {
  /** Names of the evidence, in kebab case. Estimators request them in `needs`. */
  readonly gives: readonly string[];
  create(options: z.output<Options>): EvidenceSource;
}

/**
 * Defines a source of evidence. Built-in sources are in `trainers/critics/list.ts`. A file that exports one
 * as `evidence` is used with `evidence: [{ kind: 'module', file }]`.
 */
export function defineEvidence<const Kind extends string, Options extends z.ZodObject>(
  definition: EvidenceDefinition<Kind, Options>,
): EvidenceDefinition<Kind, Options> {
  return definition;
}
