import { setImmediate } from 'node:timers/promises';
import { TextIndexBuilder, type TextIndexOptions } from './index-builder.ts';
import type { TextIndex } from './text-index.ts';

/** Documents that are indexed before other work of the process gets its turn. */
const documentsAtOnce = 256;

/**
 * Indexes documents in the order in which they come. Aborting `signal` rejects with its reason, at the latest after the next 256
 * documents: a source that waits for something takes the same signal.
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
