import type { Retriever } from '../retriever.ts';
import type { DocumentSource } from './simulated-retriever.ts';

/** Noise comes from ranks that begin at this multiple of what a search shows. */
const noiseDepth = 5;

/**
 * Simulates a search without a model: useful documents are the best of an engine, noise has words in common with the
 * query and stands further down its ranking.
 */
export function rankedSource(engine: Retriever): DocumentSource {
  return {
    identity: { kind: 'ranked', engine: engine.identity },
    documents: async (query, { limit, isNoisy, signal }) => {
      if (!isNoisy) return engine.search(query, limit, signal);
      const hits = await engine.search(query, limit * (noiseDepth + 1), signal);
      return hits.slice(limit).slice(-limit);
    },
    open: (id, signal) => engine.open(id, signal),
    close: () => engine.close(),
  };
}
