import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { RunError } from '../../../core/errors.ts';
import { replaceFile, writeFully } from '../../cache-file/replace-file.ts';
import { TextIndexBuilder } from '../../text-search/index-builder.ts';
import { saveTextIndex } from '../../text-search/save-text-index.ts';
import type { StoredDocument } from '../document.ts';
import { corpusFiles, corpusFormat, writeManifest } from './corpus-manifest.ts';
import type { CorpusSource } from './corpus-source.ts';
import { packTables, TablesWriter } from './document-tables.ts';

export interface BuildCorpus {
  /** The corpus file. */
  readonly file: string;
  readonly settings: string;
  readonly signal: AbortSignal;
  /** Receives the bytes read so far, and all. */
  readonly advance: (done: number, total: number) => void;
}

const blockBytes = 1 << 22;

/**
 * Reads a corpus once and writes its documents, tables and index into a folder. Each file is written completely or
 * not at all, the manifest last.
 */
export async function buildCorpus(folder: string, source: CorpusSource, options: BuildCorpus): Promise<void> {
  const { file, settings, signal } = options;
  const before = await stampOf(file);
  const tables = new TablesWriter();
  const builder = new TextIndexBuilder();
  const content = createHash('sha256');
  await replaceFile(join(folder, corpusFiles.documents), async (handle) => {
    let block: Buffer[] = [];
    let blockLength = 0;
    let written = 0;
    const flush = async (): Promise<void> => {
      await writeFully(handle, Buffer.concat(block), written);
      written += blockLength;
      [block, blockLength] = [[], 0];
    };
    const add = ({ id, contents }: StoredDocument): void => {
      const bytes = Buffer.from(contents);
      tables.addDocument(bytes.length, crc32(bytes));
      builder.add(contents);
      content.update(`${id.length}:${id}${bytes.length}:`).update(bytes);
      block.push(bytes);
      blockLength += bytes.length;
    };
    for await (const batch of source.documents(signal, (id) => tables.addId(id))) {
      for (const document of batch) add(document);
      if (blockLength >= blockBytes) await flush();
      options.advance(source.bytes, before.bytes);
      await nextTurn();
      signal.throwIfAborted();
    }
    await flush();
  });
  const packed = packTables(tables.finish());
  const digest = content.digest('hex');
  await replaceFile(join(folder, corpusFiles.tables), (handle) => writeFully(handle, packed, 0));
  await saveTextIndex(builder.finish(), join(folder, corpusFiles.index), { contentKey: digest });
  const after = await stampOf(file);
  if (after.bytes !== before.bytes || after.modified !== before.modified)
    throw new RunError({
      where: file,
      what: 'the file changed while it was read.',
      fix: 'Wait until it is complete, then run the command again.',
    });
  const manifest = writeManifest({
    format: corpusFormat,
    settings,
    source: { ...before, sha256: source.digest() },
    documents: tables.size,
    digest,
    tables: createHash('sha256').update(packed).digest('hex'),
    report: { ...copied(source.report()) },
  });
  await replaceFile(join(folder, corpusFiles.manifest), (handle) =>
    writeFully(handle, Buffer.from(manifest), 0),
  );
}

const copied = (report: ReturnType<CorpusSource['report']>) => ({
  ...report,
  firstBad: [...report.firstBad],
  firstRepeated: [...report.firstRepeated],
});

/** The size and the time of the last change of a file. */
export async function stampOf(file: string): Promise<{ readonly bytes: number; readonly modified: string }> {
  const { size, mtimeNs } = await stat(file, { bigint: true });
  return { bytes: Number(size), modified: String(mtimeNs) };
}
