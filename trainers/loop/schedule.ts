import { z } from 'zod';

const fallFields = {
  warmup: z.int().min(0).max(1_000_000_000).default(0).describe('iterations over which it rises first'),
  floor: z.number().min(0).max(1).default(0).describe('share of it that is left at the last iteration'),
};

/** How a setting, such as the learning rate, moves over a run. */
export const scheduleSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('constant') }),
  z.strictObject({ kind: z.literal('linear'), ...fallFields }),
  z.strictObject({ kind: z.literal('cosine'), ...fallFields }),
]);
export type Schedule = z.output<typeof scheduleSchema>;

/**
 * The factor on the base value at iteration `at` of `total` (both counted from 0): rises over `warmup` iterations,
 * then falls to `floor` at the last one.
 */
export function scheduleFactor(schedule: Schedule, at: number, total: number): number {
  if (schedule.kind === 'constant') return 1;
  if (at < schedule.warmup) return (at + 1) / (schedule.warmup + 1);
  const span = Math.max(1, total - 1 - schedule.warmup);
  const done = Math.min(1, (at - schedule.warmup) / span);
  const shape = schedule.kind === 'linear' ? 1 - done : (1 + Math.cos(Math.PI * done)) / 2;
  return schedule.floor + (1 - schedule.floor) * shape;
}
