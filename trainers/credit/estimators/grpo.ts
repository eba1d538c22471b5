import { z } from 'zod';
import { readRows } from '../parts/batch-rows.ts';
import { episodeTerm } from '../parts/credit-terms.ts';
import { episodeFields, parseCreditConfig } from '../parts/episode-config.ts';
import type { BatchCredit, CreditEstimator } from '../estimator.ts';
import { packCredit } from '../parts/pack-credit.ts';
import { discountReturns } from '../parts/returns.ts';

/** Configuration of {@link createGrpo}. */
export const grpoConfigSchema = z.strictObject(episodeFields);

/**
 * Group-relative policy optimisation (Shao et al., 2024, arXiv:2402.03300, section 4.1): every step gets its episode's
 * advantage over the other members of the group. With `episodeWeighting: 'trajectories'`, `normalise: 'mean'` and
 * `self: 'left-out'` it is RLOO (Ahmadian et al., 2024, arXiv:2402.14740). Step returns are reported undiscounted.
 */
export function createGrpo(config: z.input<typeof grpoConfigSchema> = {}): CreditEstimator<BatchCredit> {
  const rule = parseCreditConfig(grpoConfigSchema, config);
  return {
    name: 'grpo',
    needs: [],
    assign(groups) {
      const rows = readRows(groups);
      return packCredit(rows, {
        episode: episodeTerm(rows, rule),
        step: new Float64Array(rows.count),
        omega: 0,
        stepReturn: discountReturns(rows, 1, rule.invalidPenalty),
        anchor: new Int32Array(rows.count).fill(-1),
        anchorSizes: new Int32Array(0),
      });
    },
  };
}
