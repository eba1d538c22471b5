import { UsageError } from '../../../envs/core/errors.ts';
import { trajectorySchema, type Trajectory } from '../trajectory.ts';
import type { TaskRef } from '../../../envs/core/task.ts';
import { fromLineV1, groupLineV1, trajectoryLineV1 } from './v1.ts';

/**
 * How one version of the format is read. Both functions take parsed JSON and throw a `ZodError` or a `TypeError` on what
 * the version does not know.
 *
 * A new version N + 1 gets a file of its own; then the reader of N ends in a function that makes its trajectory one of
 * N + 1, and readers of older versions go on to pass theirs to the next. No reader is ever edited for any other reason.
 */
export interface VersionReader {
  group(line: unknown): { readonly task: TaskRef; readonly members: number };
  trajectory(line: unknown): Trajectory;
}

const readers: Readonly<Record<number, VersionReader>> = {
  1: {
    group: (line) => groupLineV1.parse(line),
    trajectory: (line) => fromLineV1(trajectoryLineV1.parse(line)),
  },
};

/** The reader of version `schema`; refuses files that newer code wrote. `where` names the file. */
export function readerOf(schema: number, where: string): VersionReader {
  const reader = readers[schema];
  if (reader !== undefined) return reader;
  const error = new UsageError({
    where,
    what:
      schema > trajectorySchema
        ? `it is of format ${schema}, and this program knows formats up to ${trajectorySchema}.`
        : `there is no format ${schema}.`,
    mend: schema > trajectorySchema ? 'Read it with a newer cairn-gym.' : 'Use a file that cairn-gym wrote.',
  });
  if (schema > trajectorySchema) newer.add(error);
  throw error;
}

const newer = new WeakSet<object>();

/** Whether something was refused because newer code wrote it: that is no damage. */
export const isOfNewerCode = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && newer.has(thrown);
