import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { RunError } from '../../../core/errors.ts';
import { replaceFile, writeFully } from '../../cache-file/replace-file.ts';
import { TextIndexBuilder } from '../../text-search/index-builder.ts';
import { saveTextIndex } from '../../text-search/save-text-index.ts';
import { VectorWriter } from '../dense/vector-file.ts';
import { corpusFiles, corpusFormat, writeManifest } from './corpus-manifest.ts';
import type { CorpusReport, CorpusSource } from './corpus-source.ts';
import { packTables, TablesWriter } from './document-tables.ts';

export interface BuildCorpus {
  /** The corpus file. */
  readonly file: string;
  readonly settings: string;
  /** Whether each document has a vector. */
  readonly hasVectors: boolean;
  readonly signal: AbortSignal;
  /** Receives the bytes read so far, and all. */
  readonly advance: (done: number, total: number) => void;
}

const blockBytes = 1 << 22;

/**
 * Reads a corpus once and writes its documents, vectors, tables and index into a folder. Each file is written completely
 * or not at all, the manifest last.
 */
export async function buildCorpus(folder: string, source: CorpusSource, options: BuildCorpus): Promise<void> {
  const { file, settings, signal } = options;
  const before = await stampOf(file);
  const tables = new TablesWriter();
  const builder = new TextIndexBuilder();
  const content = createHash('sha256');
  let digest = '';
  const write = (handle: FileHandle, vectors: FileHandle | undefined): Promise<void> =>
    writeDocuments({ handle, vectors }, async (add, flush) => {
      for await (const batch of source.documents(signal, (id) => tables.addId(id))) {
        for (const document of batch) {
          const { id, contents, vector } = document;
          const bytes = Buffer.from(contents);
          tables.addDocument(bytes.length, crc32(bytes));
          builder.add(contents);
          content.update(`${id.length}:${id}${bytes.length}:`).update(bytes);
          if (vector !== undefined) content.update(vector);
          add(bytes, vector);
        }
        await flush();
        options.advance(source.bytes, before.bytes);
        await nextTurn();
        signal.throwIfAborted();
      }
      digest = content.digest('hex');
      return digest;
    });
  const documentsFile = join(folder, corpusFiles.documents);
  if (options.hasVectors)
    await replaceFile(join(folder, corpusFiles.vectors), (vectors) =>
      replaceFile(documentsFile, (handle) => write(handle, vectors)),
    );
  else await replaceFile(documentsFile, (handle) => write(handle, undefined));
  const packed = packTables(tables.finish());
  await replaceFile(join(folder, corpusFiles.tables), (handle) => writeFully(handle, packed, 0));
  await saveTextIndex(builder.finish(), join(folder, corpusFiles.index), { contentKey: digest });
  await assertUnchanged(file, before);
  const manifest = writeManifest({
    format: corpusFormat,
    settings,
    source: { ...before, sha256: source.digest() },
    documents: tables.size,
    hasVectors: options.hasVectors,
    digest,
    tables: createHash('sha256').update(packed).digest('hex'),
    report: copiedReport(source.report()),
  });
  await replaceFile(join(folder, corpusFiles.manifest), (handle) =>
    writeFully(handle, Buffer.from(manifest), 0),
  );
}

/** Writes the documents that `read` adds, and their vectors. `read` returns their digest. */
async function writeDocuments(
  to: { readonly handle: FileHandle; readonly vectors: FileHandle | undefined },
  read: (
    add: (bytes: Buffer, vector: Float32Array | undefined) => void,
    flush: () => Promise<void>,
  ) => Promise<string>,
): Promise<void> {
  let block: Buffer[] = [];
  let blockLength = 0;
  let written = 0;
  let waiting: Float32Array[] = [];
  let writer: VectorWriter | undefined;
  const write = async (): Promise<void> => {
    await writeFully(to.handle, Buffer.concat(block), written);
    written += blockLength;
    [block, blockLength] = [[], 0];
  };
  const digest = await read(
    (bytes, vector) => {
      block.push(bytes);
      blockLength += bytes.length;
      if (vector !== undefined) waiting.push(vector);
    },
    async () => {
      if (blockLength >= blockBytes) await write();
      const [first] = waiting;
      if (first === undefined || to.vectors === undefined) return;
      writer ??= new VectorWriter(to.vectors, {
        key: new Uint8Array(32),
        dimensions: first.length,
        rows: 0,
      });
      await writer.append(waiting);
      waiting = [];
    },
  );
  await write();
  await writer?.finish(vectorKey(digest));
}

/** The key of the vectors of a corpus with that digest. */
export const vectorKey = (digest: string): Uint8Array => Buffer.from(digest, 'hex');

export const copiedReport = (report: CorpusReport) => ({
  ...report,
  firstBad: [...report.firstBad],
  firstRepeated: [...report.firstRepeated],
});

/** The size and the time of the last change of a file. */
export interface FileStamp {
  readonly bytes: number;
  readonly modified: string;
}

/** @throws RunError where the file is not the one that was read */
export async function assertUnchanged(file: string, before: FileStamp): Promise<void> {
  const after = await stampOf(file);
  if (after.bytes === before.bytes && after.modified === before.modified) return;
  throw new RunError({
    where: file,
    what: 'the file changed while it was read.',
    fix: 'Wait until it is complete, then run the command again.',
  });
}

export async function stampOf(file: string): Promise<FileStamp> {
  const { size, mtimeNs } = await stat(file, { bigint: true });
  return { bytes: Number(size), modified: String(mtimeNs) };
}
