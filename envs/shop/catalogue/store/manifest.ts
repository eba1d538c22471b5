import { createHash } from 'node:crypto';
import { endianness } from 'node:os';
import { z } from 'zod';
import { canonicalJson } from '../../../core/json.ts';
import { englishAnalyzer } from '../../../engines/text-search/english-analyzer.ts';
import { formatVersion as indexVersion } from '../../../engines/text-search/file-layout.ts';
import { recordVersion } from './product-record.ts';

/** Changes whenever the files of an equal catalogue would change. Files of another format are rebuilt. */
export const storeFormat = `1 records ${recordVersion} index ${indexVersion} ${englishAnalyzer.id} ${endianness()}`;

/** The names of the files of a stored catalogue. */
export const storeFiles = {
  manifest: 'manifest.json',
  products: 'products.bin',
  tables: 'tables.bin',
  index: 'text.index',
} as const;

const count = z.int().nonnegative();

const manifestSchema = z.strictObject({
  format: z.string(),
  /** The digest of the recipe's identity. */
  key: z.string(),
  source: z.enum(['generated', 'original']),
  products: count,
  fingerprint: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  /** Counts of the build, such as items read and skipped. */
  counts: z.record(z.string(), z.number()),
  /** SHA-256 of the tables, which contain the checksums of the products. The index has its own. */
  tables: z.string(),
  /** SHA-256 of everything above. */
  digest: z.string(),
});

/** The content of a stored catalogue's folder. It is written last, so a folder without it is no catalogue. */
export type Manifest = Readonly<z.output<typeof manifestSchema>>;

export function writeManifest(content: Omit<Manifest, 'digest'>): string {
  return `${JSON.stringify({ ...content, digest: digestOf(content) }, undefined, 1)}\n`;
}

/**
 * Parses a manifest.
 *
 * @throws when it is not the output of {@link writeManifest}
 */
export function readManifest(text: string): Manifest {
  const { digest, ...content } = manifestSchema.parse(JSON.parse(text));
  if (digest !== digestOf(content)) throw new RangeError('its digest is not that of its content');
  return { ...content, digest };
}

const digestOf = (content: object): string =>
  createHash('sha256').update(canonicalJson(content)).digest('hex');
