import { join } from 'node:path';
import { canonicalJson } from '../../core/json.ts';
import { openCachedIndex } from '../../engines/retrieval/cached-index.ts';
import type { StoredDocument } from '../../engines/retrieval/document.ts';
import { IndexRetriever } from '../../engines/retrieval/index-retriever.ts';
import { createTextIndex } from '../../engines/text-search/create-text-index.ts';
import { shortDigest } from '../../kit/short-digest.ts';
import { pageDocument } from './page-text.ts';
import { WorldGraph, type WorldOptions } from '../../engines/questions/world/world-graph.ts';

/** Changes whenever pages or questions of an equal seed and size would change. */
export const worldVersion = 1;

export interface OpenWorldOptions extends WorldOptions {
  readonly cacheFolder: string;
  readonly signal: AbortSignal;
  readonly onAdvance?: (done: number, total: number) => void;
  readonly onRebuild?: (why: string) => void;
}

/** A world that can be searched. */
export interface World {
  readonly graph: WorldGraph;
  readonly retriever: IndexRetriever;
}

/** Worlds up to this size are indexed at each opening, in about the time of reading an index. */
const mostUnstored = 20_000;
const advanceEvery = 10_000;

/** Opens a world. Its pages are written on demand; only the index of a large one is stored. */
export async function openWorld(options: OpenWorldOptions): Promise<World> {
  const { seed, documents, wordings, cacheFolder, signal, onAdvance = ignore, onRebuild = ignore } = options;
  const graph = new WorldGraph({ seed, documents, wordings });
  const identity = { kind: 'world', version: worldVersion, seed, documents, wordings };
  const read = (number: number): StoredDocument => pageDocument(graph, number);
  function* texts(): Generator<string, void> {
    for (let number = 0; number < documents; number += 1) {
      if (number % advanceEvery === 0) onAdvance(number, documents);
      yield read(number).contents;
    }
    onAdvance(documents, documents);
  }
  const contentKey = canonicalJson(identity);
  const index =
    documents <= mostUnstored
      ? await createTextIndex(texts(), { signal })
      : await openCachedIndex({
          file: join(cacheFolder, `world-${shortDigest(contentKey)}.index`),
          contentKey,
          texts,
          signal,
          onRebuild,
        });
  const retriever = new IndexRetriever({
    identity,
    index,
    read,
    find: (id) => (/^(?:0|[1-9]\d{0,6})$/.test(id) && Number(id) < documents ? Number(id) : undefined),
  });
  return { graph, retriever };
}

const ignore = (): void => undefined;
