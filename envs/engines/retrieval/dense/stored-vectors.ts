import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { canonicalJson, type Json } from '../../../core/json.ts';
import { codeOf } from '../../../core/errors.ts';
import type { Embedder } from './embedder.ts';
import { readVectorFile, VectorWriter, type ReadVectors } from './vector-file.ts';
import { VectorTable } from './vector-table.ts';

export interface StoredVectorsOptions {
  readonly file: string;
  /** What the documents depend on. */
  readonly documents: Json;
  readonly count: number;
  readonly textOf: (number: number) => string;
  readonly embedder: Embedder;
  readonly signal: AbortSignal;
  readonly onAdvance: (done: number, total: number) => void;
  readonly onRebuild: (why: string) => void;
}

/** Documents whose vectors are asked for together, a multiple of the vectors of a chunk. */
const atOnce = 1_024;

/**
 * The vectors of all documents, from a file, or from the embedding server and then stored there. Work that was
 * interrupted goes on where it stopped: vectors are kept beside the file until they are complete.
 *
 * @throws FaultError of kind `retriever-failed` where the server fails
 */
export async function openStoredVectors(options: StoredVectorsOptions): Promise<VectorTable> {
  const { file, documents, count, embedder, signal, onRebuild } = options;
  const key = createHash('sha256')
    .update(canonicalJson({ documents, embedder: embedder.documentIdentity, count }))
    .digest();
  const stored = await readVectorFile(file, key, signal);
  if (isUsable(stored) && stored.isComplete && stored.table.size === count) return stored.table;
  if (stored !== 'missing') onRebuild('why' in stored ? stored.why : 'its vectors are not complete');
  await mkdir(dirname(file), { recursive: true });
  const partial = `${file}.partial`;
  // a name of its own, so that no other process writes into it
  const own = join(dirname(file), `.${basename(file)}.${randomUUID()}.part`);
  await rename(partial, own).catch((thrown: unknown) => {
    if (codeOf(thrown) !== 'ENOENT') throw thrown;
  });
  const begun = await readVectorFile(own, key, signal);
  const table = isUsable(begun) ? begun.table : undefined;
  if (isUsable(begun) && begun.isComplete && begun.table.size === count) {
    await rename(own, file);
    return begun.table;
  }
  if (table === undefined) await rm(own, { force: true });
  try {
    const full = await complete(own, { ...options, key, table });
    await rename(own, file);
    return full;
  } catch (thrown) {
    await rename(own, partial).catch(() => undefined); // the cause of the failure matters more
    throw thrown;
  }
}

const isUsable = (read: Awaited<ReturnType<typeof readVectorFile>>): read is ReadVectors =>
  typeof read === 'object' && 'table' in read;

/** Asks for the vectors that are missing. */
async function complete(
  path: string,
  options: StoredVectorsOptions & { readonly key: Uint8Array; readonly table: VectorTable | undefined },
): Promise<VectorTable> {
  const { count, textOf, embedder, signal, onAdvance, key } = options;
  let { table } = options;
  if (table !== undefined) embedder.expect(table.dimensions);
  await using handle = await open(path, table === undefined ? 'w' : 'r+');
  let writer: VectorWriter | undefined;
  for (let first = table?.size ?? 0; first < count; first += atOnce) {
    signal.throwIfAborted();
    onAdvance(first, count);
    const texts = Array.from({ length: Math.min(atOnce, count - first) }, (_, at) => textOf(first + at));
    const vectors = await embedder.documents(texts, signal);
    table ??= new VectorTable(vectors[0]?.length ?? 1);
    writer ??= new VectorWriter(handle, { key, dimensions: table.dimensions, rows: first });
    await writer.append(vectors);
    for (const vector of vectors) table.add(vector);
  }
  table ??= new VectorTable(1);
  writer ??= new VectorWriter(handle, { key, dimensions: table.dimensions, rows: table.size });
  await writer.finish();
  await handle.sync();
  onAdvance(count, count);
  return table;
}
