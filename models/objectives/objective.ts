import { z } from 'zod';

const temperature = z.number().positive().default(1);
const entropyWeight = z.number().nonnegative().default(0);

/** Cross-entropy on the chosen candidate. */
export const imitateObjectiveSchema = z.strictObject({
  kind: z.literal('imitate'),
  temperature,
  /** Share of the target that is spread evenly over the admissible set. */
  labelSmoothing: z.number().min(0).lt(1).default(0),
  /** Weight of the entropy, which is maximised. */
  entropyWeight,
});

/**
 * PPO's clipped surrogate (Schulman et al. 2017, eq. 7) with separate bounds (Yu et al. 2025, eq. 10) and an optional second
 * bound for negative advantages (Ye et al. 2020, eq. 5).
 */
export const clippedObjectiveSchema = z.strictObject({
  kind: z.literal('clipped'),
  /** That of the rollouts: all log-probabilities of the batch are at it. */
  temperature,
  /** Ratios below 1 - low earn no gradient where lowering them further would gain. */
  low: z.number().positive().max(1),
  /** Ratios above 1 + high earn no gradient where raising them further would gain. */
  high: z.number().positive(),
  /** With a negative advantage the loss is at most this times -advantage. */
  dualClip: z.number().gt(1).optional(),
  /** Weight of the exact KL(current, reference); above 0 it needs reference log-probabilities. */
  klWeight: z.number().nonnegative().default(0),
  /** Weight of the entropy, which is maximised. */
  entropyWeight,
  /** Stale decisions are weighted by min(cap, proximal / behaviour); without a cap they are not weighted. */
  importanceCap: z.number().positive().optional(),
});

/** What to minimise: data, so that it can cross to another process and into a run record unchanged. */
export const objectiveSchema = z.discriminatedUnion('kind', [imitateObjectiveSchema, clippedObjectiveSchema]);
export type Objective = z.output<typeof objectiveSchema>;
export type ImitateObjective = Extract<Objective, { readonly kind: 'imitate' }>;
export type ClippedObjective = Extract<Objective, { readonly kind: 'clipped' }>;
