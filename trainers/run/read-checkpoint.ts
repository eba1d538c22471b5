import { lstat, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { partSuffix } from '../../files/atomic-write.ts';
import {
  checkpointFormat,
  checkpointManifestSchema,
  firstManifestSchema,
  upgradeFirst,
  checkpointSchemaNumber,
  digestManifest,
  manifestName,
  type CheckpointManifest,
} from './checkpoint-manifest.ts';
import { digestFile } from '../../files/digest-files.ts';

/** What must match a checkpoint to resume from it. */
export interface CheckpointExpectation {
  readonly configDigest?: string;
  /** Fingerprints by panel name; panels that the checkpoint does not have are not compared. */
  readonly panels?: Readonly<Record<string, string>>;
  /** Which files are needed; others are not read. All by default. */
  readonly needs?: (file: string) => boolean;
}

/**
 * The manifest of a checkpoint, after verifying the needed files.
 * @throws UsageError if it is missing, half written, not ours, of a newer format, of another run, or has a
 * missing or changed file
 */
export async function readCheckpoint(
  folder: string,
  expected: CheckpointExpectation = {},
): Promise<CheckpointManifest> {
  const manifest = await readManifest(folder);
  for (const [name, digest] of Object.entries(manifest.files)) {
    if (expected.needs?.(name) !== false) await assertWhole(folder, name, digest);
  }
  if (expected.configDigest !== undefined && expected.configDigest !== manifest.configDigest) {
    throw refusal(
      folder,
      `it belongs to another configuration (${manifest.configDigest}, this run has ${expected.configDigest}).`,
      'Resume with the configuration of its own run, or start a new run.',
    );
  }
  for (const [panel, fingerprint] of Object.entries(expected.panels ?? {})) {
    const stored = manifest.panels[panel];
    if (stored === undefined || stored === fingerprint) continue;
    throw refusal(
      folder,
      `its panel ${panel} has fingerprint ${stored} and here it has ${fingerprint}.`,
      'The tasks have changed: use the version that made the checkpoint, or start a new run.',
    );
  }
  return manifest;
}

/** Reads and validates only the manifest, not the files. */
export async function readManifest(folder: string): Promise<CheckpointManifest> {
  const value = await readJson(folder);
  const head = z.object({ format: z.literal(checkpointFormat), schema: z.int() }).safeParse(value);
  if (!head.success)
    throw refusal(
      folder,
      `its ${manifestName} is not that of a cairn checkpoint.`,
      'Give a folder below checkpoints/ of a run.',
    );
  if (head.data.schema > checkpointSchemaNumber) {
    throw refusal(
      folder,
      `it has format ${head.data.schema}; this version reads up to ${checkpointSchemaNumber}.`,
      'Use the version of cairn-gym that wrote it, or a newer one.',
    );
  }
  const isFirst = head.data.schema === 1;
  const parsed = (isFirst ? firstManifestSchema : checkpointManifestSchema).safeParse(value);
  if (!parsed.success)
    throw refusal(
      folder,
      `its ${manifestName} is damaged: ${describeIssues(parsed.error)}.`,
      'Use another checkpoint.',
    );
  const { digest, ...content } = parsed.data;
  if (digest === digestManifest(content))
    return parsed.data.schema === 1 ? upgradeFirst(parsed.data) : parsed.data;
  throw refusal(
    folder,
    `its ${manifestName} was changed: the digest differs.`,
    'Restore it, or use another checkpoint.',
  );
}

async function readJson(folder: string): Promise<unknown> {
  if (basename(folder).endsWith(partSuffix))
    throw refusal(folder, 'it was never finished.', 'Use another checkpoint.');
  const text = await readFile(join(folder, manifestName), 'utf8').catch(async (error: unknown) => {
    if (await isFolder(folder)) {
      throw refusal(
        folder,
        `it has no ${manifestName}: it is half written or something else.`,
        'Use another checkpoint.',
        error,
      );
    }
    throw refusal(
      folder,
      'there is no such checkpoint.',
      'Give a folder below checkpoints/ of a run.',
      error,
    );
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw refusal(
      folder,
      `its ${manifestName} is damaged: it is not JSON.`,
      'Use another checkpoint.',
      error,
    );
  }
}

type FileRecord = CheckpointManifest['files'][string];

/** What is wrong with the first of its files that is missing or has another size than its manifest says, without reading any. */
export async function findMissingBytes(
  folder: string,
  { files }: Pick<CheckpointManifest, 'files'>,
): Promise<string | undefined> {
  for (const [name, record] of Object.entries(files)) {
    const flaw = await flawOfSize(folder, name, record);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

async function flawOfSize(folder: string, name: string, { bytes }: FileRecord): Promise<string | undefined> {
  const found = await lstat(join(folder, name)).catch(() => undefined);
  if (found === undefined) return `its file ${name} is missing.`;
  if (!found.isFile()) return `${name} is no plain file.`;
  return found.size === bytes
    ? undefined
    : `its file ${name} has ${found.size} bytes and should have ${bytes}.`;
}

async function assertWhole(folder: string, name: string, digest: FileRecord): Promise<void> {
  const flaw = await flawOfSize(folder, name, digest);
  if (flaw !== undefined) throw refusal(folder, flaw, 'Use another checkpoint.');
  if ((await digestFile(join(folder, name))).sha256 !== digest.sha256) {
    throw refusal(folder, `its file ${name} was changed: the digest differs.`, 'Use another checkpoint.');
  }
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

function refusal(folder: string, what: string, fix: string, cause?: unknown): UsageError {
  return new UsageError(
    { where: `checkpoint ${folder}`, what, fix },
    cause === undefined ? undefined : { cause },
  );
}
