import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';
import { isPattern, matchPaths } from '../../files/match-paths.ts';
import { studyName } from '../read/study-name.ts';
import { configName } from '../../trainers/run/run-document.ts';

/** What a word for a place stands for. */
export interface FoundPlaces {
  /** Folders of runs, or files of results. */
  readonly places: readonly string[];
  /** True where they were looked for: in a folder of several runs, or by a pattern. */
  readonly isSearched: boolean;
}

/** @param path of a run, a file, a folder that holds runs, or a pattern such as `runs/g-*` */
export async function findPlaces(path: string): Promise<FoundPlaces> {
  if (await isRun(path)) return { places: [path], isSearched: false };
  const inside = await runsIn(path);
  if (inside.length > 0) return { places: inside, isSearched: true };
  if (!isPattern(path) || (await isThere(path))) return { places: [path], isSearched: false };
  const matches = await matchPaths(path);
  const found = await Promise.all(matches.map(placesAt));
  const places = [...new Set(found.flat())];
  if (places.length > 0) return { places, isSearched: true };
  throw new UsageError({
    where: path,
    what:
      matches.length === 0
        ? 'nothing matches this pattern.'
        : `what matches this pattern is neither a run nor a file of results: ${matches.slice(0, 3).join(', ')}${matches.length > 3 ? ' and more' : ''}.`,
    fix: 'Give a pattern for folders of runs, such as "runs/gigpo-*", in quotes.',
  });
}

async function placesAt(path: string): Promise<readonly string[]> {
  if (await isRun(path)) return [path];
  const inside = await runsIn(path);
  if (inside.length > 0) return inside;
  const isOwn = basename(path) === studyName; // what `train --seeds` writes beside its runs
  return path.endsWith('.json') && !isOwn && (await isFile(path)) ? [path] : [];
}

/** The runs that a folder holds, sorted; none where it is no folder. */
async function runsIn(folder: string): Promise<readonly string[]> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  const paths = names.toSorted().map((name) => join(folder, name));
  const areRuns = await Promise.all(paths.map(isRun));
  return paths.filter((_, index) => areRuns[index]);
}

const isRun = (path: string): Promise<boolean> => isThere(join(path, configName));

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (about) => about.isFile(),
    () => false,
  );
