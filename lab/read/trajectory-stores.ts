import { readdir } from 'node:fs/promises';
import { codeOf, UsageError } from '../../envs/core/errors.ts';
import { describeReadError } from '../../envs/core/user-file.ts';
import { storeName } from '../../trainers/run/checkpoint-names.ts';
import { didYouMean, nearest } from '../../envs/core/near-miss.ts';

/** Names of the trajectory stores in a folder, in order. */
export async function listStores(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ENOENT') return [];
    throw new UsageError(
      {
        where: folder,
        what: `${codeOf(thrown) === 'ENOTDIR' ? 'it is a file, and a folder of trajectories is expected' : describeReadError(thrown)}.`,
        fix: 'Give the folder of a run that `npx cairn-gym train` made, or one of its files of trajectories.',
      },
      { cause: thrown },
    );
  });
  const names = entries.flatMap((entry) => /^(.+)-\d{5,}\.jsonl\.gz$/.exec(entry)?.[1] ?? []);
  return [...new Set(names)].toSorted();
}

/** The store of that name, or that of the iterations, or the only one there is. */
export async function chooseStore(folder: string, wanted: string | undefined): Promise<string> {
  const names = await listStores(folder);
  const [only] = names;
  if (wanted !== undefined && names.includes(wanted)) return wanted;
  if (wanted === undefined && names.includes(storeName)) return storeName;
  if (wanted === undefined && only !== undefined && names.length === 1) return only;
  throw new UsageError({
    where: folder,
    what:
      wanted === undefined
        ? `it holds ${names.length} stores of trajectories.`
        : `it holds no trajectories called "${wanted}".`,
    fix:
      names.length === 0
        ? 'The run wrote none down: see trajectories.every of its config.'
        : `${didYouMean(nearest(wanted ?? '', names))}Choose one with --store: ${names.join(', ')}.`,
  });
}
