import { z } from 'zod';
import type { FileKind } from '../../paged-file/layout.ts';
import { diskFormat, diskHeaderSchema } from '../../text-search/disk/disk-format.ts';
import { chosenFieldsSchema } from '../corpus/corpus-fields.ts';
import { corpusReportSchema } from '../corpus/corpus-manifest.ts';

/** Changes with the format of documents and ids; the text index has its own version. */
const format = 2;

export const indexKind: FileKind = {
  magic: 'CAIRNCIX',
  version: format * 1_000 + diskFormat,
  name: 'index of a corpus',
  fix: 'Build it again: `npx cairn-gym index CORPUS --out INDEX`.',
};

/** The resident parts beside those of the text index. */
export const corpusParts = {
  /** Where each block of documents starts. */
  blockStarts: 'blockStarts', // (blocks) numbers
} as const;

const count = z.int().nonnegative();

/** What an index says about its corpus. */
export const indexContentSchema = z.strictObject({
  text: diskHeaderSchema,
  /** The place of the table of ids, and its slots. */
  ids: z.strictObject({ offset: count, slots: count }),
  /** `corpus`: texts are read from the corpus file. `index`: the index has them. */
  texts: z.enum(['corpus', 'index']),
  /** The corpus file as it was read. */
  source: z.strictObject({ path: z.string(), bytes: count, modified: z.string(), sha256: z.string() }),
  fields: chosenFieldsSchema,
  /** Characters of a document, at most. */
  textCharacters: count,
  /** SHA-256 over ids and contents, in order. */
  digest: z.string(),
  report: corpusReportSchema,
});
export type IndexContent = Readonly<z.output<typeof indexContentSchema>>;
