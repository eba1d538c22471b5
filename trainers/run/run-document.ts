import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf, messageOf, UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { Json } from '../../envs/core/json.ts';
import { describeReadError } from '../../envs/core/user-file.ts';
import { fingerprintSchema } from '../results/estimate.ts';

/** Number of the format of run folders; it moves when a folder of the old code could not be read by the new. */
export const runSchemaNumber = 1;

export const configName = 'config.json';

const json: z.ZodType<Json> = z.json();

/** What `config.json` of a run holds. */
export const runDocumentSchema = z.strictObject({
  format: z.literal('cairn-run'),
  schema: z.literal(runSchemaNumber),
  /** Of this package, of Node, of the backend and of whatever else moves numbers. */
  versions: z.record(z.string(), z.string()).and(z.object({ 'cairn-gym': z.string() })),
  /** The panels in use, by name. */
  panels: z.record(z.string(), z.strictObject({ fingerprint: fingerprintSchema, tasks: z.int().min(0) })),
  /** The part of the env's config that identifies its tasks, if the env names it. */
  identity: json.optional(),
  /** The whole configuration, defaults filled in: input for another run. */
  config: json,
});
export type RunDocument = Readonly<z.output<typeof runDocumentSchema>>;

/** The `config.json` of a run folder. A `UsageError` says when the folder is no run, or one of a newer version. */
export async function readRunDocument(folder: string): Promise<RunDocument> {
  const path = join(folder, configName);
  const value = await readJsonFile(folder, path);
  const head = z.object({ format: z.literal('cairn-run'), schema: z.int() }).safeParse(value);
  if (!head.success) {
    throw new UsageError({
      where: path,
      what: 'it is not that of a run.',
      fix: 'Give the folder of a run that `cairn-gym train` made.',
    });
  }
  if (head.data.schema > runSchemaNumber) {
    throw new UsageError({
      where: path,
      what: `the run has format ${head.data.schema}; this version reads up to ${runSchemaNumber}.`,
      fix: 'Use the version of cairn-gym that made it, or a newer one.',
    });
  }
  const parsed = runDocumentSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError({
    where: path,
    what: `it is damaged: ${describeIssues(parsed.error)}.`,
    fix: 'Restore the file or start a new run.',
  });
}

async function readJsonFile(folder: string, path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new UsageError(
        {
          where: path,
          what: `it is damaged: ${messageOf(error)}.`,
          fix: 'Restore the file or start a new run.',
        },
        { cause: error },
      );
    }
    const code = codeOf(error);
    throw new UsageError(
      {
        where: folder,
        what:
          code === 'ENOTDIR'
            ? 'it is a file, not the folder of a run.'
            : code === 'ENOENT'
              ? `there is no run here: it has no ${configName}.`
              : `its ${configName} cannot be used: ${describeReadError(error)}.`,
        fix: 'Give the folder of a run that `npx cairn-gym train` made.',
      },
      { cause: error },
    );
  }
}
