import * as fileSystem from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { valueAt } from '../../envs/core/config-keys.ts';
import { codeOf, messageOf, RunError, UsageError } from '../../envs/core/errors.ts';
import { canonicalJson } from '../../envs/core/json.ts';
import { partOf, writeFileAtomically } from '../../files/atomic-write.ts';
import { isLockFile } from '../../files/lock.ts';
import { retriedFaultSchema } from '../results/result.ts';
import { tokenCountsSchema } from '../results/token-counts.ts';

/** Name of the record of a folder: what was evaluated, and in which sessions. */
export const recordName = 'evaluation.json';

/** How to continue after a disk error. */
export const goOnHere = 'repeat the same command: it continues with the missing episodes';

const recordSchema = z.strictObject({
  schema: z.literal(1),
  /** What is evaluated. Another evaluation cannot use this folder. */
  evaluation: z.record(z.string(), z.json()),
  /** The sessions so far; one that was killed as last written. */
  sessions: z.array(
    z.strictObject({
      seconds: z.number().nonnegative(),
      versions: z.record(z.string(), z.string()),
      toolCallsOnly: z.int().nonnegative().optional(),
      replacedTokens: tokenCountsSchema.optional(),
      /** Faults of replaced episodes of tasks that then finished without a fault. */
      retries: z.array(retriedFaultSchema).readonly().optional(),
    }),
  ),
});

/** What is evaluated. */
type Evaluation = Readonly<Record<string, unknown>>;

export type KeptSession = z.output<typeof recordSchema>['sessions'][number];

/** The sessions so far; undefined if the folder is new. @throws UsageError for a folder of something else */
export async function readRecord(
  folder: string,
  evaluation: Evaluation,
): Promise<readonly KeptSession[] | undefined> {
  const where = join(folder, recordName);
  const text = await fileSystem.readFile(where, 'utf8').catch((thrown: unknown) => {
    if (isMissing(thrown)) return undefined;
    throw new RunError({
      where,
      what: `it cannot be read (${messageOf(thrown)}).`,
      fix: 'Check that it is a file that you may read.',
    });
  });
  if (text === undefined) {
    const strange = (await namesIn(folder)).find(
      (name) => !isLockFile(name) && name !== basename(partOf(where)),
    );
    if (strange === undefined) return undefined;
    throw new UsageError({
      where: folder,
      what: `it contains ${strange}, which is not an evaluation.`,
      fix: 'Name a new folder, or that of an unfinished evaluation.',
    });
  }
  const record = recordSchema.safeParse(parseJson(text));
  if (!record.success)
    throw new UsageError({ where, what: 'it is not a record of an evaluation.', fix: 'Name a new folder.' });
  const other = firstDifference(record.data.evaluation, evaluation, []);
  if (other === undefined) return record.data.sessions;
  throw new UsageError({
    where,
    what: `it belongs to another evaluation: ${other.join('.')} is ${quote(valueAt(record.data.evaluation, other))} there and ${quote(valueAt(evaluation, other))} here.`,
    fix: 'Repeat the original command, or name a new folder.',
  });
}

/** A missing folder is empty. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return fileSystem.readdir(folder).catch((thrown: unknown) => {
    if (isMissing(thrown)) return [];
    throw thrown;
  });
}

/** Also true for a path below a file: creating the folder reports that error. */
const isMissing = (thrown: unknown): boolean => codeOf(thrown) === 'ENOENT' || codeOf(thrown) === 'ENOTDIR';

/** What is evaluated in the folder; undefined if nothing was started, or its record cannot be read. */
export async function readEvaluation(folder: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const text = await fileSystem.readFile(join(folder, recordName), 'utf8').catch(() => '');
  const record = recordSchema.safeParse(parseJson(text));
  return record.success ? record.data.evaluation : undefined;
}

export async function writeRecord(
  folder: string,
  evaluation: Evaluation,
  sessions: readonly KeptSession[],
): Promise<void> {
  await writeFileAtomically(
    join(folder, recordName),
    `${JSON.stringify({ schema: 1, evaluation, sessions }, undefined, 2)}\n`,
    goOnHere,
  );
}

/** The path to the first value that differs; undefined if none does. */
function firstDifference(
  one: unknown,
  other: unknown,
  path: readonly string[],
): readonly string[] | undefined {
  if (canonicalJson(one ?? null) === canonicalJson(other ?? null)) return undefined;
  if (!isRecord(one) || !isRecord(other)) return path;
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names
    .map((name) => firstDifference(one[name], other[name], [...path, name]))
    .find((found) => found !== undefined);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`;
}
