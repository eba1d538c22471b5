import { createHash } from 'node:crypto';
import { forkContext, StepContext, type Context } from '../core/context.ts';
import type { Snapshot, Snapshots } from '../core/env.ts';
import { messageOf } from '../core/errors.ts';
import { canonicalJson } from '../core/json.ts';
import type { Turn } from '../core/step.ts';
import { Keeper } from './keeper.ts';
import { callBefore, replay, viewAfter, viewAt, stepEnv, type EpisodePoint, type Recording } from './play.ts';
import type { FindingPlace } from './report.ts';
import { copy, difference, textOf, turnFields, type TurnView } from './turn-view.ts';
import { CallFailed, type AnyEnv, type AnyHost, type Subject } from './subject.ts';

/** A point of a recording with a snapshot of its world. */
export interface SavedPoint extends EpisodePoint {
  readonly snapshot: Snapshot;
  /** A hash of the canonical world. Equal worlds have equal hashes. */
  readonly world: string;
}

const fixTake = 'Make take return a copy and change nothing.';
const fixRestore = 'Save and restore everything that later turns depend on, including what has been shown.';

/** Calls `take`. An exception is a crash at `where`. */
export function takeSnapshot(snapshots: Snapshots<unknown, unknown>, where: FindingPlace): Snapshot {
  return guarded({ ...where, call: 'snapshots.take' }, () => snapshots.take());
}

/** Calls `restore` with a copy through JSON, as from a file. */
export const restoreSnapshot = (
  env: AnyEnv,
  snapshot: Snapshot,
  where: FindingPlace,
): Turn<unknown, unknown> => restoreGiven(env, copy(snapshot) as Snapshot, where);

/** Calls `restore` with this very object, which still belongs to the caller. */
function restoreGiven(env: AnyEnv, snapshot: Snapshot, where: FindingPlace): Turn<unknown, unknown> {
  const place = { ...where, call: 'snapshots.restore' };
  return guarded(place, () => {
    if (env.snapshots === undefined) throw new TypeError('an env of the same host has no snapshots');
    return env.snapshots.restore(snapshot);
  });
}

function guarded<T>(where: FindingPlace, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw new CallFailed('crash', where, `it threw: ${messageOf(thrown)}`, { cause: thrown });
  }
}

/** Replays all recordings with a snapshot before each move, which must change nothing. */
export async function saveWorlds(
  subject: Subject,
  host: AnyHost,
  keeper: Keeper,
  recordings: readonly Recording[],
): Promise<readonly SavedPoint[]> {
  const run = subject.run('save');
  const saved: SavedPoint[] = [];
  for (const recording of recordings) {
    const env = await subject.create(host, run);
    const { snapshots } = env;
    if (snapshots === undefined) {
      await subject.close(env, run);
      return saved;
    }
    await replay(subject, { env, run }, recording, (sight, step) => {
      if (changedByTaking(subject, recording, sight, step)) return false;
      if (step === recording.moves.length && recording.end === 'ended') return false;
      const point = save(subject, snapshots, recording, step);
      if (point === undefined) return false;
      keeper.keep(point.snapshot, 'the snapshot', { task: recording.task, step });
      saved.push(point);
      return true;
    });
    await subject.close(env, run);
  }
  return saved;
}

function changedByTaking(subject: Subject, recording: Recording, sight: TurnView, step: number): boolean {
  subject.report.checked('snapshot');
  const differs = difference(viewAfter(recording, step), sight);
  if (differs === undefined) return false;
  const what = `a replay with a snapshot before every step gave another result: ${differs}.`;
  subject.report.found({ law: 'snapshot', where: callBefore(recording.task, step), what, fix: fixTake });
  return true;
}

function save(
  subject: Subject,
  snapshots: Snapshots<unknown, unknown>,
  recording: Recording,
  step: number,
): SavedPoint | undefined {
  const { report } = subject;
  const where = { task: recording.task, step, call: 'snapshots.take' };
  const snapshot = takeSnapshot(snapshots, where);
  const again = takeSnapshot(snapshots, where);
  report.checked('json');
  try {
    canonicalJson(snapshot);
  } catch (thrown) {
    const fix = 'Save arrays and plain objects, not maps, sets, class instances or undefined.';
    report.found({ law: 'json', where, what: `the snapshot is not plain JSON: ${messageOf(thrown)}.`, fix });
    return undefined;
  }
  if (textOf(again) !== textOf(snapshot)) {
    report.found({
      law: 'snapshot',
      where,
      what: 'two snapshots in a row differ.',
      fix: fixTake,
    });
  }
  return {
    recording,
    step,
    snapshot,
    world: createHash('sha256').update(canonicalJson(snapshot.world)).digest('hex'),
  };
}

/**
 * Restores snapshots after more was played and plays on: in the same env and then, from the very same object,
 * in a new one.
 */
export async function checkSnapshots(
  subject: Subject,
  host: AnyHost,
  saved: readonly SavedPoint[],
): Promise<void> {
  const run = subject.run('restore');
  const points = saved.map((point): GivenPoint => ({ ...point, given: copy(point.snapshot) as Snapshot }));
  const worn = await subject.create(host, run);
  for (const point of points) {
    await replay(
      subject,
      { env: worn, run },
      point.recording,
      (_, step) => step < point.step + subject.plan.lookahead,
    );
    await goesOn(subject, worn, run, { point, whose: 'in the env that it was taken from' });
  }
  await subject.close(worn, run); // the host may allow only one open env
  for (const point of points) {
    const fresh = await subject.create(host, run);
    await goesOn(subject, fresh, run, { point, whose: 'in a new env of the host' });
    await subject.close(fresh, run);
  }
}

/** A point, and the copy of its snapshot that is passed in. */
type GivenPoint = SavedPoint & { readonly given: Snapshot };

interface Restoring {
  readonly point: GivenPoint;
  readonly whose: string;
}

/** Restores and plays on. Returns whether the passed snapshot stayed unchanged. */
async function goesOn(
  subject: Subject,
  env: AnyEnv,
  run: Context,
  { point, whose }: Restoring,
): Promise<void> {
  const unharmed = textOf(point.given) === textOf(point.snapshot);
  // a changed snapshot would be reported a second time
  const given = unharmed ? point.given : (copy(point.snapshot) as Snapshot);
  const keeper = new Keeper();
  keeper.keep(given, `the snapshot that was restored ${whose}`, {
    task: point.recording.task,
    step: point.step,
    call: 'snapshots.restore',
  });
  await playRestored(subject, env, run, { point: { ...point, given }, whose });
  keeper.verify(subject.report);
}

async function playRestored(
  subject: Subject,
  env: AnyEnv,
  run: Context,
  { point, whose }: Restoring,
): Promise<void> {
  const { recording } = point;
  const where = { task: recording.task, step: point.step };
  const wrong = (step: number, differs: string, call: string): void => {
    const what = `restored ${whose} at step ${point.step}, ${differs}.`;
    subject.report.found({ law: 'snapshot', where: { ...where, step, call }, what, fix: fixRestore });
  };
  subject.report.checked('snapshot');
  const turn = subject.look(restoreGiven(env, point.given, where));
  const differs = difference(viewAt(point), turn, turnFields);
  if (differs !== undefined) return wrong(point.step, differs, 'snapshots.restore');
  const episode = forkContext(run, recording.label);
  try {
    const luck = new StepContext(episode);
    for (const [index, move] of recording.moves.slice(point.step).entries()) {
      const step = point.step + index;
      const result = await stepEnv(
        subject,
        { env, luck, at: { task: recording.task, step } },
        copy(move.action),
      );
      const later = difference(move.after, subject.look(result));
      if (later !== undefined) return wrong(step, `${later} from what was first played`, 'step');
    }
  } finally {
    episode[Symbol.dispose]();
  }
}

/** At most `most` of the points, spread evenly. */
export function spread<T>(points: readonly T[], most: number): readonly T[] {
  if (points.length <= most) return points;
  return Array.from(
    { length: most },
    (_, index) => points[Math.floor(((index + 0.5) * points.length) / most)] as T,
  );
}
