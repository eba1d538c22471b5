import { z } from 'zod';
import { envOptions } from '../options/named-env.ts';
import { wholeNumber } from '../options/option-values.ts';

const most = (limit: number) => wholeNumber(1).pipe(z.number().max(limit, `must be at most ${limit}`));
const text = z.string().min(1, 'must not be empty');

/** Options by what is served. Others are refused. */
const ofShop = { panel: z.array(z.string()).optional(), visits: most(10_000).optional() };
const ofSearch = {
  corpus: text.optional(),
  index: text.optional(),
  topk: most(1_000).optional(),
  idField: text.optional(),
  titleField: text.optional(),
  textField: text.optional(),
  vectorField: text.optional(),
  cacheFolder: text.optional(),
};
const ofMcp = {
  panel: ofShop.panel,
  episodes: most(10_000).optional(),
  idle: most(1_000_000).optional(),
};

export const serveOptions = z
  .strictObject({
    site: z.string().min(1),
    mcp: z.boolean().default(false),
    host: z.string().min(1, 'must be a address').default('127.0.0.1'),
    port: wholeNumber(0).pipe(z.number().max(65_535, 'must be at most 65535')).optional(),
    ...envOptions,
    ...ofShop,
    ...ofSearch,
    ...ofMcp,
  })
  .superRefine((options, issues) => {
    if (!options.mcp && options.site !== 'shop' && options.site !== 'search')
      issues.addIssue({
        code: 'custom',
        path: ['site'],
        message: 'must be shop or search; --mcp serves any environment',
      });
    const own = Object.keys(options.mcp ? ofMcp : options.site === 'search' ? ofSearch : ofShop);
    const foreign = Object.keys({ ...ofShop, ...ofSearch, ...ofMcp }).filter((name) => !own.includes(name));
    const served = options.mcp ? '--mcp' : options.site;
    for (const [name, value] of Object.entries(options))
      if (foreign.includes(name) && value !== undefined)
        issues.addIssue({ code: 'custom', path: [name], message: `does not belong to ${served}` });
    if (!options.mcp && options.envModule.length > 0)
      issues.addIssue({ code: 'custom', path: ['envModule'], message: `does not belong to ${served}` });
    if (options.mcp && options.port === undefined && options.host !== '127.0.0.1')
      issues.addIssue({ code: 'custom', path: ['host'], message: 'needs --port with --mcp' });
  });

export type ServeOptions = z.output<typeof serveOptions>;
