import { z } from 'zod';
import { defineCreditEstimator } from '../define-credit-estimator.ts';
import { readRows } from '../parts/batch-rows.ts';
import { episodeTerm } from '../parts/credit-terms.ts';
import { episodeFields } from '../parts/episode-fields.ts';
import { discountReturns } from '../parts/returns.ts';
import { splitColumns } from '../parts/trajectory-columns.ts';

/**
 * Group-relative policy optimisation (section 4.1): every step gets its episode's advantage over the other members of the group. With
 * `episodeWeighting: 'trajectories'`, `normalise: 'mean'` and `self: 'left-out'` it is RLOO (Ahmadian et al., 2024, arXiv:2402.14740). Step
 * returns are reported undiscounted.
 */
export const grpo = defineCreditEstimator({
  kind: 'grpo',
  name: 'GRPO',
  summary: 'compares episodes within the group',
  paper: 'Shao et al., 2024, arXiv:2402.03300',
  options: z.strictObject(episodeFields),
  create: (rule) => ({
    assign(groups) {
      const rows = readRows(groups);
      const episode = episodeTerm(rows, rule);
      const columns = {
        advantage: episode,
        episode,
        step: new Float64Array(rows.count),
        stepReturn: discountReturns(rows, 1, rule.invalidPenalty),
      };
      return { groups: splitColumns(rows, columns), stepWeight: 0 };
    },
  }),
});
