import { createHash } from 'node:crypto';
import { endianness } from 'node:os';
import { z } from 'zod';
import { canonicalJson } from '../../../core/json.ts';
import { englishAnalyzer } from '../../text-search/english-analyzer.ts';
import { formatVersion as indexVersion } from '../../text-search/file-layout.ts';

/** Changes whenever the files of an equal corpus would change. A folder of another format is built again. */
export const corpusFormat = `3 index ${indexVersion} ${englishAnalyzer.id} ${endianness()}`;

/** The files of a stored corpus. */
export const corpusFiles = {
  manifest: 'manifest.json',
  documents: 'documents.bin',
  tables: 'tables.bin',
  index: 'text.index',
  vectors: 'vectors.bin',
} as const;

const count = z.int().nonnegative();
const texts = z.array(z.string());

export const corpusReportSchema = z.strictObject({
  badRows: count,
  firstBad: texts,
  repeatedIds: count,
  firstRepeated: texts,
  cutTexts: count,
  oddEncodings: count,
});

const manifestSchema = z.strictObject({
  format: z.string(),
  /** The settings that the documents depend on, beside the file. */
  settings: z.string(),
  /** The file as it was read. */
  source: z.strictObject({ bytes: count, modified: z.string(), sha256: z.string() }),
  documents: count,
  /** Whether documents have vectors. */
  hasVectors: z.boolean(),
  /** SHA-256 over ids, contents and vectors, in order. */
  digest: z.string(),
  /** SHA-256 of the tables, which have the checksums of the documents. The index has its own. */
  tables: z.string(),
  report: corpusReportSchema,
  /** SHA-256 of everything above. */
  seal: z.string(),
});

/** The content of a stored corpus. It is written last, so a folder without it is no corpus. */
export type CorpusManifest = Readonly<z.output<typeof manifestSchema>>;

export const writeManifest = (content: Omit<CorpusManifest, 'seal'>): string =>
  `${JSON.stringify({ ...content, seal: sealOf(content) }, undefined, 1)}\n`;

/**
 * Parses a manifest.
 *
 * @throws when it is not the output of {@link writeManifest}
 */
export function readManifest(text: string): CorpusManifest {
  const { seal, ...content } = manifestSchema.parse(JSON.parse(text));
  if (seal !== sealOf(content)) throw new RangeError('its seal is not that of its content');
  return { ...content, seal };
}

const sealOf = (content: object): string => createHash('sha256').update(canonicalJson(content)).digest('hex');
