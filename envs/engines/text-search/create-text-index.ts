import { setImmediate } from 'node:timers/promises';
import { TextIndexBuilder, type TextIndexOptions } from './index-builder.ts';
import type { TextIndex } from './text-index.ts';

/** Documents that are indexed before the event loop gets a turn. */
const documentsAtOnce = 256;

/**
 * Indexes documents in their order. Rejects with the signal's reason when it aborts, at the latest after the
 * next 256 documents. A source that waits must observe the signal itself.
 */
export async function createTextIndex(
  documents: AsyncIterable<string> | Iterable<string>,
  { signal, ...options }: TextIndexOptions & { readonly signal?: AbortSignal } = {},
): Promise<TextIndex> {
  const builder = new TextIndexBuilder(options);
  let added = 0;
  signal?.throwIfAborted();
  for await (const text of documents) {
    builder.add(text);
    added += 1;
    if (added % documentsAtOnce !== 0) continue;
    await setImmediate();
    signal?.throwIfAborted();
  }
  signal?.throwIfAborted();
  return builder.finish();
}
