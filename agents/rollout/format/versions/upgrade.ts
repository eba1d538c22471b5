import { UsageError } from '../../../../envs/core/errors.ts';
import { trajectorySchema, type Trajectory } from '../../trajectory.ts';
import type { TaskRef } from '../../../../envs/core/task.ts';
import { fromLineV1, groupLineV1, trajectoryLineV1 } from './v1.ts';
import { fromLineV2, groupLineV2, trajectoryLineV2 } from './v2.ts';

/**
 * Reads one version of the format. Both functions take parsed JSON and return current values. They throw a
 * `ZodError` or a `TypeError` for input that the version does not define.
 *
 * To add version N + 1: create a file with its reader and a writer, and let the reader of N convert its
 * trajectory to N + 1. Older readers then upgrade step by step. Never edit a reader for any other reason.
 * Record a store with the code before the change, in `test/golden/trajectories`.
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

/** The format versions that can be read. */
export const readableSchemas: readonly number[] = Object.keys(readers).map(Number);

/** The reader of version `schema`. `where` names the file. @throws UsageError if newer code wrote it */
export function readerOf(schema: number, where: string): VersionReader {
  const reader = readers[schema];
  if (reader !== undefined) return reader;
  const error = new UsageError({
    where,
    what:
      schema > trajectorySchema
        ? `it has format ${schema}, and this version reads formats up to ${trajectorySchema}.`
        : `format ${schema} does not exist.`,
    fix: schema > trajectorySchema ? 'Read it with a newer cairn-gym.' : 'Use a file that cairn-gym wrote.',
  });
  if (schema > trajectorySchema) newer.add(error);
  throw error;
}

const newer = new WeakSet<object>();

/** Whether an error says that newer code wrote the data, which is not damage. */
export const isOfNewerCode = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && newer.has(thrown);
