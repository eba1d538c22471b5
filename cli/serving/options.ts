import { z } from 'zod';
import { envOptions } from '../options/named-env.ts';
import { wholeNumber } from '../options/option-values.ts';

const most = (limit: number) => wholeNumber(1).pipe(z.number().max(limit, `must be at most ${limit}`));
const text = z.string().min(1, 'must not be empty');

const ofShop = { panel: z.array(z.string()).optional(), visits: most(10_000).optional() };
const ofSearch = {
  corpus: text.optional(),
  topk: most(1_000).optional(),
  idField: text.optional(),
  titleField: text.optional(),
  textField: text.optional(),
  cacheFolder: text.optional(),
};

export const serveOptions = z
  .strictObject({
    site: z.enum(['shop', 'search'], 'must be shop or search'),
    host: z.string().min(1, 'must be a address').default('127.0.0.1'),
    port: wholeNumber(0).pipe(z.number().max(65_535, 'must be at most 65535')).optional(),
    set: envOptions.set,
    ...ofShop,
    ...ofSearch,
  })
  .superRefine((options, issues) => {
    const foreign = Object.keys(options.site === 'shop' ? ofSearch : ofShop);
    for (const [name, value] of Object.entries(options))
      if (foreign.includes(name) && value !== undefined)
        issues.addIssue({ code: 'custom', path: [name], message: `does not belong to ${options.site}` });
  });

export type ServeOptions = z.output<typeof serveOptions>;
