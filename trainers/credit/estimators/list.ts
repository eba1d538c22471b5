import { gigpo } from './gigpo.ts';
import { grpo } from './grpo.ts';

/**
 * The built-in estimators; the first is the default. `credit.kind` and its options, `--credit`, `cairn-gym train
 * --keys`, the names in tables and the law tests are derived from this list. The options must be a
 * `z.strictObject` that accepts its own output.
 */
export const creditEstimators = [gigpo, grpo] as const;
