import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { codeOf, messageOf, RunError, UsageError } from '../../../core/errors.ts';
import { canonicalJson } from '../../../core/json.ts';
import { readCacheFile } from '../../cache-file/read-file.ts';
import { sweepFolder } from '../../cache-file/replace-file.ts';
import { loadStored } from '../cached-index.ts';
import { readVectorFile } from '../dense/vector-file.ts';
import type { VectorTable } from '../dense/vector-table.ts';
import { IndexRetriever } from '../index-retriever.ts';
import { assertReadable } from '../read/read-lines.ts';
import { buildCorpus, stampOf, vectorKey } from './build-corpus.ts';
import type { CorpusFields } from './corpus-fields.ts';
import { corpusFiles, corpusFormat, readManifest, type CorpusManifest } from './corpus-manifest.ts';
import { CorpusSource, usualLimits, type CorpusLimits, type CorpusReport } from './corpus-source.ts';
import { DocumentFile } from './document-file.ts';
import { numberOf, unpackTables } from './document-tables.ts';

export interface OpenCorpusOptions {
  /** The folder of stored corpora, each in a subfolder of its own. It is created where it is missing. */
  readonly cacheFolder: string;
  readonly fields?: CorpusFields;
  readonly limits?: Partial<CorpusLimits>;
  readonly signal: AbortSignal;
  /** Receives the bytes of the file read so far, and all. */
  readonly onAdvance?: (done: number, total: number) => void;
  /** Receives why a stored corpus is built again. */
  readonly onRebuild?: (why: string) => void;
}

/** A corpus file that can be searched. Memory holds the index and a row of numbers and an id per document. */
export interface Corpus {
  readonly retriever: IndexRetriever;
  readonly documents: number;
  /** The vectors of the documents, where a column has them. */
  readonly vectors: VectorTable | undefined;
  readonly report: CorpusReport;
}

/** The most attempts, because another process may replace the files of a corpus while they are read. */
const attempts = 3;

/**
 * Opens a corpus file for searching: JSON lines, CSV or Parquet. Its index is stored in a folder of the cache. A
 * stored one is used while the file has the same content; one of another version, or a damaged one, is built again.
 *
 * @throws UsageError where the file cannot be used
 * @throws RunError where the disk fails
 */
export async function openCorpus(file: string, options: OpenCorpusOptions): Promise<Corpus> {
  const { cacheFolder, fields = {}, signal, onAdvance = ignore, onRebuild = ignore } = options;
  await assertReadable(file);
  const limits = { ...usualLimits, ...options.limits };
  const settings = canonicalJson({ fields: { ...fields }, limits: { ...limits } });
  const key = createHash('sha256')
    .update(canonicalJson([resolve(file), settings]))
    .digest('hex');
  const folder = join(cacheFolder, `corpus-${key.slice(0, 32)}`);
  await sweepFolder(folder);
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    signal.throwIfAborted();
    const found = await openFolder(folder, { file, settings, signal });
    if (!('why' in found)) return found;
    if (found.why !== 'missing') onRebuild(found.why);
    const source = new CorpusSource(file, fields, limits);
    const hasVectors = fields.vector !== undefined;
    await buildCorpus(folder, source, { file, settings, hasVectors, signal, advance: onAdvance });
  }
  throw new RunError({
    where: folder,
    what: 'the new index there repeatedly cannot be opened.',
    fix: 'Check the disk, and that no other program writes there.',
  });
}

const ignore = (): void => undefined;

interface Wanted {
  readonly file: string;
  readonly settings: string;
  readonly signal: AbortSignal;
}

/** The stored corpus of a folder, or why it cannot be used. */
async function openFolder(folder: string, wanted: Wanted): Promise<Corpus | { readonly why: string }> {
  const { signal } = wanted;
  try {
    const text = await readText(join(folder, corpusFiles.manifest));
    if (text === undefined) return { why: 'missing' };
    const manifest = readManifest(text);
    const why = await difference(manifest, wanted);
    if (why !== undefined) return { why };
    const packed = await readCacheFile(join(folder, corpusFiles.tables), { signal });
    if (createHash('sha256').update(packed).digest('hex') !== manifest.tables)
      return { why: 'its tables do not have their digest' };
    const tables = unpackTables(packed);
    if (tables.checksums.length !== manifest.documents) return { why: 'its tables have another size' };
    const stored = await loadStored(join(folder, corpusFiles.index), manifest.digest, signal);
    if (stored === 'missing') return { why: 'its index is missing' };
    if ('why' in stored) return stored;
    if (stored.index.size !== manifest.documents) return { why: 'its index has another size' };
    const vectors = manifest.hasVectors
      ? await readVectorFile(join(folder, corpusFiles.vectors), vectorKey(manifest.digest), signal)
      : undefined;
    if (vectors === 'missing') return { why: 'its vectors are missing' };
    if (vectors !== undefined && 'why' in vectors) return vectors;
    if (vectors !== undefined && (!vectors.isComplete || vectors.table.size !== manifest.documents))
      return { why: 'its vectors are not those of its documents' };
    const documents = new DocumentFile(join(folder, corpusFiles.documents), tables);
    const retriever = new IndexRetriever({
      identity: { kind: 'corpus', digest: `sha256:${manifest.digest}` },
      index: stored.index,
      read: (number) => documents.read(number),
      find: (id) => numberOf(tables, id),
      close: () => documents.close(),
    });
    return { retriever, documents: manifest.documents, vectors: vectors?.table, report: manifest.report };
  } catch (thrown) {
    signal.throwIfAborted();
    if (UsageError.is(thrown)) throw thrown;
    return { why: codeOf(thrown) === 'ENOENT' ? 'a file of it is missing' : messageOf(thrown).slice(0, 300) };
  }
}

async function difference(
  { format, settings, source }: CorpusManifest,
  wanted: Wanted,
): Promise<string | undefined> {
  if (format !== corpusFormat) return 'another version of this software built it';
  if (settings !== wanted.settings) return 'it was built with other settings';
  const now = await stampOf(wanted.file);
  if (now.bytes !== source.bytes) return 'the corpus file has changed';
  if (now.modified === source.modified) return undefined;
  const digest = await digestOf(wanted.file, wanted.signal);
  return digest === source.sha256 ? undefined : 'the corpus file has changed';
}

/** SHA-256 of what a source reads: the bytes of a text file, or the digest of a Parquet file. */
export async function digestOf(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file, { signal })) hash.update(chunk as Buffer);
  const digest = hash.digest();
  return file.toLowerCase().endsWith('.parquet')
    ? createHash('sha256').update(digest).digest('hex')
    : digest.toString('hex');
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return (await readCacheFile(file)).toString();
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}
