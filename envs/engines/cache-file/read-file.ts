import { readFile, stat } from 'node:fs/promises';
import { RunError } from '../../core/errors.ts';

/** What helps where something else than a file stands in the place of a cache file. */
export const removeForeign = 'Remove it: the file that belongs there is made anew.';

/**
 * Throws a `RunError` where something else than a file stands at the path of a cache file: a pipe would be waited for for ever, and
 * no signal ends that. Where nothing stands there it throws as `stat` does.
 */
export async function assertCacheFile(path: string): Promise<void> {
  if ((await stat(path)).isFile()) return;
  throw new RunError({ where: path, what: 'it is no plain file.', fix: removeForeign });
}

/** The whole of a cache file. Throws as {@link assertCacheFile} and `readFile` do. */
export async function readCacheFile(
  path: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Buffer> {
  await assertCacheFile(path);
  return readFile(path, options);
}
