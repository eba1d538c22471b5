import { createTextIndex } from './create-text-index.ts';
import { loadTextIndex, type LoadOptions } from './load-text-index.ts';
import { saveTextIndex } from './save-text-index.ts';
import type { TextIndex } from './text-index.ts';

export interface OpenOptions extends LoadOptions {
  /** The file of the index. */
  readonly file: string;
  /** The documents. They are read only where the file has no index of them. */
  readonly documents: () => AsyncIterable<string> | Iterable<string>;
}

/**
 * Opens the index in a file. It is built and stored there where it is missing, or was built from other
 * documents or with other settings.
 */
export async function openTextIndex({ file, documents, ...options }: OpenOptions): Promise<TextIndex> {
  const stored = await loadTextIndex(file, options);
  if (stored.kind === 'loaded') return stored.index;
  const index = await createTextIndex(documents(), options);
  await saveTextIndex(index, file, options);
  return index;
}
