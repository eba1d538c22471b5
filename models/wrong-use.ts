import type { z } from 'zod';
import { UsageError } from '../envs/core/errors.ts';
import { describeIssues } from '../envs/core/issues.ts';

/** The value as its schema has it; a `UsageError` that names where it was given else. */
export function parsed<T extends z.ZodType>(where: string, schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new UsageError({
    where,
    what: `${describeIssues(result.error)}.`,
    fix: 'Give a value that its schema allows.',
  });
}

/** @param unit what a batch is made of */
export function nothingToApply(unit: 'decision' | 'token'): UsageError {
  return new UsageError({
    where: 'apply',
    what: 'no gradient has accumulated since the last one.',
    fix: `Call accumulate first, with at least one ${unit} of weight above 0.`,
  });
}

export function unappliedGradient(folder: string): UsageError {
  return new UsageError({
    where: `save into ${folder}`,
    what: 'a gradient has accumulated that has not been applied, and it would be lost.',
    fix: 'Call apply before save.',
  });
}

export function afterDispose(model: string): UsageError {
  return new UsageError({
    where: model,
    what: 'it was used after dispose.',
    fix: 'Dispose it when nothing needs it any more.',
  });
}
