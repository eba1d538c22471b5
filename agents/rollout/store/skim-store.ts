import * as diskFileSystem from 'node:fs/promises';
import { z } from 'zod';
import type { UsageError } from '../../../envs/core/errors.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import { decodeGroup, unlessDamaged } from '../format/codec.ts';
import { labelOf } from '../episode-path.ts';
import { GroupFile, type Found } from './group-file.ts';
import { defaultReadLimits } from '../format/read-limits.ts';
import { listStoreFiles } from './store-files.ts';
import type { TrajectoryGroup } from '../trajectory.ts';
import { readableSchemas } from '../format/versions/upgrade.ts';
import { openUnlessLost, walkGroups, withinStore, type LossListener } from './walk-groups.ts';

/** Where a group is stored, and what can be learned without reading it whole. */
export interface StoredGroup {
  readonly file: string;
  /** Byte offset of the group. */
  readonly offset: number;
  /** Compressed size in bytes. */
  readonly bytes: number;
  readonly task: TaskRef;
  readonly members: number;
  /** Purpose of its episodes, such as `iteration-3`; undefined if not recorded. */
  readonly label: string | undefined;
}

/**
 * Yields the groups of a store in the order of writing. It reads some hundred bytes of each. A missing store
 * has none.
 */
export async function* skimTrajectories(
  folder: string,
  name: string,
  options: LossListener,
): AsyncGenerator<StoredGroup, void> {
  const files = await listStoreFiles(diskFileSystem, folder, name);
  for (const file of files) yield* skimTrajectoryFile(file.path, withinStore(options, file === files.at(-1)));
}

/**
 * Yields the groups of one file. Damage within a group is found only if it hides the group's end or its
 * facts.
 */
export async function* skimTrajectoryFile(
  file: string,
  options: LossListener,
): AsyncGenerator<StoredGroup, void> {
  await using source = await openUnlessLost(file, defaultReadLimits, options);
  if (source === undefined) return;
  for await (const { offset, bytes, facts } of walkGroups(source, (at) => findFacts(source, at), options))
    yield { file, offset, bytes, ...facts };
}

/** Reads the whole group. */
export async function readStoredGroup(stored: Place): Promise<TrajectoryGroup> {
  const found = await findText(stored);
  if (found.kind === 'damaged') throw found.error;
  return decodeAt(stored, found.text);
}

/**
 * Reads the whole group, or returns the error that locates its damage. @throws UsageError for a group of
 * newer code
 */
export async function readUnlessDamaged(stored: Place): Promise<TrajectoryGroup | UsageError> {
  const found = await findText(stored);
  if (found.kind === 'damaged') return found.error;
  const decoded = unlessDamaged(() => ({ group: decodeAt(stored, found.text) }));
  return decoded.kind === 'damaged' ? decoded.error : decoded.group;
}

/** Whether a group begins or ends at that byte of the file, judged by headers. */
export async function hasBorderAt(file: string, byte: number): Promise<boolean> {
  let end = 0;
  for await (const { offset, bytes } of skimTrajectoryFile(file, {
    onTornTail: () => undefined,
    onDamage: () => undefined,
  })) {
    if (offset >= byte) return offset === byte;
    end = offset + bytes;
  }
  return end === byte;
}

/**
 * Verifies the checksum of a stored group, without decoding it. @throws UsageError if the bytes have changed
 */
export async function assertStoredWhole(stored: Place): Promise<void> {
  const found = await findText(stored);
  if (found.kind === 'damaged') throw found.error;
}

type Place = Pick<StoredGroup, 'file' | 'offset'>;

async function findText({
  file,
  offset,
}: Place): Promise<Exclude<Found<{ readonly text: Buffer }>, { readonly kind: 'torn' }>> {
  await using source = await GroupFile.open(file, defaultReadLimits);
  const found = await source.read(offset);
  if (found.kind === 'torn') throw new RangeError(`no whole group begins at byte ${offset} of ${file}`);
  return found;
}

const decodeAt = ({ file, offset }: Place, text: Buffer): TrajectoryGroup =>
  decodeGroup(text, { file: `${file}, byte ${offset}`, firstLine: 1 }, defaultReadLimits).group;

type Facts = Pick<StoredGroup, 'task' | 'members' | 'label'>;

/**
 * Compressed bytes that contain a group's first line and its first member's path, unless these are unusually
 * long.
 */
const peekBytes = 1024;

const headSchema = z.object({
  schema: z.literal(readableSchemas),
  task: z.object({ panel: z.string(), index: z.int() }),
  members: z.int().nonnegative(),
});

/** The facts in the beginning of a group's text. Undefined if it is too short or not as expected. */
function factsOf(text: Buffer): Facts | undefined {
  const [head = '', member = ''] = text.toString('utf8').split('\n', 2);
  const parsed = headSchema.safeParse(parseJson(head));
  const path = parseJson(/^\{"kind":"trajectory","path":("(?:[^"\\]|\\.)*")/.exec(member)?.[1]);
  if (!parsed.success || typeof path !== 'string') return undefined;
  const { task, members } = parsed.data;
  return { task, members, label: labelOf(path) };
}

/** The facts of the group at `offset`, from its beginning if that suffices. */
async function findFacts(source: GroupFile, offset: number): Promise<Found<{ readonly facts: Facts }>> {
  const found = await source.peek(offset, peekBytes);
  if (found.kind !== 'whole') return found;
  const facts = factsOf(found.text);
  if (facts !== undefined) return { kind: 'whole', bytes: found.bytes, facts };
  const whole = await source.read(offset);
  if (whole.kind !== 'whole') return whole;
  const decoded = unlessDamaged(() => decodeAt({ file: source.path, offset }, whole.text));
  if (decoded.kind === 'damaged') return decoded;
  const { task, members } = decoded;
  const [first] = members;
  return {
    kind: 'whole',
    bytes: whole.bytes,
    facts: { task, members: members.length, label: first === undefined ? undefined : labelOf(first.path) },
  };
}

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
