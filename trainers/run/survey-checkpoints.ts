import { join } from 'node:path';
import { UsageError } from '../../envs/core/errors.ts';
import { checkpointNames, type ListedCheckpoint } from './checkpoint-store.ts';
import type { CheckpointManifest } from './checkpoint-manifest.ts';
import { readCheckpoint, readManifest, type CheckpointExpectation } from './read-checkpoint.ts';

/** What there is to go on from, in a run that may have been damaged. */
export interface CheckpointSurvey {
  /** The newest that is whole and fits, if there is one. */
  readonly newest: ListedCheckpoint | undefined;
  /** Newer ones that are damaged or another run's, newest first, each with what is wrong. */
  readonly unusable: readonly { readonly folder: string; readonly error: UsageError }[];
}

/**
 * Looks at the checkpoints of a run from the newest back to the first that is whole and fits; older ones are not read.
 */
export async function surveyCheckpoints(
  checkpoints: string,
  expected: CheckpointExpectation,
): Promise<CheckpointSurvey> {
  const names = await checkpointNames(checkpoints);
  const found = await Promise.all(names.map(async (name) => ({ name, age: await ageOf(checkpoints, name) })));
  const unusable: { readonly folder: string; readonly error: UsageError }[] = [];
  for (const { name } of found.toSorted((a, b) => b.age - a.age || (a.name < b.name ? 1 : -1))) {
    const folder = join(checkpoints, name);
    try {
      const manifest = await readCheckpoint(folder, expected);
      assertOwnName(folder, name, manifest);
      return { newest: { name, folder, manifest }, unusable };
    } catch (error) {
      if (!UsageError.is(error)) throw error;
      unusable.push({ folder, error });
    }
  }
  return { newest: undefined, unusable };
}

/** Refuses a copy under another name, because the run would later write that name itself. */
function assertOwnName(
  folder: string,
  name: string,
  { iteration }: Pick<CheckpointManifest, 'iteration'>,
): void {
  const named = iterationIn(name);
  if (named === undefined || named === iteration) return;
  throw new UsageError({
    where: `checkpoint ${folder}`,
    what: `it was made after iteration ${iteration}, and its name says ${named}.`,
    fix: 'Give it its own name again.',
  });
}

const iterationIn = (name: string): number | undefined => {
  const digits = /\d+$/.exec(name)?.[0];
  return digits === undefined ? undefined : Number(digits);
};

/** Iterations done, by its manifest or by its name, whichever says more: one put there under a newer name is looked at and refused. */
async function ageOf(checkpoints: string, name: string): Promise<number> {
  const named = iterationIn(name) ?? 0;
  try {
    return Math.max(named, (await readManifest(join(checkpoints, name))).iteration);
  } catch (error) {
    if (!UsageError.is(error)) throw error;
    return named;
  }
}
