import { z } from 'zod';
import { policyObjectiveSchema, imitateObjectiveSchema } from '../objectives/objective.ts';

/** What to minimise over tokens: data, as the objectives of choices are. */
export const tokenObjectiveSchema = z.discriminatedUnion('kind', [
  /** Cross-entropy on the tokens written. */
  imitateObjectiveSchema.omit({ labelSmoothing: true }),
  policyObjectiveSchema.extend({
    /**
     * What is clipped: each token's ratio, or that of all trained tokens of its row. The latter is the
     * geometric mean of the tokens' ratios. It is GSPO, Zheng et al. 2025, eq. 7, in its form with advantages
     * by token, eq. 14.
     */
    ratio: z.enum(['token', 'sequence']).default('token'),
    /** Weight of the estimate of KL(current, reference); above 0 it needs reference log-probabilities. */
    klWeight: z.number().nonnegative().default(0),
    /** The estimate that is reported and adds to the loss (Schulman 2020). All have k2's gradient: on tokens that the policy drew it is the KL's in the mean, those of k1 and k3 are not. */
    klEstimator: z.enum(['k1', 'k2', 'k3']).default('k3'),
  }),
]);
export type TokenObjective = z.output<typeof tokenObjectiveSchema>;
export type TokenObjectiveInput = z.input<typeof tokenObjectiveSchema>;
export type PolicyTokenObjective = Extract<TokenObjective, { readonly kind: 'policy' }>;
export type KlEstimator = PolicyTokenObjective['klEstimator'];
