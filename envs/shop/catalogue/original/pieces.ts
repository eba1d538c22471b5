import type { FileFixes } from './file-error.ts';
import type { FileLimits } from './limits.ts';
import { readBytes } from './read-bytes.ts';
import { JsonSplitter, type JsonPiece } from './split-json.ts';

export interface PiecesOptions {
  readonly shape: 'list' | 'object';
  readonly limits: FileLimits;
  readonly signal: AbortSignal;
  /** Receives the number of bytes of the file read so far, before decompression. */
  readonly onRead?: (bytes: number) => void;
  /** Default: those of the files that WebShop publishes. */
  readonly fixes?: FileFixes;
}

/**
 * Yields the items of a JSON list, or the entries of an object. The file is read no further than the consumer
 * goes.
 */
export async function* piecesOf(
  file: string,
  { shape, limits, signal, onRead, fixes }: PiecesOptions,
): AsyncGenerator<JsonPiece, void> {
  const splitter = new JsonSplitter({ file, fixes }, shape, limits);
  for await (const chunk of readBytes(file, { signal, maxBytes: limits.fileBytes, onRead, fixes }))
    yield* splitter.push(chunk);
  splitter.end();
}
