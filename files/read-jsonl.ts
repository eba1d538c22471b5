import { createReadStream } from 'node:fs';
import type { z } from 'zod';
import { codeOf, UsageError } from '../envs/core/errors.ts';
import { describeIssues } from '../envs/core/issues.ts';

/** A longer line is refused rather than held in memory. */
const maxLineBytes = 16 * 1024 * 1024;

/** The lines of a file, and what was left at its end. */
export interface JsonlContent<Line> {
  readonly lines: readonly Line[];
  /** Bytes up to the end of the last whole line. */
  readonly offset: number;
  /** True when the writer was stopped in the middle of a line: what there is of it is left out. */
  readonly torn: boolean;
}

/**
 * Reads a JSON Lines file. One torn line at the end is left out; anything else that the schema does not allow is a
 * `UsageError` with the file and the number of the line.
 */
export async function readJsonl<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<JsonlContent<z.output<Schema>>> {
  const lines: z.output<Schema>[] = [];
  let offset = 0;
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    rest = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      lines.push(parseLine(rest.toString('utf8', 0, end), schema, `line ${lines.length + 1} of ${path}`));
      offset += end + 1;
      rest = rest.subarray(end + 1);
    }
    if (rest.byteLength > maxLineBytes) throw tooLong(path, lines.length + 1);
  }
  return { lines, offset, torn: rest.byteLength > 0 };
}

/** {@link readJsonl} for a log that may not have been started: a missing file has no lines. */
export async function readStartedJsonl<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<JsonlContent<z.output<Schema>>> {
  try {
    return await readJsonl(path, schema);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return { lines: [], offset: 0, torn: false };
  }
}

function parseLine<Schema extends z.ZodType>(text: string, schema: Schema, where: string): z.output<Schema> {
  const parsed = schema.safeParse(parseJson(text, where));
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where,
    what: `it does not have the form this version knows: ${describeIssues(parsed.error)}.`,
    fix: 'Read it with the version that wrote it, or take the line out.',
  });
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(
      {
        where,
        what: 'it is not JSON.',
        fix: 'Restore the file, or resume the run from a checkpoint before this line.',
      },
      { cause: error },
    );
  }
}

function tooLong(path: string, line: number): UsageError {
  return new UsageError({
    where: `line ${line} of ${path}`,
    what: `it is longer than ${maxLineBytes} bytes.`,
    fix: 'This is no file of a run; give another.',
  });
}
