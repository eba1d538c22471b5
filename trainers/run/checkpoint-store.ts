import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf, UsageError } from '../../envs/core/errors.ts';
import { fingerprintSchema } from '../results/estimate.ts';
import { writeFileAtomically } from '../../files/atomic-write.ts';
import type { CheckpointManifest } from './checkpoint-manifest.ts';
import { assertEntryName } from '../../files/entry-name.ts';
import { readManifest } from './read-checkpoint.ts';
import { removeCheckpoint } from './write-checkpoint.ts';

const bestName = 'best.json';

const bestSchema = z.strictObject({
  name: z.string(),
  /** The panel of the success. */
  panel: z.string(),
  fingerprint: fingerprintSchema,
  rate: z.number(),
});
/** Which checkpoint is the best, and on which panel. */
export type BestCheckpoint = Readonly<z.output<typeof bestSchema>>;

/** A checkpoint of a run whose files are not verified yet. */
export interface ListedCheckpoint {
  readonly name: string;
  readonly folder: string;
  readonly manifest: CheckpointManifest;
}

/** The checkpoints of a run, oldest first. @throws UsageError of the first invalid checkpoint */
export async function listCheckpoints(checkpoints: string): Promise<readonly ListedCheckpoint[]> {
  const names = await checkpointNames(checkpoints);
  return byAge(await Promise.all(names.map((name) => readListed(checkpoints, name))));
}

const byAge = (listed: readonly ListedCheckpoint[]): readonly ListedCheckpoint[] =>
  listed.toSorted((a, b) => a.manifest.iteration - b.manifest.iteration || (a.name < b.name ? -1 : 1));

/**
 * The checkpoint that `which` names: `last`, `best`, or a name. @throws UsageError that lists the existing
 * ones
 */
export async function findCheckpoint(checkpoints: string, which: string): Promise<ListedCheckpoint> {
  const names = await checkpointNames(checkpoints);
  const name = which === 'best' ? (await readBest(checkpoints))?.name : which;
  if (which === 'last') {
    const last = (await listCheckpoints(checkpoints)).at(-1);
    if (last !== undefined) return last;
  } else if (name !== undefined && names.includes(name)) return readListed(checkpoints, name);
  throw new UsageError({
    where: `checkpoint "${which}" in ${checkpoints}`,
    what: 'the checkpoint does not exist.',
    fix:
      names.length === 0
        ? 'There is no checkpoint: restore those of the run, or, if it was stopped before its first one, resume or restart it.'
        : `Use last, best or one of ${names.join(', ')}.`,
  });
}

/** The names of the folders that are, or should be, checkpoints; none where there is no folder for them yet. */
export async function checkpointNames(checkpoints: string): Promise<readonly string[]> {
  const entries = await readdir(checkpoints, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    if (codeOf(error) !== 'ENOTDIR') throw error;
    throw new UsageError(
      {
        where: checkpoints,
        what: 'it is not a folder.',
        fix: "Remove it, and restore the run's checkpoints.",
      },
      { cause: error },
    );
  });
  return entries
    .flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith('.') ? [entry.name] : []))
    .toSorted();
}

async function readListed(checkpoints: string, name: string): Promise<ListedCheckpoint> {
  const folder = join(checkpoints, name);
  return { name, folder, manifest: await readManifest(folder) };
}

/** Records a checkpoint as the best so far. It is kept until another replaces it. */
export async function markBest(checkpoints: string, best: BestCheckpoint): Promise<void> {
  assertEntryName('checkpoint', best.name);
  await writeFileAtomically(
    join(checkpoints, bestName),
    `${JSON.stringify(bestSchema.parse(best), undefined, 2)}\n`,
  );
}

/** The best so far; undefined before there is one. */
export async function readBest(checkpoints: string): Promise<BestCheckpoint | undefined> {
  const text = await readFile(join(checkpoints, bestName), 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return bestSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new UsageError(
      {
        where: join(checkpoints, bestName),
        what: 'it does not say which checkpoint is the best.',
        fix: 'Delete it: a resumed training records its best again. To evaluate, name a checkpoint.',
      },
      { cause: error },
    );
  }
}

/**
 * Removes all but the last `keepLast` checkpoints, the best and those in `spare`. Unreadable checkpoints are
 * left alone. Returns the removed names.
 */
export async function pruneCheckpoints(
  checkpoints: string,
  keepLast: number,
  spare: readonly string[] = [],
): Promise<readonly string[]> {
  if (!Number.isInteger(keepLast) || keepLast < 1)
    throw new RangeError(`at least the last checkpoint is kept, not ${keepLast}`);
  const best = await readBest(checkpoints);
  const spared = new Set(best === undefined ? spare : [...spare, best.name]);
  const old = (await listReadable(checkpoints)).slice(0, -keepLast).filter(({ name }) => !spared.has(name));
  for (const { name } of old) await removeCheckpoint(checkpoints, name);
  return old.map(({ name }) => name);
}

/**
 * Removes the checkpoints of later iterations when a run goes back. The record of the best is removed if its
 * checkpoint is.
 */
export async function removeLaterCheckpoints(checkpoints: string, iteration: number): Promise<void> {
  const best = await readBest(checkpoints);
  const later = (await listReadable(checkpoints))
    .filter(({ manifest }) => manifest.iteration > iteration)
    .map(({ name }) => name);
  const staying = (await checkpointNames(checkpoints)).filter((name) => !later.includes(name));
  if (best !== undefined && !staying.includes(best.name))
    await rm(join(checkpoints, bestName), { force: true });
  for (const name of later) await removeCheckpoint(checkpoints, name);
}

/** The checkpoints of a run that may have been damaged. */
export interface SortedCheckpoints {
  /** Those whose manifests can be read, oldest first. */
  readonly listed: readonly ListedCheckpoint[];
  /** The others by name, each with what is wrong with it. */
  readonly unreadable: readonly { readonly name: string; readonly what: string }[];
}

/** Separates readable checkpoints from others, without reading their files. */
export async function sortCheckpoints(checkpoints: string): Promise<SortedCheckpoints> {
  const names = await checkpointNames(checkpoints);
  const unreadable: { readonly name: string; readonly what: string }[] = [];
  const read = await Promise.all(
    names.map((name) =>
      readListed(checkpoints, name).catch((error: unknown) => {
        if (!UsageError.is(error)) throw error;
        unreadable.push({ name, what: error.parts.what });
        return undefined;
      }),
    ),
  );
  return {
    listed: byAge(read.filter((found) => found !== undefined)),
    unreadable: unreadable.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  };
}

/** The newest checkpoint whose manifest can be read, without a look at its files; undefined when there is none. */
export async function newestCheckpoint(checkpoints: string): Promise<ListedCheckpoint | undefined> {
  return (await listReadable(checkpoints)).at(-1);
}

const listReadable = async (checkpoints: string): Promise<readonly ListedCheckpoint[]> =>
  (await sortCheckpoints(checkpoints)).listed;
