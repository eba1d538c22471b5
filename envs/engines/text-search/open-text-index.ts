import { createTextIndex } from './create-text-index.ts';
import { loadTextIndex, type LoadOptions } from './load-text-index.ts';
import { saveTextIndex } from './save-text-index.ts';
import type { TextIndex } from './text-index.ts';

export interface OpenOptions extends LoadOptions {
  /** Where the index is kept. */
  readonly file: string;
  /** The documents, read only where no index of them is kept. */
  readonly documents: () => AsyncIterable<string> | Iterable<string>;
}

/** The index that is kept in a file; made, and kept there, where it is missing or was made of other documents or in another way. */
export async function openTextIndex({ file, documents, ...options }: OpenOptions): Promise<TextIndex> {
  const stored = await loadTextIndex(file, options);
  if (stored.kind === 'loaded') return stored.index;
  const index = await createTextIndex(documents(), options);
  await saveTextIndex(index, file, options);
  return index;
}
