import type { Json } from '../../core/json.ts';
import { TextIndexBuilder } from '../text-search/index-builder.ts';
import type { StoredDocument } from './document.ts';
import { IndexRetriever } from './index-retriever.ts';

/** A retriever over documents in memory, for some ten thousand of them. */
export function createMemoryRetriever(identity: Json, documents: readonly StoredDocument[]): IndexRetriever {
  const builder = new TextIndexBuilder();
  const numbers = new Map<string, number>();
  for (const [number, { id, contents }] of documents.entries()) {
    builder.add(contents);
    numbers.set(id, number);
  }
  return new IndexRetriever({
    identity,
    index: builder.finish(),
    read: (number) => documents[number] as StoredDocument,
    find: (id) => numbers.get(id),
  });
}
