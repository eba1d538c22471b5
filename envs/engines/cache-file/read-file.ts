import { readFile, stat } from 'node:fs/promises';
import { RunError } from '../../core/errors.ts';

/** The fix where something other than a file has the path of a cache file. */
export const removeForeign = 'Remove it. The cache file is then written again.';

/**
 * Checks that the path of a cache file is a regular file. A pipe would block for ever, and no signal would
 * end that.
 *
 * @throws RunError where it is something other than a file
 * @throws as `stat` does where it does not exist
 */
export async function assertCacheFile(path: string): Promise<void> {
  if ((await stat(path)).isFile()) return;
  throw new RunError({ where: path, what: 'it is not a regular file.', fix: removeForeign });
}

/** Reads a whole cache file. Throws as {@link assertCacheFile} and `readFile` do. */
export async function readCacheFile(
  path: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Buffer> {
  await assertCacheFile(path);
  return readFile(path, options);
}
