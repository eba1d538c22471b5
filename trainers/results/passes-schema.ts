import { z } from 'zod';
import { rateEstimateSchema } from './estimate.ts';

/** What the numbers are, for tables and JSON: n episodes of a task, c of them solved. */
export const passConventions = {
  passAtK:
    'pass@k = 1 - C(n-c, k) / C(n, k): at least one of k episodes solves the task (Chen et al. 2021, equation 1)',
  passHatK: 'pass^k = C(c, k) / C(n, k): all of k episodes solve the task (Yao et al. 2024, tau-bench)',
} as const;

/** pass@k and pass^k of a result whose tasks were played several times. */
export const passesSchema = z.strictObject({
  conventions: z.strictObject({
    passAtK: z.literal(passConventions.passAtK),
    passHatK: z.literal(passConventions.passHatK),
  }),
  /** n: episodes of each task, with each seed. */
  episodes: z.int().min(2),
  /** Means over tasks, and over seeds where there are several. At k = 1 both are the success. */
  byK: z
    .array(z.strictObject({ k: z.int().min(1), passAtK: rateEstimateSchema, passHatK: rateEstimateSchema }))
    .min(1)
    .readonly(),
});
export type Passes = Readonly<z.output<typeof passesSchema>>;
