import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const schema = z.strictObject({
  made: z.string(),
  lengths: z.array(z.tuple([z.number(), z.number(), z.number()])),
  stems: z.record(z.string(), z.string()),
  texts: z.array(
    z.strictObject({ text: z.string(), tokens: z.array(z.string()), terms: z.array(z.string()) }),
  ),
  codePoints: z.record(z.string(), z.number()),
  documents: z.array(z.string()),
  queries: z.array(z.strictObject({ query: z.string(), hits: z.array(z.tuple([z.number(), z.number()])) })),
});

/** What Lucene 8.11 makes of words, texts, documents and queries: see test/golden/text-search/README.md. */
export const goldens = schema.parse(
  JSON.parse(
    readFileSync(path.join(import.meta.dirname, '../../../golden/text-search/goldens.json'), 'utf8'),
  ),
);
