import { UsageError } from '../../../../envs/core/errors.ts';
import { trajectorySchema, type Trajectory } from '../../trajectory.ts';
import type { TaskRef } from '../../../../envs/core/task.ts';
import { fromLineV1, groupLineV1, trajectoryLineV1 } from './v1.ts';
import { fromLineV2, groupLineV2, trajectoryLineV2 } from './v2.ts';

/**
 * How one version of the format is read. Both functions take parsed JSON and return today's values. They throw a `ZodError` or a
 * `TypeError` on what the version does not know.
 *
 * To add version N + 1: give it a file of its own and a writer, and let the reader of N end in a function that makes its trajectory
 * one of N + 1. Readers of older versions then upgrade step by step. A reader is never edited for any other reason. Record a store by
 * the code before the change, in `test/golden/trajectories`.
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
  2: {
    group: (line) => groupLineV2.parse(line),
    trajectory: (line) => fromLineV2(trajectoryLineV2.parse(line)),
  },
};

/** The versions of the format that can be read. */
export const readableSchemas: readonly number[] = Object.keys(readers).map(Number);

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
    fix: schema > trajectorySchema ? 'Read it with a newer cairn-gym.' : 'Use a file that cairn-gym wrote.',
  });
  if (schema > trajectorySchema) newer.add(error);
  throw error;
}

const newer = new WeakSet<object>();

/** Whether something was refused because newer code wrote it: that is no damage. */
export const isOfNewerCode = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && newer.has(thrown);
