import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { codeOf } from '../envs/core/errors.ts';

const signs = /[*?[]/;

/** Whether a path has signs of a pattern: `*`, `?` or `[`. */
export const isPattern = (path: string): boolean => signs.test(path);

/**
 * The paths that a pattern matches, sorted. `*` stands for any characters of a name, `?` for one, `[abc]` and `[!abc]` for one of a set;
 * names that begin with a dot must be written with it. Folders that cannot be read match nothing.
 */
export async function matchPaths(pattern: string): Promise<readonly string[]> {
  const parts = pattern.split('/');
  const isAbsolute = parts[0] === '';
  let places: readonly string[] = [isAbsolute ? sep : ''];
  for (const part of parts) {
    if (part === '') continue;
    const found = await Promise.all(places.map(async (place) => step(place, part)));
    places = found.flat();
  }
  return places.toSorted();
}

async function step(place: string, part: string): Promise<readonly string[]> {
  if (!isPattern(part)) {
    const path = join(place, part);
    return (await isThere(path)) ? [path] : [];
  }
  const matches = patternOf(part);
  const names = await readdir(place === '' ? '.' : place).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'ENAMETOOLONG'].includes(codeOf(error) ?? '')) return [];
    throw error;
  });
  return names
    .filter((name) => matches.test(name) && (part.startsWith('.') || !name.startsWith('.')))
    .map((name) => join(place, name));
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** A regular expression for one name. A `[` without its end stands for itself. */
function patternOf(part: string): RegExp {
  const source = part.replaceAll(
    /\*+|\?|\[(!?)([^\]]+)\]|[\\^$.|+(){}[\]]/g,
    (sign, not: string, set?: string) => {
      if (sign.startsWith('*')) return '.*';
      if (sign === '?') return '.';
      if (set === undefined) return `\\${sign}`;
      return `[${not === '' ? '' : '^'}${set.replaceAll(/[\\^\]]/g, '\\$&')}]`;
    },
  );
  return new RegExp(`^${source}$`, 'su');
}
