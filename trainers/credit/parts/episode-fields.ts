import { z } from 'zod';

/** Options of estimators that compare whole episodes. The defaults are those of verl-agent, the published code of GiGPO. */
export const episodeFields = {
  episodeWeighting: z
    .enum(['rows', 'trajectories'])
    .default('rows')
    .describe('what the episode statistics count: every step, or every trajectory once'),
  normalise: z
    .enum(['mean', 'mean-std'])
    .default('mean-std')
    .describe('the advantage is the distance from the mean, or that over the standard deviation'),
  std: z
    .enum(['unbiased', 'population'])
    .default('unbiased')
    .describe('which standard deviation: over n - 1 or over n'),
  epsilon: z.number().min(1e-15).max(1_000_000).default(1e-6).describe('added to the standard deviation'),
  self: z
    .enum(['included', 'left-out'])
    .default('included')
    .describe("whether the baseline counts the trajectory's own steps; left-out is leave-one-out"),
  invalidPenalty: z
    .enum(['own-step', 'propagated'])
    .default('own-step')
    .describe(
      'whether the penalty for an unusable reply affects only its step, or is a reward like any other',
    ),
};
