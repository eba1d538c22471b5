import { z } from 'zod';
import { oddPriceHandlings } from './catalogue/original/odd-prices.ts';
import { observationModes } from './observation.ts';

/** The default kind, so that one of its keys can be set alone. */
const plainKind = <const Kind extends string>(kind: Kind, says: string) =>
  z
    .literal(kind)
    .describe(says)
    .optional()
    .transform(() => kind);

const generated = z.strictObject({
  kind: plainKind(
    'generated',
    "generated: products and goals made from a seed; original: WebShop's data files",
  ),
  products: z.int().min(1_000).max(2_000_000).default(1_000).describe('number of products'),
  seed: z.int().min(0).default(1).describe('seed of products and goals'),
});

const original = z.strictObject({
  kind: z.literal('original'),
  folder: z
    .string()
    .min(1)
    .describe(
      'folder with items_shuffle*.json, items_ins_v2*.json and items_human_ins.json, plain or gzipped',
    ),
  products: z
    .int()
    .min(1)
    .optional()
    .describe('number of items of the products file to read, from the first; default: all'),
  goals: z
    .enum(['human', 'synthetic'])
    .default('human')
    .describe('goals as people wrote them, or made from attributes and options'),
  oddPrices: z
    .enum(oddPriceHandlings)
    .default('refuse')
    .describe(
      'products with an invalid price, or one that the original misreads: refused, read as the original reads them, or left out',
    ),
});

const tagger = z.strictObject({
  kind: plainKind(
    'tagger',
    'source of the nouns of titles, which score types: the built-in tagger, or a file of recorded ones',
  ),
});

const recorded = z.strictObject({
  kind: z.literal('recorded'),
  file: z
    .string()
    .min(1)
    .describe(
      "JSON list of titles with their nouns, plain or gzipped; results are WebShop's only with those of spaCy's en_core_web_sm 3.3.0",
    ),
});

export const shopConfig = z.strictObject({
  catalogue: z.discriminatedUnion('kind', [generated, original]).prefault({ kind: 'generated' }),
  observationMode: z
    .enum(observationModes)
    .default('text')
    .describe('how agents see a page: its texts, its texts with buttons marked, markup, or its address'),
  nouns: z.discriminatedUnion('kind', [tagger, recorded]).prefault({ kind: 'tagger' }),
  strict: z
    .boolean()
    .default(false)
    .describe(
      'fixes defects of the original: text shows which options are chosen, names with brackets can be clicked, and options of synthetic goals are compared by value',
    ),
  showAttributes: z
    .boolean()
    .default(false)
    .describe('gives products a page of their attributes and categories'),
  maxSteps: z.int().min(1).max(1_000).default(15).describe('number of steps after which the task fails'),
  cacheFolder: z
    .string()
    .min(1)
    .optional()
    .describe('folder for finished catalogues; default: .cache/cairn-gym in the home folder'),
});

export type ShopConfig = z.output<typeof shopConfig>;
