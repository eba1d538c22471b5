import { z } from 'zod';
import { envOptions } from '../options/named-env.ts';
import { wholeNumber } from '../options/option-values.ts';

export const serveOptions = z.strictObject({
  site: z.literal('shop'),
  host: z.string().min(1, 'must be a address').default('127.0.0.1'),
  port: wholeNumber(0).pipe(z.number().max(65_535, 'must be at most 65535')).default(3000),
  panel: z.array(z.string()).default([]),
  visits: wholeNumber(1).pipe(z.number().max(10_000, 'must be at most 10000')).default(100),
  set: envOptions.set,
});

export type ServeOptions = z.output<typeof serveOptions>;
