import { createHash, randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { RunError, UsageError } from '../../../core/errors.ts';
import { replaceFile } from '../../cache-file/replace-file.ts';
import { PagedWriter } from '../../paged-file/paged-writer.ts';
import { DiskIndexBuilder } from '../../text-search/disk/disk-index-builder.ts';
import { assertUnchanged, copiedReport, stampOf, type FileStamp } from '../corpus/build-corpus.ts';
import type { CorpusFields } from '../corpus/corpus-fields.ts';
import { CorpusSource, usualLimits, type CorpusLimits, type CorpusReport } from '../corpus/corpus-source.ts';
import { assertReadable } from '../read/read-lines.ts';
import { DocumentBlocksWriter } from './document-blocks.ts';
import { IdTableWriter } from './id-table.ts';
import { indexKind, type IndexContent } from './index-format.ts';

export interface BuildCorpusIndexOptions {
  readonly fields?: CorpusFields;
  readonly limits?: Partial<CorpusLimits>;
  readonly signal: AbortSignal;
  /** Postings of a run, for tests. */
  readonly runPostings?: number;
  /** Receives how far the part is: bytes of the corpus, or postings of the index. */
  readonly onAdvance?: (part: 'reading' | 'merging', done: number, total: number) => void;
}

/** An index that was written. */
export interface BuiltIndex {
  readonly documents: number;
  /** Bytes of the file. */
  readonly bytes: number;
  /** Whether searches read texts from the corpus file. */
  readonly texts: 'corpus' | 'index';
  readonly report: CorpusReport;
}

/**
 * Reads a corpus once and writes its index into a file, completely or not at all; an existing file is replaced. Texts of a corpus in
 * JSON lines stay there; of other forms, and of packed files, the index has a copy. Memory holds a run of postings, and for
 * each document at most 36 bytes: 11 to 32 for its id, the rest for its length.
 *
 * @throws UsageError where the corpus cannot be used
 * @throws RunError where the disk fails or is full, or the corpus changes meanwhile
 */
export async function buildCorpusIndex(
  corpus: string,
  index: string,
  options: BuildCorpusIndexOptions,
): Promise<BuiltIndex> {
  const { fields = {}, signal } = options;
  await assertReadable(corpus);
  if (fields.vector !== undefined)
    throw new UsageError({
      where: corpus,
      what: 'an index on disk has no vectors, because they are searched in memory.',
      fix: 'Leave fields.vector out, or use the corpus itself: backend.file.',
    });
  const limits = { ...usualLimits, ...options.limits };
  const source = new CorpusSource(corpus, fields, limits);
  const before = await stampOf(corpus);
  let content: IndexContent | undefined;
  await replaceFile(index, async (handle) => {
    const builder = new DiskIndexBuilder({
      runFile: join(dirname(index), `.${basename(index)}.${randomUUID()}.part`),
      ...(options.runPostings === undefined ? {} : { runPostings: options.runPostings }),
    });
    try {
      const out = new PagedWriter(handle);
      const read = await readDocuments(source, { out, builder, before, options });
      const { header, parts } = await builder.finish(out, signal, (done, total) =>
        options.onAdvance?.('merging', done, total),
      );
      await assertUnchanged(corpus, before);
      content = {
        text: header,
        ids: read.ids,
        texts: read.texts,
        source: { path: resolve(corpus), ...before, sha256: source.digest() },
        fields: read.fields,
        textCharacters: limits.textCharacters,
        digest: read.digest,
        report: copiedReport(source.report()),
      };
      await out.finish(indexKind, { content, parts: { ...parts, ...read.parts } });
    } finally {
      builder.close();
    }
  });
  if (content === undefined) throw new RangeError('the index was not written');
  const { size } = await stat(index);
  return { documents: content.text.documents, bytes: size, texts: content.texts, report: content.report };
}

/** Adds all documents to the index, and writes their places, ids and, where they are not read from the corpus, texts. */
async function readDocuments(
  source: CorpusSource,
  to: {
    readonly out: PagedWriter;
    readonly builder: DiskIndexBuilder;
    readonly before: FileStamp;
    readonly options: BuildCorpusIndexOptions;
  },
) {
  const { out, builder, before, options } = to;
  const { signal, onAdvance } = options;
  const blocks = new DocumentBlocksWriter(out);
  let written = 0;
  let batchIds: string[] = []; // of documents that are admitted but not written
  const ids = new IdTableWriter((number) =>
    number < written ? blocks.idOf(number) : (batchIds[number - written] as string),
  );
  const isNew = (id: string): boolean => {
    if (!ids.add(id)) return false;
    batchIds.push(id);
    return true;
  };
  const content = createHash('sha256');
  let texts: IndexContent['texts'] | undefined;
  for await (const batch of source.documents(signal, isNew)) {
    for (const { id, contents, span } of batch) {
      const bytes = Buffer.from(contents);
      texts ??= span === undefined ? 'index' : 'corpus';
      const { start, length } = span ?? { start: out.position, length: bytes.length };
      if (span === undefined) out.append(bytes);
      blocks.add({ id, start, length, checksum: crc32(bytes) });
      builder.add(contents);
      content.update(`${id.length}:${id}${bytes.length}:`).update(bytes);
    }
    written += batch.length;
    batchIds = [];
    await out.drain();
    onAdvance?.('reading', source.bytes, before.bytes);
    await nextTurn();
    signal.throwIfAborted();
  }
  const parts = blocks.finish();
  const { chosen } = source;
  if (chosen === undefined || texts === undefined)
    throw new RunError({ where: 'index', what: 'the corpus has no documents.', fix: 'Give another corpus.' });
  return { ids: await ids.write(out), parts, texts, fields: chosen, digest: content.digest('hex') };
}
