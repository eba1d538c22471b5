import { z } from 'zod';
import type { Json } from '../../envs/core/json.ts';

const json: z.ZodType<Json> = z.json();

const temperature = z.number().positive().default(1);
const entropyWeight = z.number().nonnegative().default(0);

/** Cross-entropy on the chosen candidate. */
export const imitateObjectiveSchema = z.strictObject({
  kind: z.literal('imitate'),
  temperature,
  /** Share of the target that is spread evenly over the admissible set. */
  labelSmoothing: z.number().min(0).lt(1).default(0),
  /** Weight of the entropy bonus. */
  entropyWeight,
});

/**
 * The surrogate of a policy objective: one of `models/objectives/list.ts`, or a user's objective registered
 * in this process.
 */
const surrogateSchema = z.strictObject({
  kind: z.string().min(1),
  options: z.record(z.string(), json).default({}),
});

/** A policy objective: a surrogate of the advantage, a KL, and the entropy. */
export const policyObjectiveSchema = z.strictObject({
  kind: z.literal('policy'),
  surrogate: surrogateSchema.prefault({ kind: 'clipped' }),
  /** The temperature of the rollouts: all log-probabilities of the batch use it. */
  temperature,
  /** Lower clipping bound of the ratio: 1 - low. */
  low: z.number().positive().max(1),
  /** Upper clipping bound of the ratio: 1 + high. */
  high: z.number().positive(),
  /** For a negative advantage the loss is at most this times -advantage. */
  dualClip: z.number().gt(1).optional(),
  /** Weight of the exact KL(current, reference); above 0 it needs reference log-probabilities. */
  klWeight: z.number().nonnegative().default(0),
  /** Weight of the entropy bonus. */
  entropyWeight,
  /** Stale decisions are weighted by min(cap, proximal / behaviour); without a cap they are not weighted. */
  importanceCap: z.number().positive().optional(),
});

/** The objective as data, so that it can be sent to another process and stored in a run record. */
export const objectiveSchema = z.discriminatedUnion('kind', [imitateObjectiveSchema, policyObjectiveSchema]);
export type Objective = z.output<typeof objectiveSchema>;
export type ImitateObjective = Extract<Objective, { readonly kind: 'imitate' }>;
export type PolicyObjective = Extract<Objective, { readonly kind: 'policy' }>;
