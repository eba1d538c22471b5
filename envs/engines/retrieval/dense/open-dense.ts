import type { Json } from '../../../core/json.ts';
import type { IndexRetriever } from '../index-retriever.ts';
import { createEmbedder, type DenseConfig } from './embedder.ts';
import { DenseRetriever } from './dense-retriever.ts';
import { openStoredVectors } from './stored-vectors.ts';
import type { VectorTable } from './vector-table.ts';

export interface OpenDenseOptions {
  /** Vectors of the corpus; undefined: the server makes them. */
  readonly given: VectorTable | undefined;
  /** The file of vectors that the server makes. */
  readonly fileOf: (documents: Json) => string;
  readonly key: string | undefined;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onAdvance: (done: number, total: number) => void;
  readonly onRebuild: (why: string) => void;
}

/**
 * Adds vectors to an index: those of the corpus, or those that the embedding server makes of all documents. It closes
 * `base` where it fails.
 *
 * @throws FaultError of kind `retriever-failed` where the server fails
 */
export async function openDense(
  base: IndexRetriever,
  config: DenseConfig,
  options: OpenDenseOptions,
): Promise<DenseRetriever> {
  const { given, fileOf, key, now, signal, onAdvance, onRebuild } = options;
  const embedder = createEmbedder(config, { key, now });
  try {
    const made = { documents: base.identity, embedder: embedder.documentIdentity };
    const table =
      given ??
      (await openStoredVectors({
        file: fileOf(made),
        documents: base.identity,
        count: base.size,
        textOf: (number) => base.documentAt(number).contents,
        embedder,
        signal,
        onAdvance,
        onRebuild,
      }));
    return new DenseRetriever(base, {
      table,
      vectors: given === undefined ? 'made' : 'given',
      embedder,
      config,
    });
  } catch (thrown) {
    await embedder.close();
    await base.close();
    throw thrown;
  }
}
