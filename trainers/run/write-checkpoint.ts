import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { partOf, sweepParts, syncFolder, writeFileAtomically } from '../../files/atomic-write.ts';
import {
  checkpointFormat,
  checkpointManifestSchema,
  checkpointSchemaNumber,
  digestManifest,
  manifestName,
  type CheckpointFacts,
  type CheckpointManifest,
} from './checkpoint-manifest.ts';
import { digestTree } from '../../files/digest-files.ts';
import { assertEntryName, replacedSuffix } from '../../files/entry-name.ts';
import { assertFreeSpace, nameWriteError } from '../../files/free-space.ts';

const isInTheWay = (name: string): boolean => name.startsWith('.') && name.endsWith(replacedSuffix);

/** What goes into a checkpoint. */
export interface CheckpointContent {
  readonly facts: CheckpointFacts;
  /** Writes the files into an empty folder; weights, optimiser state, whatever resuming needs. */
  readonly fill: (folder: string) => Promise<void>;
  /** About how many bytes `fill` will write, to refuse a disk that is too small before it starts. */
  readonly bytes?: number;
}

/**
 * Writes the checkpoint `name` below `checkpoints`. The folder of that name appears whole, with the digest of each file, or
 * not at all; one that was there before is replaced. Returns the manifest.
 */
export async function writeCheckpoint(
  checkpoints: string,
  name: string,
  content: CheckpointContent,
): Promise<CheckpointManifest> {
  assertEntryName('checkpoint', name);
  const part = partOf(join(checkpoints, name));
  try {
    await sweepCheckpoints(checkpoints);
    await assertFreeSpace(checkpoints, content.bytes ?? 0);
    await mkdir(part);
    await content.fill(part);
    const sealed = {
      format: checkpointFormat,
      schema: checkpointSchemaNumber,
      ...content.facts,
      files: await digestTree(part),
    } as const;
    const manifest = checkpointManifestSchema.parse({ ...sealed, digest: digestManifest(sealed) });
    await writeFileAtomically(join(part, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`);
    await moveIn(part, checkpoints, name);
    return manifest;
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw nameWriteError(error, checkpoints);
  }
}

/** A folder that is not empty cannot be renamed over, so the old one steps aside first; a crash in between is fixed by the sweep. */
async function moveIn(part: string, checkpoints: string, name: string): Promise<void> {
  const replaced = join(checkpoints, `.${name}${replacedSuffix}`);
  if (await exists(join(checkpoints, name))) await rename(join(checkpoints, name), replaced);
  await rename(part, join(checkpoints, name));
  await syncFolder(checkpoints);
  await rm(replaced, { recursive: true, force: true });
}

/** Removes a checkpoint, if there is one of that name, so that a crash leaves no half of it. */
export async function removeCheckpoint(checkpoints: string, name: string): Promise<void> {
  if (!(await exists(join(checkpoints, name)))) return;
  const part = partOf(join(checkpoints, name));
  await rename(join(checkpoints, name), part);
  await rm(part, { recursive: true, force: true });
}

/** Puts in order what a killed writer left: halves go, a checkpoint that was pushed aside and not replaced comes back. */
export async function sweepCheckpoints(checkpoints: string): Promise<void> {
  for (const hidden of (await readdir(checkpoints)).filter(isInTheWay)) {
    const name = hidden.slice(1, -replacedSuffix.length);
    if (await exists(join(checkpoints, name)))
      await rm(join(checkpoints, hidden), { recursive: true, force: true });
    else await rename(join(checkpoints, hidden), join(checkpoints, name));
  }
  await sweepParts(checkpoints);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
