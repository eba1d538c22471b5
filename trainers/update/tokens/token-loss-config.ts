import { z } from 'zod';
import { lossAggregationSchema } from './pack-tokens.ts';

/** How an update turns the losses of sampled tokens into one number. */
export const tokenLossSchema = z.strictObject({
  aggregation: lossAggregationSchema.prefault({}).describe('how the losses of tokens become one'),
  ratio: z
    .enum(['token', 'sequence'])
    .default('token')
    .describe(
      'what is clipped: the ratio of each token, or the geometric mean of those of a row (GSPO, whose paper has update.clipLow 3e-4, update.clipHigh 4e-4 and policy.loss.aggregation.unit sequence: clips for tokens hold next to nothing back there)',
    ),
  klEstimator: z
    .enum(['k1', 'k2', 'k3'])
    .default('k3')
    .describe(
      'the estimate of the KL that is reported and adds to the loss that is reported; it changes no weight, for the gradient is always that of k2, which on what the policy drew is that of the KL in the mean, as those of k1 and k3 are not',
    ),
});

export type TokenLossConfig = z.output<typeof tokenLossSchema>;
