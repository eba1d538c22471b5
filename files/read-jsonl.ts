import { createReadStream } from 'node:fs';
import type { z } from 'zod';
import { codeOf, UsageError } from '../envs/core/errors.ts';
import { describeIssues } from '../envs/core/issues.ts';
import { describeReadError } from '../envs/core/user-file.ts';

/** A longer line is refused instead of being kept in memory. */
const maxLineBytes = 16 * 1024 * 1024;

/** Which part of a file is read. */
export interface ReadPart {
  /** Bytes from the start of the file. The default is all of it. */
  readonly end?: number;
}

/** The lines of a file, and the state of its end. */
export interface JsonlContent<Line> {
  readonly lines: readonly Line[];
  /** Bytes up to the end of the last complete line. */
  readonly offset: number;
  /** True if the writer was stopped within a line, which is then left out. */
  readonly torn: boolean;
}

/**
 * Reads a JSON Lines file, or its first `end` bytes. One torn line at the end is left out. @throws UsageError with file and line
 * number for anything else that the schema does not allow
 */
export async function readJsonl<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  { end: limit }: ReadPart = {},
): Promise<JsonlContent<z.output<Schema>>> {
  if (limit === 0) return { lines: [], offset: 0, torn: false };
  const lines: z.output<Schema>[] = [];
  let offset = 0;
  let begun: Buffer[] = []; // parts of a line whose end has not been read; joined once, since a line may have many parts
  let begunBytes = 0;
  for await (const chunk of openedLog(path, limit)) {
    let rest = chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line =
        begun.length === 0 ? rest.subarray(0, end) : Buffer.concat([...begun, rest.subarray(0, end)]);
      [begun, begunBytes] = [[], 0];
      lines.push(parseLine(line.toString('utf8'), schema, `line ${lines.length + 1} of ${path}`));
      offset += line.byteLength + 1;
      rest = rest.subarray(end + 1);
    }
    if (rest.byteLength > 0) begun.push(rest);
    begunBytes += rest.byteLength;
    if (begunBytes > maxLineBytes) throw tooLong(path, lines.length + 1);
  }
  return { lines, offset, torn: begunBytes > 0 };
}

/** The bytes of a log. @throws UsageError where a folder has its name */
async function* openedLog(path: string, limit: number | undefined): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, limit === undefined ? {} : { end: limit - 1 }) as AsyncIterable<Buffer>;
  } catch (thrown) {
    if (codeOf(thrown) !== 'EISDIR') throw thrown;
    throw new UsageError({
      where: path,
      what: `${describeReadError(thrown)}.`,
      fix: 'Put the file back, or remove the folder.',
    });
  }
}

/** {@link readJsonl} for a log that may not have been started: a missing file has no lines. */
export async function readStartedJsonl<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  part: ReadPart = {},
): Promise<JsonlContent<z.output<Schema>>> {
  try {
    return await readJsonl(path, schema, part);
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
    what: `it does not have a form that this version supports: ${describeIssues(parsed.error)}.`,
    fix: 'Read it with the version that wrote it, or remove the line.',
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
    fix: 'This is not a file of a run: name another.',
  });
}
