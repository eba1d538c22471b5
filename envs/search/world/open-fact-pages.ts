import { join } from 'node:path';
import { canonicalJson } from '../../core/json.ts';
import type { OpenedFacts } from '../../engines/questions/facts/open-facts.ts';
import { openCachedIndex } from '../../engines/retrieval/cached-index.ts';
import { IndexRetriever } from '../../engines/retrieval/index-retriever.ts';
import { shortDigest } from '../../kit/short-digest.ts';

const advanceEvery = 10_000;

/** Opens the documents of facts. They are written on demand; their index is stored. */
export async function openFactPages(
  { graph, identity: source }: OpenedFacts,
  options: {
    readonly wordings: number;
    readonly cacheFolder: string;
    readonly signal: AbortSignal;
    readonly onAdvance: (done: number, total: number) => void;
    readonly onRebuild: (why: string) => void;
  },
): Promise<IndexRetriever> {
  const { wordings, cacheFolder, signal, onAdvance, onRebuild } = options;
  const identity = { kind: 'facts', source, wordings };
  function* texts(): Generator<string, void> {
    for (let subject = 0; subject < graph.size; subject += 1) {
      if (subject % advanceEvery === 0) onAdvance(subject, graph.size);
      yield graph.document(subject, wordings).contents;
    }
    onAdvance(graph.size, graph.size);
  }
  const contentKey = canonicalJson(identity);
  const index = await openCachedIndex({
    file: join(cacheFolder, `facts-${shortDigest(contentKey)}.index`),
    contentKey,
    texts,
    signal,
    onRebuild,
  });
  return new IndexRetriever({
    identity,
    index,
    read: (subject) => graph.document(subject, wordings),
    find: (id) => graph.find(id),
  });
}
