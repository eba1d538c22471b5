import * as diskFileSystem from 'node:fs/promises';
import { z } from 'zod';
import type { TaskRef } from '../../envs/core/task.ts';
import { decodeGroup } from './codec.ts';
import { labelOf } from './episode.ts';
import { GroupFile } from './group-file.ts';
import { defaultReadLimits } from './read-limits.ts';
import { refuseTornTail, type ReadOptions } from './read-store.ts';
import { listStoreFiles } from './store-files.ts';
import type { TrajectoryGroup } from './trajectory.ts';

/** Where a group is stored and what it is of: what can be told without reading it whole. */
export interface StoredGroup {
  readonly file: string;
  /** Byte at which it begins. */
  readonly offset: number;
  /** On the disk. */
  readonly bytes: number;
  readonly task: TaskRef;
  readonly members: number;
  /** What its episodes were for, such as `iteration-3`; undefined when they do not say. */
  readonly label: string | undefined;
}

/** The groups of a store in the order in which they were written; reads some hundred bytes of each. A store that is not there has none. */
export async function* skimTrajectories(folder: string, name: string, options: Pick<ReadOptions, 'onTornTail'>): AsyncGenerator<StoredGroup, void> {
  const files = await listStoreFiles(diskFileSystem, folder, name);
  for (const file of files) yield* skimTrajectoryFile(file.path, file === files.at(-1) ? options : { onTornTail: refuseTornTail });
}

/** The groups of one file. */
export async function* skimTrajectoryFile(file: string, options: Pick<ReadOptions, 'onTornTail'>): AsyncGenerator<StoredGroup, void> {
  await using source = await GroupFile.open(file, defaultReadLimits);
  for (let offset = 0; offset < source.size; ) {
    const found = await source.peek(offset, peekBytes);
    if (found.kind === 'torn') {
      options.onTornTail({ file, offset, bytes: source.size - offset });
      return;
    }
    const { bytes } = found;
    yield { file, offset, bytes, ...(factsOf(found.text) ?? (await readFacts(file, offset))) };
    offset += bytes;
  }
}

/** The group, whole. */
export async function readStoredGroup(stored: Place): Promise<TrajectoryGroup> {
  const { file, offset } = stored;
  return decodeGroup(await readText(stored), { file: `${file}, byte ${offset}`, firstLine: 1 }, defaultReadLimits).group;
}

/** Refuses, with a `UsageError`, a group whose bytes are not those that were written, by its check sum; what they say is not looked at. */
export async function assertStoredWhole(stored: Place): Promise<void> {
  await readText(stored);
}

type Place = Pick<StoredGroup, 'file' | 'offset'>;

async function readText({ file, offset }: Place): Promise<Buffer> {
  await using source = await GroupFile.open(file, defaultReadLimits);
  const found = await source.read(offset);
  if (found.kind === 'torn') throw new RangeError(`no whole group begins at byte ${offset} of ${file}`);
  return found.text;
}

type Facts = Pick<StoredGroup, 'task' | 'members' | 'label'>;

/** Compressed bytes that hold a group's first line and the path of its first member, unless they are uncommonly long. */
const peekBytes = 1024;

const headSchema = z.object({ schema: z.literal(1), task: z.object({ panel: z.string(), index: z.int() }), members: z.int().nonnegative() });

/** What the beginning of a group's text says; undefined when it says too little, or not as expected. */
function factsOf(text: Buffer): Facts | undefined {
  const [head = '', member = ''] = text.toString('utf8').split('\n', 2);
  const parsed = headSchema.safeParse(parseJson(head));
  const path = parseJson(/^\{"kind":"trajectory","path":("(?:[^"\\]|\\.)*")/.exec(member)?.[1]);
  if (!parsed.success || typeof path !== 'string') return undefined;
  const { task, members } = parsed.data;
  return { task, members, label: labelOf(path) };
}

async function readFacts(file: string, offset: number): Promise<Facts> {
  const { task, members } = await readStoredGroup({ file, offset });
  const [first] = members;
  return { task, members: members.length, label: first === undefined ? undefined : labelOf(first.path) };
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
