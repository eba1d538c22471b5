import type { z } from 'zod';
import type { Frozen } from '../kit/snapshot.ts';

/** The schema of frozen values: what matches `schema` also matches it, since freezing changes no value. */
export const asFrozen = <Value>(schema: z.ZodType<Value>): z.ZodType<Frozen<Value>> =>
  schema as unknown as z.ZodType<Frozen<Value>>; // readonly versions of the same values
