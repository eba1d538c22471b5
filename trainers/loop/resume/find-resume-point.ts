import { join } from 'node:path';
import { UsageError } from '../../../envs/core/errors.ts';
import { sortCheckpoints, type ListedCheckpoint } from '../../run/checkpoint-store.ts';
import { metricsLineSchema } from '../../run/metrics-schema.ts';
import type { RunFolder } from '../../run/open-run.ts';
import { readCheckpoint, readManifest, type CheckpointExpectation } from '../../run/read-checkpoint.ts';
import { readStartedJsonl } from '../../../files/read-jsonl.ts';
import { surveyCheckpoints, type CheckpointSurvey } from '../../run/survey-checkpoints.ts';
import { assertSameRun } from './assert-same-run.ts';
import { cloningName, describePlace, referenceName, warmStartName } from '../../run/checkpoint-names.ts';
import type { TrainingSetup } from '../setup/training-setup.ts';
import { stateFrom } from '../train-state.ts';

/** Where a run goes on. */
export type ResumePoint =
  | { readonly kind: 'beginning' }
  /** In the midst of the warm start. */
  | { readonly kind: 'cloning'; readonly checkpoint: ListedCheckpoint }
  /** After the warm start or an iteration. */
  | { readonly kind: 'iterations'; readonly checkpoint: ListedCheckpoint };

/**
 * Where a run goes on: its newest checkpoint, found whole and fitting, or its beginning when it never got as far as one.
 * Nothing is cut or loaded before this has been decided; a `UsageError` leaves the folder as it was.
 */
export async function findResumePoint(run: RunFolder, setup: TrainingSetup): Promise<ResumePoint> {
  assertSameRun(run, setup);
  const { update } = setup.config;
  const panels = Object.fromEntries(
    Object.entries(run.document.panels).map(([name, { fingerprint }]) => [name, fingerprint]),
  );
  const expected = { configDigest: run.configDigest, panels };
  const survey = await surveyCheckpoints(run.paths.checkpoints, expected);
  const { newest } = survey;
  if (newest !== undefined && newest.name !== cloningName && newest.name !== warmStartName) {
    await assertKept(run, warmStartName, expected);
    if (update.klWeight > 0)
      await assertKept(run, referenceName(update.referenceEvery, newest.manifest.iteration), expected);
  }
  await assertUsable(run, survey);
  if (newest === undefined) return { kind: 'beginning' };
  setup.curriculum.validate(stateFrom(newest.manifest).curriculum);
  await assertGoesOn(run, newest);
  return { kind: newest.name === cloningName ? 'cloning' : 'iterations', checkpoint: newest };
}

/** The logs reach to the checkpoint, and what it tells of the run can be taken up. */
async function assertGoesOn(run: RunFolder, newest: ListedCheckpoint): Promise<void> {
  try {
    await run.assertReaches(newest.manifest);
  } catch (error) {
    if (!UsageError.is(error)) throw error;
    throw refusal(
      error.parts,
      `${error.parts.fix.replace(/\.$/, '')}, or ${await goBack(run, newest)}`,
      error,
    );
  }
}

/** How to go on from the newest of the older checkpoints to which the logs still reach. */
async function goBack(run: RunFolder, newest: ListedCheckpoint): Promise<string> {
  const { listed } = await sortCheckpoints(run.paths.checkpoints);
  const later = [newest.folder];
  for (const older of listed.toReversed()) {
    if (older.name === newest.name) continue;
    if (await reaches(run, older))
      return `delete ${later.join(' and ')} to go on from ${describePlace(older)}.`;
    later.push(older.folder);
  }
  return startAnew(run);
}

async function reaches(run: RunFolder, { manifest }: ListedCheckpoint): Promise<boolean> {
  try {
    await run.assertReaches(manifest);
    return true;
  } catch (error) {
    if (!UsageError.is(error)) throw error;
    return false;
  }
}

/** The policy before training is the KL anchor, until that is reset, and a row of the last table: no iteration goes without them. */
async function assertKept(run: RunFolder, name: string, expected: CheckpointExpectation): Promise<void> {
  try {
    await readCheckpoint(join(run.paths.checkpoints, name), expected);
  } catch (error) {
    if (!UsageError.is(error)) throw error;
    throw refusal(error.parts, `Bring it back from a copy, or ${startAnew(run)}`, error);
  }
}

/** The newest checkpoint must be whole: an older one is used only when the user says so, by deleting what is newer. */
async function assertUsable(run: RunFolder, { newest, unusable }: CheckpointSurvey): Promise<void> {
  const [first] = unusable;
  const recorded = newest === undefined ? await countIterations(run) : 0;
  if (first !== undefined) {
    const folders = unusable.map(({ folder }) => folder).join(' and ');
    if (newest !== undefined)
      throw refusal(
        first.error.parts,
        `Delete ${folders} to go on from ${describePlace(newest)}.`,
        first.error,
      );
    if (recorded === 0)
      throw refusal(
        first.error.parts,
        `Delete ${folders} to start the run again from its beginning.`,
        first.error,
      );
    if (await isOfAnotherConfig(first.folder, run)) {
      throw refusal(
        {
          where: join(run.folder, 'config.json'),
          what: 'it is not the configuration that the checkpoints of this run were made with.',
        },
        `Restore it, or ${startAnew(run)}`,
        first.error,
      );
    }
    throw refusal(
      first.error.parts,
      `None of the run's checkpoints is whole: bring one back from a copy, or ${startAnew(run)}`,
      first.error,
    );
  }
  if (recorded === 0) return;
  const what = `it records ${recorded} iterations but holds no checkpoint to go on from.`;
  throw refusal(
    { where: run.folder, what },
    `Bring its checkpoints back, or ${startAnew(run)} Nothing here was changed.`,
  );
}

async function isOfAnotherConfig(checkpoint: string, { configDigest }: RunFolder): Promise<boolean> {
  const manifest = await readManifest(checkpoint).catch(() => undefined);
  return manifest !== undefined && manifest.configDigest !== configDigest;
}

const startAnew = ({ folder }: RunFolder): string =>
  `start a new run in another folder with --config ${join(folder, 'config.json')}.`;

async function countIterations({ paths }: RunFolder): Promise<number> {
  const { lines } = await readStartedJsonl(paths.metrics, metricsLineSchema);
  return lines.filter(({ kind }) => kind === 'iteration').length;
}

function refusal(
  { where, what }: { readonly where: string; readonly what: string },
  fix: string,
  cause?: unknown,
): UsageError {
  return new UsageError({ where, what, fix }, cause === undefined ? undefined : { cause });
}
