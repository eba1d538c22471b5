import { z } from 'zod';
import { bounded, defineObjective } from './surrogate.ts';

/** PPO's clipped surrogate, with separate bounds and an optional second bound for negative advantages. */
export const clipped = defineObjective({
  kind: 'clipped',
  summary: 'the smaller of the plain and the clipped gain',
  paper:
    'Schulman et al. 2017, arXiv:1707.06347, eq. 7; Yu et al. 2025, arXiv:2503.14476, eq. 10; Ye et al. 2020, arXiv:1912.09729, eq. 5',
  options: z.strictObject({}),
  bounds: ['clipLow', 'clipHigh', 'dualClip'],
  create:
    (_options, { low, high, dualClip }) =>
    ({ advantage, ratio, isBounded }) => {
      const open = -advantage * ratio;
      const held = -advantage * bounded(ratio, 1 - low, 1 + high);
      const most = dualClip !== undefined && advantage < 0 ? -advantage * dualClip : Number.POSITIVE_INFINITY;
      const isClipped = held > open || open > most || isBounded;
      return {
        loss: Math.min(Math.max(open, held), most),
        slope: isClipped ? 0 : open,
        clipped: isClipped,
      };
    },
});
