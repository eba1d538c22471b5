import * as diskFileSystem from 'node:fs/promises';
import { UsageError } from '../../envs/core/errors.ts';
import { decodeGroup } from './codec.ts';
import { GroupFile } from './group-file.ts';
import { damaged, defaultReadLimits, type ReadLimits } from './read-limits.ts';
import { listStoreFiles } from './store-files.ts';
import type { TrajectoryGroup } from './trajectory.ts';

/** The end of a file whose writer was stopped in the middle of a group. What was whole has been read. */
export interface TornTail {
  readonly file: string;
  /** Byte at which the torn group begins. */
  readonly offset: number;
  readonly bytes: number;
}

export interface ReadOptions {
  /** Told of a torn tail, so that nobody loses a group without knowing. */
  readonly onTornTail: (tail: TornTail) => void;
  /** What is taken from a file that somebody else may have made. */
  readonly limits?: Partial<ReadLimits>;
}

/**
 * The groups of a store in the order in which they were written, one at a time. Only its last file may have a torn tail.
 * Damage, and a file of newer code or beyond the limits, is a `UsageError` that names file and byte or line.
 */
export async function* readTrajectories(folder: string, name: string, options: ReadOptions): AsyncGenerator<TrajectoryGroup, void> {
  const files = await listStoreFiles(diskFileSystem, folder, name);
  if (files.length === 0) {
    throw new UsageError({
      where: folder,
      what: `there are no trajectories called "${name}".`,
      mend: 'Name the folder `trajectories` of a run, and a store that is in it.',
    });
  }
  const last = files.at(-1);
  for (const file of files) {
    const onTornTail = file === last ? options.onTornTail : refuseTornTail;
    yield* readTrajectoryFile(file.path, { ...options, onTornTail });
  }
}

/** The groups of one file. */
export async function* readTrajectoryFile(file: string, options: ReadOptions): AsyncGenerator<TrajectoryGroup, void> {
  const limits = { ...defaultReadLimits, ...options.limits };
  await using source = await GroupFile.open(file, limits);
  let firstLine = 1;
  for (let offset = 0; offset < source.size; ) {
    const found = await source.read(offset);
    if (found.kind === 'torn') {
      options.onTornTail({ file, offset, bytes: source.size - offset });
      return;
    }
    const { group, lines } = decodeGroup(found.text, { file, firstLine }, limits);
    yield group;
    firstLine += lines;
    offset += found.bytes;
  }
}

/** What is told of a torn tail in any file of a store but the last. */
export function refuseTornTail({ file, offset }: TornTail): never {
  throw damaged(`${file}, byte ${offset}`, 'the last group is torn, and only the last file of a store may end so');
}
