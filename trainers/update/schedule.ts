import { z } from 'zod';

/** What a schedule counts: iterations of a run, or the mini-batches that are cloned. */
type Unit = 'iteration' | 'mini-batch';

function scheduleSchemaOf(unit: Unit) {
  const units = unit === 'iteration' ? 'iterations' : 'mini-batches';
  const fallFields = {
    warmup: z.int().min(0).max(1_000_000_000).default(0).describe(`${units} of warm-up, at most half of all`),
    floor: z.number().min(0).max(1).default(0).describe(`share of the peak that remains at the last ${unit}`),
  };
  return z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('constant') }),
    z.strictObject({ kind: z.literal('linear'), ...fallFields }),
    z.strictObject({ kind: z.literal('cosine'), ...fallFields }),
  ]);
}

/** How a setting, such as the learning rate, moves over the iterations of a run. */
export const scheduleSchema = scheduleSchemaOf('iteration');
/** How the learning rate of cloning moves over the mini-batches of all its passes. */
export const cloningScheduleSchema = scheduleSchemaOf('mini-batch');
export type Schedule = z.output<typeof scheduleSchema>;

/**
 * The factor on the base value at the iteration or mini-batch `at` of `total`, counted from 0: rises over the first `warmup` of them, or
 * the first half where that is less, then falls to `floor` at the last one.
 */
export function scheduleFactor(schedule: Schedule, at: number, total: number): number {
  if (schedule.kind === 'constant') return 1;
  const warmup = Math.min(schedule.warmup, Math.floor(total / 2)); // a short run gets to the base value, too
  if (at < warmup) return (at + 1) / (warmup + 1);
  const span = Math.max(1, total - 1 - warmup);
  const done = Math.min(1, (at - warmup) / span);
  const shape = schedule.kind === 'linear' ? 1 - done : (1 + Math.cos(Math.PI * done)) / 2;
  return schedule.floor + (1 - schedule.floor) * shape;
}
