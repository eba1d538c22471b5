import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import { listStores } from '../read/trajectory-stores.ts';

/** What a path holds: a run, the episodes that `--keep` wrote down, or one file of trajectories. */
export type EpisodePlace =
  | { readonly kind: 'run' | 'store'; readonly folder: string }
  | { readonly kind: 'file' };

/**
 * Looks at what is there. What is none of these passes for a run, whose reader says what it lacks.
 * @throws UsageError on a folder that holds the episodes of several agents, and says which
 */
export async function findEpisodes(path: string): Promise<EpisodePlace> {
  if ((await stat(path).catch(() => undefined))?.isFile() === true) return { kind: 'file' };
  if (await holdsEpisodes(path)) return { kind: 'store', folder: path };
  const kept = await keptWithin(path);
  if (kept.length > 0) {
    throw new UsageError({
      where: path,
      what: 'it holds the episodes of an evaluation, of each agent in a folder of its own.',
      fix: `Name one: ${kept.join(', ')}.`,
    });
  }
  return { kind: 'run', folder: runPaths(path).trajectories };
}

const holdsEpisodes = async (folder: string): Promise<boolean> => (await listStores(folder)).length > 0;

/** Folders within a folder that hold episodes. */
async function keptWithin(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  if (entries.some((entry) => entry.isFile())) return []; // such as those of a run
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
  const holds = await Promise.all(folders.map(holdsEpisodes));
  return folders.filter((_, index) => holds[index]);
}
