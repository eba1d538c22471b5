import * as diskFileSystem from 'node:fs/promises';
import { UsageError } from '../../../envs/core/errors.ts';
import { decodeGroup, unlessDamaged } from '../format/codec.ts';
import { defaultReadLimits, type ReadLimits } from '../format/read-limits.ts';
import { listStoreFiles } from './store-files.ts';
import type { TrajectoryGroup } from '../trajectory.ts';
import { openUnlessLost, walkGroups, withinStore, type LossListener } from './walk-groups.ts';

export interface ReadOptions extends LossListener {
  /** What is taken from a file that somebody else may have made. */
  readonly limits?: Partial<ReadLimits>;
}

/**
 * The groups of a store in the order in which they were written, one at a time. Only its last file may have a torn tail.
 * Damage is a `UsageError` that names file and byte, unless `onDamage` hears of it: then the groups behind it are read. A file of
 * newer code is always refused.
 */
export async function* readTrajectories(
  folder: string,
  name: string,
  options: ReadOptions,
): AsyncGenerator<TrajectoryGroup, void> {
  const files = await listStoreFiles(diskFileSystem, folder, name);
  if (files.length === 0) {
    throw new UsageError({
      where: folder,
      what: `there are no trajectories called "${name}".`,
      fix: 'Name the folder `trajectories` of a run, and a store that is in it.',
    });
  }
  for (const file of files) yield* readTrajectoryFile(file.path, withinStore(options, file === files.at(-1)));
}

/** The groups of one file. */
export async function* readTrajectoryFile(
  file: string,
  options: ReadOptions,
): AsyncGenerator<TrajectoryGroup, void> {
  const limits = { ...defaultReadLimits, ...options.limits };
  await using source = await openUnlessLost(file, limits, options);
  if (source === undefined) return;
  let firstLine: number | undefined = 1;
  let end = 0;
  for await (const { offset, bytes, text } of walkGroups(source, (at) => source.read(at), options)) {
    if (offset !== end) firstLine = undefined; // nobody knows how many lines the damage has
    const origin =
      firstLine === undefined ? { file: `${file}, byte ${offset}`, firstLine: 1 } : { file, firstLine };
    const decoded = unlessDamaged(() => decodeGroup(text, origin, limits));
    if (decoded.kind === 'damaged') {
      if (options.onDamage === undefined) throw decoded.error;
      options.onDamage({ file, offset, bytes, error: decoded.error });
      continue;
    }
    yield decoded.group;
    if (firstLine !== undefined) firstLine += decoded.lines;
    end = offset + bytes;
  }
}
