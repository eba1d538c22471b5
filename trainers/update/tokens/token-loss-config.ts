import { z } from 'zod';
import { lossAggregationSchema } from './pack-tokens.ts';

/** How an update turns the losses of sampled tokens into one number. */
export const tokenLossSchema = z.strictObject({
  aggregation: lossAggregationSchema.prefault({}).describe('how the losses of tokens become one'),
  ratio: z
    .enum(['token', 'sequence'])
    .default('token')
    .describe(
      'the clipped ratio: of each token, or the geometric mean of a row (GSPO; its paper uses update.clipLow 3e-4, update.clipHigh 4e-4 and policy.loss.aggregation.unit sequence, since bounds for tokens clip almost nothing there)',
    ),
  klEstimator: z
    .enum(['k1', 'k2', 'k3'])
    .default('k3')
    .describe(
      'estimator of the reported KL and of its part in the reported loss; it changes no weights: the gradient is always that of k2; on samples of the policy only that one equals the gradient of the KL in expectation',
    ),
});

export type TokenLossConfig = z.output<typeof tokenLossSchema>;
