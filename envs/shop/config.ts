import { z } from 'zod';
import { oddPriceHandlings } from './catalogue/original/odd-prices.ts';
import { observationModes } from './observation.ts';

/** The kind that is meant where none is named, so that one key of it can be set alone. */
const plainKind = <const Kind extends string>(kind: Kind, says: string) =>
  z
    .literal(kind)
    .describe(says)
    .optional()
    .transform(() => kind);

const generated = z.strictObject({
  kind: plainKind(
    'generated',
    "generated: products and goals of our own, made from a seed; original: WebShop's data files",
  ),
  products: z.int().min(1_000).max(2_000_000).default(1_000).describe('how many products there are'),
  seed: z.int().min(0).default(1).describe('seed of products and goals: another one is another shop'),
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
    .describe('the first so many items of the products file; all when left out'),
  goals: z
    .enum(['human', 'synthetic'])
    .default('human')
    .describe('goals as people wrote them, or made from attributes and options'),
  oddPrices: z
    .enum(oddPriceHandlings)
    .default('refuse')
    .describe(
      'products whose price is none, or not what the original takes it for: refused, read as it reads them, or left out',
    ),
});

const tagger = z.strictObject({
  kind: plainKind(
    'tagger',
    'where the nouns of titles come from, by which types are scored: our tagger, or recorded, from a file',
  ),
});

const recorded = z.strictObject({
  kind: z.literal('recorded'),
  file: z
    .string()
    .min(1)
    .describe(
      "JSON list of titles with their nouns, plain or gzipped: only with those of spaCy's en_core_web_sm 3.3.0 may results be called WebShop's",
    ),
});

export const shopConfig = z.strictObject({
  catalogue: z.discriminatedUnion('kind', [generated, original]).prefault({ kind: 'generated' }),
  observationMode: z
    .enum(observationModes)
    .default('text')
    .describe('what agents see of a page: its texts, its texts with buttons marked, markup, or its address'),
  nouns: z.discriminatedUnion('kind', [tagger, recorded]).prefault({ kind: 'tagger' }),
  strict: z
    .boolean()
    .default(false)
    .describe(
      'fixes what is wrong with the original: text says which options are chosen, names with brackets can be clicked, and options of synthetic goals are compared by their values',
    ),
  showAttributes: z
    .boolean()
    .default(false)
    .describe('gives products a page of their attributes and categories'),
  maxSteps: z.int().min(1).max(1_000).default(15).describe('steps after which the task has failed'),
  cacheFolder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'where catalogues are kept once they are made; .cache/cairn-gym in the home folder when left out',
    ),
});

export type ShopConfig = z.output<typeof shopConfig>;
