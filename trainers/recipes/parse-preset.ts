import type { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';

/** Validates plain data of an env definition. @throws UsageError that names every wrong key */
export function parsePreset<Value>(schema: z.ZodType<Value>, value: unknown, where: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where,
    what: `${describeIssues(parsed.error)}.`,
    fix: 'Fix these keys of the env definition.',
  });
}
