import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';
import { runPaths } from '../../trainers/run/open-run.ts';
import { configName } from '../../trainers/run/run-document.ts';

/** Levels of folders that are searched: a study has a folder of runs of its own. */
const deepest = 2;

/**
 * The run below a folder that was written last, by its metrics, or by its config if it has none yet.
 * @throws UsageError if there is none
 */
export async function findNewestRun(folder: string): Promise<string> {
  const runs = await runsBelow(folder, deepest);
  const [newest] = runs.toSorted((one, other) => other.time - one.time);
  if (newest !== undefined) return newest.folder;
  throw new UsageError({
    where: 'cairn-gym inspect',
    what: `no path is named, and there is no run in ${folder}.`,
    fix: 'Name the folder of a run. `npx cairn-gym train` writes to a new one in runs by default.',
  });
}

interface DatedRun {
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

async function runsBelow(folder: string, levels: number): Promise<readonly DatedRun[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(async ({ name }) => {
        const path = join(folder, name);
        const config = await timeOf(join(path, configName));
        if (config !== undefined)
          return [{ folder: path, time: Math.max(config, (await timeOf(runPaths(path).metrics)) ?? 0) }];
        return levels > 1 ? runsBelow(path, levels - 1) : [];
      }),
  );
  return found.flat();
}

/** When the file was written; undefined if there is none. */
async function timeOf(file: string): Promise<number | undefined> {
  const about = await stat(file).catch(() => undefined);
  return about?.isFile() === true ? about.mtimeMs : undefined;
}
