import * as diskFileSystem from 'node:fs/promises';
import { UsageError } from '../../../envs/core/errors.ts';
import { decodeGroup, unlessDamaged } from '../format/codec.ts';
import { defaultReadLimits, type ReadLimits } from '../format/read-limits.ts';
import { listStoreFiles } from './store-files.ts';
import type { TrajectoryGroup } from '../trajectory.ts';
import { openUnlessLost, walkGroups, withinStore, type LossListener } from './walk-groups.ts';

export interface ReadOptions extends LossListener {
  /** Limits for files from untrusted sources. */
  readonly limits?: Partial<ReadLimits>;
}

/**
 * Yields the groups of a store in the order of writing, one at a time. Only the last file may have a torn
 * tail. With `onDamage`, damage is reported and the groups after it are read.
 * @throws UsageError with file and byte at damage without `onDamage`, and for a file of newer code
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
      what: `there are no trajectories named "${name}".`,
      fix: 'Name the folder `trajectories` of a run, and a store in it.',
    });
  }
  for (const file of files) yield* readTrajectoryFile(file.path, withinStore(options, file === files.at(-1)));
}

/** Yields the groups of one file. */
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
    if (offset !== end) firstLine = undefined; // the number of lines in the damage is unknown
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
