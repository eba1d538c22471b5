import { createHash } from 'node:crypto';
import { endianness } from 'node:os';
import { z } from 'zod';
import { canonicalJson } from '../../../core/json.ts';
import { englishAnalyzer } from '../../../engines/text-search/english-analyzer.ts';
import { formatVersion as indexVersion } from '../../../engines/text-search/file-layout.ts';
import { recordVersion } from './product-record.ts';

/** Changes whenever the files of an equal catalogue would: what was stored in another form is made anew. */
export const storeFormat = `1 records ${recordVersion} index ${indexVersion} ${englishAnalyzer.id} ${endianness()}`;

/** Names of the files of a stored catalogue. */
export const storeFiles = {
  manifest: 'manifest.json',
  products: 'products.bin',
  tables: 'tables.bin',
  index: 'text.index',
} as const;

const count = z.int().nonnegative();

const manifestSchema = z.strictObject({
  format: z.string(),
  /** Digest of what the catalogue was asked for by. */
  key: z.string(),
  source: z.enum(['generated', 'original']),
  products: count,
  fingerprint: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  /** What was read, passed over and so on while it was made. */
  counts: z.record(z.string(), z.number()),
  /** SHA-256 of the tables, which have the checksums of the products; the index has its own. */
  tables: z.string(),
  /** SHA-256 of all of the above. */
  digest: z.string(),
});

/** What is stored in a folder. It is written last, so that a folder without one is no catalogue. */
export type Manifest = Readonly<z.output<typeof manifestSchema>>;

export function writeManifest(content: Omit<Manifest, 'digest'>): string {
  return `${JSON.stringify({ ...content, digest: digestOf(content) }, undefined, 1)}\n`;
}

/** The manifest of that text. Throws when it is none, or not what {@link writeManifest} wrote. */
export function readManifest(text: string): Manifest {
  const { digest, ...content } = manifestSchema.parse(JSON.parse(text));
  if (digest !== digestOf(content)) throw new RangeError('its digest is not that of its content');
  return { ...content, digest };
}

const digestOf = (content: object): string =>
  createHash('sha256').update(canonicalJson(content)).digest('hex');
