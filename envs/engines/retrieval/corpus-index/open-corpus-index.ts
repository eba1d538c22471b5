import { access } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describeIssues } from '../../../core/issues.ts';
import { RunError, UsageError } from '../../../core/errors.ts';
import { PagedFile } from '../../paged-file/paged-file.ts';
import { DiskTextIndex } from '../../text-search/disk/disk-text-index.ts';
import { stampOf } from '../corpus/build-corpus.ts';
import type { CorpusReport } from '../corpus/corpus-source.ts';
import { digestOf } from '../corpus/open-corpus.ts';
import type { StoredDocument } from '../document.ts';
import { IndexRetriever } from '../index-retriever.ts';
import { assertReadable } from '../read/read-lines.ts';
import { CorpusRows } from './corpus-rows.ts';
import { DocumentBlocks, type DocumentPlace } from './document-blocks.ts';
import { IdTable } from './id-table.ts';
import { indexContentSchema, indexKind, type IndexContent } from './index-format.ts';

export interface OpenCorpusIndexOptions {
  /** Where the corpus is now. Default: where it was, else beside the index under the same name. */
  readonly corpus?: string | undefined;
  readonly signal: AbortSignal;
  /** Memory for pages of the index, in bytes. Default: 256 MiB. */
  readonly cacheBytes?: number;
}

/** An index on disk that can be searched. */
export interface CorpusIndex {
  readonly retriever: IndexRetriever;
  readonly documents: number;
  readonly report: CorpusReport;
}

/**
 * Opens an index that `buildCorpusIndex` wrote. It is read in parts on demand, without a wait, and any number of processes can
 * use one file. Results and identity are those of `openCorpus` with the same corpus.
 *
 * A corpus of the same size and time of change counts as the same. One of another time is read and compared by its digest. Each
 * text is also checked against its checksum when it is read.
 *
 * @throws UsageError where there is no such index, it is of another version, or its corpus is missing or has changed
 * @throws RunError where the index is cut off or damaged
 */
export async function openCorpusIndex(index: string, options: OpenCorpusIndexOptions): Promise<CorpusIndex> {
  const { corpus, signal, cacheBytes } = options;
  const file = new PagedFile(index, indexKind, cacheBytes);
  try {
    const parsed = indexContentSchema.safeParse(file.content);
    if (!parsed.success) throw file.damaged(`its header is wrong: ${describeIssues(parsed.error)}`);
    const content = parsed.data;
    const { documents } = content.text;
    const blocks = new DocumentBlocks(file, documents);
    const ids = new IdTable(file, content.ids, (number) => blocks.at(number).id);
    const text = new DiskTextIndex(file, content.text);
    const texts = await openTexts(file, content, { corpus, signal });
    const retriever = new IndexRetriever({
      identity: { kind: 'corpus', digest: `sha256:${content.digest}` },
      index: text,
      hasUrls: content.fields.id === 'url',
      read: (number) => texts.read(blocks.at(number)),
      find: (id) => ids.find(id),
      close: () => {
        texts.close();
        file.close();
      },
    });
    return { retriever, documents, report: content.report };
  } catch (thrown) {
    file.close();
    throw thrown;
  }
}

/** The texts of documents. */
interface Texts {
  read(place: DocumentPlace): StoredDocument;
  close(): void;
}

async function openTexts(
  file: PagedFile,
  content: IndexContent,
  { corpus, signal }: { readonly corpus: string | undefined; readonly signal: AbortSignal },
): Promise<Texts> {
  if (content.texts === 'index') {
    if (corpus !== undefined) await assertSame(corpus, content, signal);
    return {
      read: ({ id, start, length, checksum }) => {
        const at = file.read(start, length);
        const bytes = file.bytes.subarray(at, at + length);
        if (crc32(bytes) !== checksum) throw file.damaged(`the text of document ${id} has another checksum`);
        return { id, contents: bytes.toString() };
      },
      close: () => undefined,
    };
  }
  const path = corpus ?? (await findCorpus(file.path, content));
  await assertSame(path, content, signal);
  const rows = new CorpusRows(path, content.fields, content.textCharacters);
  return {
    read: ({ id, checksum, ...span }) => {
      const contents = rows.contentsAt(span);
      if (contents === undefined || crc32(contents) !== checksum) throw changedMeanwhile(path, id);
      return { id, contents };
    },
    close: () => rows.close(),
  };
}

/** The corpus where it was, else beside the index. */
async function findCorpus(index: string, { source }: IndexContent): Promise<string> {
  const beside = join(dirname(index), basename(source.path));
  for (const path of [source.path, beside]) {
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (exists) return path;
  }
  throw new UsageError({
    where: index,
    what: `its texts are in the corpus ${source.path}, which is not there, nor beside the index.`,
    fix: 'Name the corpus: --corpus FILE, or backend.file.',
  });
}

/** @throws UsageError where the file is not the corpus of the index */
async function assertSame(path: string, { source }: IndexContent, signal: AbortSignal): Promise<void> {
  await assertReadable(path);
  const now = await stampOf(path);
  if (now.bytes === source.bytes) {
    if (now.modified === source.modified) return;
    if ((await digestOf(path, signal)) === source.sha256) return;
  }
  throw new UsageError({
    where: path,
    what: 'the corpus has changed since its index was built.',
    fix: indexKind.fix,
  });
}

const changedMeanwhile = (where: string, id: string): RunError =>
  new RunError({
    where,
    what: `the text of document ${JSON.stringify(id.slice(0, 200))} is not the one that was indexed: the corpus has changed.`,
    fix: indexKind.fix,
  });
