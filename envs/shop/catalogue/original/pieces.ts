import type { FileFixes } from './file-error.ts';
import type { FileLimits } from './limits.ts';
import { readBytes } from './read-bytes.ts';
import { JsonSplitter, type JsonPiece } from './split-json.ts';

export interface PiecesOptions {
  readonly shape: 'list' | 'object';
  readonly limits: FileLimits;
  readonly signal: AbortSignal;
  /** Is told how many bytes of the file have been read, compressed as they are. */
  readonly onRead?: (bytes: number) => void;
  /** Those of the files that WebShop publishes when left out. */
  readonly fixes?: FileFixes;
}

/** The items of a JSON list, or the entries of an object, of a file that is read no further than the consumer goes. */
export async function* piecesOf(
  file: string,
  { shape, limits, signal, onRead, fixes }: PiecesOptions,
): AsyncGenerator<JsonPiece, void> {
  const splitter = new JsonSplitter({ file, fixes }, shape, limits);
  for await (const chunk of readBytes(file, { signal, maxBytes: limits.fileBytes, onRead, fixes }))
    yield* splitter.push(chunk);
  splitter.end();
}
