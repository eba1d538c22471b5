import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from '../core/context.ts';
import type { Audit, Snapshot } from '../core/env.ts';
import { messageOf } from '../core/errors.ts';
import { isRecord, nameOf } from '../core/result-shape.ts';
import type { Rng } from '../core/rng.ts';
import { listedIn } from './play.ts';
import { actionFor, sideBySide, type Chosen, type Stand } from './probe.ts';
import type { FindingPlace } from './report.ts';
import { copy, difference, outwardFields, shorten, textOf, type TurnView } from './turn-view.ts';
import { restoreSnapshot, type SavedPoint } from './snapshot-laws.ts';
import { CallFailed, type AnyEnv, type AnyHost, type Subject } from './subject.ts';

export type Swap = NonNullable<Audit<unknown>['swapHidden']>;
type Swapped = NonNullable<ReturnType<Swap>>;

interface SwapAt {
  readonly point: SavedPoint;
  readonly swapped: Swapped;
  readonly rng: Rng;
}

/** Swaps tried per point. */
const swapsPerPoint = 3;

/**
 * Swaps facts that were not shown. Until something reveals them, both worlds must look the same. It tries up
 * to `plan.points` of the points at which a swap changes the world.
 */
export async function checkHidden(
  subject: Subject,
  host: AnyHost,
  points: readonly SavedPoint[],
): Promise<void> {
  const { report } = subject;
  const swapHidden = host.audit?.swapHidden?.bind(host.audit);
  if (swapHidden === undefined) return report.unchecked('hidden', 'the host has no audit.swapHidden');
  if (points.length === 0) return report.unchecked('hidden', 'it takes snapshots to swap hidden facts');
  if (!subject.hasRoomForTwo(host, 'hidden')) return;
  const hiding = await findHiding(subject, points, (point) => {
    const swaps = [...swapsAt(subject, swapHidden, point)];
    return swaps.length === 0 ? undefined : swaps;
  });
  if (hiding.length === 0)
    return report.unchecked('hidden', 'audit.swapHidden changed no world at any point that was tried');
  const run = subject.run('hidden');
  const envs = { left: await subject.create(host, run), right: await subject.create(host, run) };
  let swaps = 0;
  let steps = 0;
  for (const swap of hiding.flat()) {
    swaps += 1;
    steps += await checkSwap(subject, envs, run, swap);
    await nextTurn();
  }
  report.note(`hidden facts were swapped ${swaps} times, and ${steps} steps were played that reveal none`);
  if (steps === 0)
    report.unchecked(
      'hidden',
      'every action was said to reveal what was swapped, so that no step was compared',
    );
  await subject.close(envs.left, run);
  await subject.close(envs.right, run);
}

/**
 * The results of `ask` at points where something is hidden, at most `plan.points` of them. The points are
 * asked in an order whose every prefix is spread over all of them. It stops after the time limit of one call.
 */
export async function findHiding<T>(
  subject: Subject,
  points: readonly SavedPoint[],
  ask: (point: SavedPoint) => T | undefined,
): Promise<readonly T[]> {
  const { report, plan } = subject;
  const { signal } = subject.run('hidden-points');
  const found: T[] = [];
  const late = AbortSignal.timeout(plan.deadlineMs); // the asking computes here, so its time counts
  for (const [asked, point] of halving(points).entries()) {
    if (found.length === plan.points) break;
    signal.throwIfAborted();
    if (late.aborted) {
      report.note(
        `audit.swapHidden is slow: it was asked at ${asked} of ${points.length} points, spread over all of them, and in ${plan.deadlineMs} ms at no more`,
      );
      break;
    }
    const answer = ask(point);
    if (answer !== undefined) found.push(answer);
    await nextTurn();
  }
  return found;
}

/**
 * Returns all items in the order of van der Corput's sequence: each next one halves a gap that the earlier
 * ones left.
 */
export function halving<T>(items: readonly T[]): readonly T[] {
  const bits = Math.ceil(Math.log2(Math.max(1, items.length)));
  const reversed = Array.from({ length: 2 ** bits }, (_, index) =>
    Number.parseInt(Array.from(index.toString(2).padStart(bits, '0')).toReversed().join(''), 2),
  );
  return reversed.flatMap((index) => (index < items.length ? [items[index] as T] : []));
}

/** The swaps tried at a point that change its world. */
function* swapsAt(subject: Subject, swapHidden: Swap, point: SavedPoint): Generator<SwapAt, void> {
  for (let attempt = 0; attempt < swapsPerPoint; attempt += 1) {
    const rng = subject.rng.fork(`swap-${point.recording.label}-${point.step}-${attempt}`);
    const swapped = swapAt(subject, swapHidden, point, rng);
    if (swapped === undefined) return;
    if (!isSameWorld(swapped, point)) yield { point, swapped, rng };
  }
}

/**
 * Asks the audit to swap the hidden facts at the point. Undefined where the audit reports that nothing is
 * hidden.
 */
export function swapAt(
  { report }: Subject,
  swapHidden: Swap,
  point: SavedPoint,
  rng: Rng,
): Swapped | undefined {
  const where: FindingPlace = { task: point.recording.task, step: point.step, call: 'audit.swapHidden' };
  const swapped = asked(where, () => swapHidden(copy(point.snapshot) as Snapshot, rng.fork('swap')));
  if (swapped === undefined || isSwap(swapped)) return swapped;
  const what = `it returned ${nameOf(swapped)}${isRecord(swapped) ? ' without a snapshot and reveals' : ''}.`;
  report.found({
    law: 'hidden',
    where,
    what,
    fix: 'Return a snapshot and reveals, or undefined where nothing is hidden.',
  });
  return undefined;
}

function asked<T>(where: FindingPlace, ask: () => T): T {
  try {
    return ask();
  } catch (thrown) {
    throw new CallFailed('crash', where, `it threw: ${messageOf(thrown)}`, { cause: thrown });
  }
}

const isSwap = (value: unknown): boolean =>
  isRecord(value) && isRecord(value['snapshot']) && typeof value['reveals'] === 'function';

/** True where the swap left the world unchanged, so that there is nothing to compare. */
export const isSameWorld = (swapped: Swapped, point: SavedPoint): boolean =>
  textOf(swapped.snapshot.world) === textOf(point.snapshot.world);

/** Returns the number of steps that were compared. */
async function checkSwap(
  subject: Subject,
  envs: { readonly left: AnyEnv; readonly right: AnyEnv },
  run: Context,
  at: SwapAt,
): Promise<number> {
  const { point, swapped } = at;
  const where = { task: point.recording.task, step: point.step };
  const worlds = {
    left: stand(subject, envs.left, point.snapshot, where),
    right: stand(subject, envs.right, swapped.snapshot, where),
    point,
  };
  const compare = (one: TurnView, other: TurnView, done: readonly string[]): boolean => {
    subject.report.checked('hidden');
    const differs = difference(one, other, outwardFields);
    if (differs === undefined) return true;
    const anchor = differs.startsWith('anchorKey');
    const when = done.length === 0 ? 'at once' : `after ${shorten(done.join(', '))}`;
    subject.report.found({
      law: anchor ? 'anchor-key' : 'hidden',
      where,
      what: `two worlds that differ only in hidden facts look different ${when}: ${differs}.`,
      fix: anchor
        ? 'Derive the anchor key from the task and from what was shown, and from nothing else.'
        : 'Derive what an agent sees, including the order of lists and the rewards, from what was shown. Or make reveals return true for this action.',
    });
    return false;
  };
  if (!compare(worlds.left.sight, worlds.right.sight, [])) return 0;
  const done: string[] = [];
  await sideBySide(subject, run, {
    ...worlds,
    choose: quietly(subject, worlds.left, at),
    compare: (one, other, action) => {
      done.push(textOf(action));
      return compare(one, other, done);
    },
  });
  return done.length;
}

function stand(subject: Subject, env: AnyEnv, snapshot: Snapshot, where: FindingPlace): Stand {
  const turn = restoreSnapshot(env, snapshot, where);
  return { env, turn, sight: subject.look(turn) };
}

/** Chooses actions that do not reveal: as recorded while possible, then at random. */
function quietly(subject: Subject, stood: Stand, { point, swapped, rng }: SwapAt): Chosen {
  const walk = rng.fork('walk');
  let asRecorded = rng.fork('kind').int(2) === 0;
  return ({ left }, step) => {
    const recorded = point.recording.moves[point.step + step]?.action;
    if (asRecorded && recorded !== undefined && !swapped.reveals(recorded)) return recorded;
    asRecorded = false;
    const quiet = listedIn(left).filter((action) => !swapped.reveals(action));
    if (quiet.length > 0) return walk.pick(quiet);
    const own = step === 0 ? actionFor(subject, stood.turn, walk) : undefined;
    return own === undefined || swapped.reveals(own) ? undefined : own;
  };
}
