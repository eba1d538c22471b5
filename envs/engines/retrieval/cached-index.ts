import { rm } from 'node:fs/promises';
import { RunError, UsageError } from '../../core/errors.ts';
import { createTextIndex } from '../text-search/create-text-index.ts';
import { loadTextIndex } from '../text-search/load-text-index.ts';
import { saveTextIndex } from '../text-search/save-text-index.ts';
import type { TextIndex } from '../text-search/text-index.ts';

export interface CachedIndexOptions {
  readonly file: string;
  /** Changes whenever the documents do. */
  readonly contentKey: string;
  /** The texts, read only where the file has no index of them. */
  readonly texts: () => AsyncIterable<string> | Iterable<string>;
  readonly signal: AbortSignal;
  /** Receives why a stored index is built again. */
  readonly onRebuild: (why: string) => void;
}

/** Opens an index from its file. One of another version, of other documents, or a damaged one is built again. */
export async function openCachedIndex(options: CachedIndexOptions): Promise<TextIndex> {
  const { file, contentKey, texts, signal, onRebuild } = options;
  const stored = await loadStored(file, contentKey, signal);
  if (stored instanceof Object && 'index' in stored) return stored.index;
  if (stored !== 'missing') {
    onRebuild(stored.why);
    await rm(file, { force: true });
  }
  const index = await createTextIndex(texts(), { signal });
  await saveTextIndex(index, file, { contentKey });
  return index;
}

/** The stored index, or why it cannot be used. Errors of files other than an index's own are thrown. */
export async function loadStored(
  file: string,
  contentKey: string,
  signal: AbortSignal,
): Promise<{ readonly index: TextIndex } | 'missing' | { readonly why: string }> {
  try {
    const stored = await loadTextIndex(file, { contentKey, signal });
    if (stored.kind === 'loaded') return { index: stored.index };
    return stored.kind === 'missing' ? 'missing' : { why: stored.why };
  } catch (thrown) {
    signal.throwIfAborted();
    if (!RunError.is(thrown) && !UsageError.is(thrown)) throw thrown;
    return { why: thrown.parts.what.replace(/\.$/, '') };
  }
}
