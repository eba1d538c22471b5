import { isUtf8 } from 'node:buffer';
import { z, ZodError } from 'zod';
import { messageOf, UsageError } from '../../../envs/core/errors.ts';
import { describeIssues } from '../../../envs/core/issues.ts';
import { ByteWriter } from './byte-writer.ts';
import { nestingDepth } from './nesting-depth.ts';
import { damaged, defaultReadLimits, tooMuch, type ReadLimits } from './read-limits.ts';
import { trajectorySchema, type Trajectory, type TrajectoryGroup } from '../trajectory.ts';
import { isOfNewerCode, readerOf } from './versions/upgrade.ts';
import { writeLineV2 } from './versions/write-v2.ts';

/**
 * Encodes a group as lines of JSON, each ended by a line feed.
 * @throws UsageError with the location of a value that JSON cannot store or that exceeds the limits of
 * readers
 */
export function encodeGroup(group: TrajectoryGroup): Buffer {
  const head = { kind: 'group', schema: trajectorySchema, task: group.task, members: group.members.length };
  const writer = new ByteWriter();
  writer.text(`${JSON.stringify(head)}\n`);
  const start = writer.length;
  for (const trajectory of group.members) writeTrajectory(trajectory, writer);
  const bytes = writer.length - start;
  if (bytes <= defaultReadLimits.maxGroupBytes) return writer.written;
  const where = `group of task ${group.task.panel}/${group.task.index}`;
  throw cannotStore(where, `it has ${bytes} bytes, and readers accept ${defaultReadLimits.maxGroupBytes}`);
}

function writeTrajectory(trajectory: Trajectory, writer: ByteWriter): void {
  const where = `trajectory ${trajectory.path}`;
  const { maxLineBytes, maxDepth } = defaultReadLimits;
  const start = writer.length;
  let depth: number;
  try {
    depth = writeLineV2(trajectory, writer);
  } catch (thrown) {
    throw cannotStore(where, reasonOf(thrown), thrown);
  }
  writer.ascii('\n');
  const bytes = writer.length - start;
  if (bytes > maxLineBytes)
    throw cannotStore(where, `it has ${bytes} bytes, and readers accept ${maxLineBytes}`);
  if (depth > maxDepth) throw cannotStore(where, `it nests ${depth} deep, and readers accept ${maxDepth}`);
}

function cannotStore(where: string, what: string, cause?: unknown): UsageError {
  const fix =
    'Observations, actions, rewards and log-probabilities must be plain JSON values, finite, and of moderate size.';
  return new UsageError({ where, what: `it cannot be stored: ${what}.`, fix }, { cause });
}

/** Source of a group's bytes, for errors. */
export interface GroupOrigin {
  readonly file: string;
  /** Number of the group's first line within the file, from 1. */
  readonly firstLine: number;
}

/**
 * Decodes the bytes of {@link encodeGroup} and upgrades them to the current format. Also returns the number
 * of lines.
 */
export function decodeGroup(
  bytes: Buffer,
  origin: GroupOrigin,
  limits: ReadLimits,
): { readonly group: TrajectoryGroup; readonly lines: number } {
  const lines = splitLines(bytes, origin, limits);
  const parsed = lines.map((line, index) => parseLine(line, placeOf(origin, index), limits));
  const where = placeOf(origin, 0);
  const { schema } = checked(where, () =>
    z.looseObject({ kind: z.literal('group'), schema: z.int() }).parse(parsed[0]),
  );
  const reader = readerOf(schema, where);
  const head = checked(where, () => reader.group(parsed[0]));
  if (head.members !== parsed.length - 1) {
    throw damaged(where, `the group says ${head.members} members and ${parsed.length - 1} follow`);
  }
  const members = parsed
    .slice(1)
    .map((line, index) => checked(placeOf(origin, index + 1), () => reader.trajectory(line)));
  return { group: { task: head.task, members }, lines: lines.length };
}

/** The result of `decode`, or that the data is damaged. Data of newer code still throws. */
export function unlessDamaged<T extends object>(
  decode: () => T,
): ({ readonly kind: 'whole' } & T) | { readonly kind: 'damaged'; readonly error: UsageError } {
  try {
    return { kind: 'whole', ...decode() };
  } catch (thrown) {
    if (!UsageError.is(thrown) || isOfNewerCode(thrown)) throw thrown;
    return { kind: 'damaged', error: thrown };
  }
}

const placeOf = (origin: GroupOrigin, index: number): string =>
  `${origin.file}, line ${origin.firstLine + index}`;

function splitLines(bytes: Buffer, origin: GroupOrigin, limits: ReadLimits): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0x0a, start);
    const where = placeOf(origin, lines.length);
    if (end < 0) throw damaged(where, 'the line does not end');
    if (end - start > limits.maxLineBytes)
      throw tooMuch(where, `the line has ${end - start} bytes`, 'maxLineBytes', limits.maxLineBytes);
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (lines.length === 0) throw damaged(placeOf(origin, 0), 'the group is empty');
  return lines;
}

function parseLine(line: Buffer, where: string, limits: ReadLimits): unknown {
  const depth = nestingDepth(line);
  if (depth > limits.maxDepth) throw tooMuch(where, `it nests ${depth} deep`, 'maxDepth', limits.maxDepth);
  if (!isUtf8(line)) throw damaged(where, 'it is not UTF-8');
  return checked(where, () => JSON.parse(line.toString('utf8')) as unknown);
}

/** The result of `read`. An error gets the location `where`. */
function checked<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (UsageError.is(thrown)) throw thrown;
    throw damaged(where, reasonOf(thrown), thrown);
  }
}

const reasonOf = (thrown: unknown): string =>
  thrown instanceof ZodError ? describeIssues(thrown) : messageOf(thrown);
