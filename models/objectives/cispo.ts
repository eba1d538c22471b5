import { z } from 'zod';
import { bounded, defineObjective } from './surrogate.ts';

/**
 * CISPO: the log-probability times the advantage, weighted by the clipped ratio as a constant. A clipped
 * decision keeps its gradient, which PPO's surrogate removes.
 */
export const cispo = defineObjective({
  kind: 'cispo',
  summary: 'the policy gradient weighted by the clipped ratio, so that clipped decisions keep a gradient',
  paper: 'MiniMax 2025, arXiv:2506.13585, eqs. 4 and 5',
  options: z.strictObject({}),
  bounds: ['clipLow', 'clipHigh'],
  create:
    (_options, { low, high }) =>
    ({ advantage, logRatio, ratio }) => {
      const weight = bounded(ratio, 1 - low, 1 + high);
      return {
        loss: -advantage * weight * logRatio, // up to a constant: the proximal log-probability
        slope: -advantage * weight,
        clipped: weight !== ratio,
      };
    },
});
