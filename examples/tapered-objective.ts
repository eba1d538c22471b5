import { defineObjective } from 'cairn-gym/trainers';
import { z } from 'zod';

/** The policy gradient on what went well. What went badly loses its gradient as it becomes less likely, so that no probability collapses. */
export const objective = defineObjective({
  kind: 'tapered',
  summary: 'the policy gradient, with the ratio cut to [0, most] for negative advantages',
  paper: 'Le Roux et al. 2025, arXiv:2503.14286',
  options: z.strictObject({
    most: z.number().positive().default(1).describe('greatest weight of a negative advantage'),
  }),
  bounds: [],
  create:
    ({ most }) =>
    ({ advantage, logRatio, ratio }) => {
      const weight = advantage < 0 ? Math.min(ratio, most) : 1; // a constant: the gradient does not pass through it
      return {
        loss: -advantage * weight * logRatio,
        slope: -advantage * weight,
        clipped: advantage < 0 && ratio > most,
      };
    },
});
