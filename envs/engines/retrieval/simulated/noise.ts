import { z } from 'zod';

const probability = z.number().min(0).max(1);

/** The probability of useless documents over a training. */
export const noiseSchema = z.strictObject({
  start: probability.default(0).describe('probability of useless documents when a training begins'),
  end: probability.default(0.5).describe('the same at its end, and outside of trainings'),
  base: z.number().min(1).max(1_000).default(4).describe('b of the schedule; 1: linear'),
});
export type Noise = z.output<typeof noiseSchema>;

/**
 * The probability of useless documents:
 * `start + (b^progress - 1) / (b - 1) * (end - start)` (ZeroSearch, arXiv:2505.04588, section 3.4). It grows slowly at first.
 *
 * @param progress share of the training that is done, from 0 to 1
 */
export function noiseAt({ start, end, base }: Noise, progress: number): number {
  const grown = base === 1 ? progress : (base ** progress - 1) / (base - 1);
  return start + grown * (end - start);
}
