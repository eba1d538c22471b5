import type { Context } from '../core/context.ts';
import { listedIn, viewAt, type EpisodePoint } from './play.ts';
import { sideBySide, standAt, type Chosen } from './probe.ts';
import { difference, resultFields, shorten, textOf, type TurnView } from './turn-view.ts';
import type { SavedPoint } from './snapshot-laws.ts';
import type { AnyEnv, AnyHost, Subject } from './subject.ts';

type AnyPoint = EpisodePoint | SavedPoint;

interface Pair {
  readonly left: AnyPoint;
  readonly right: AnyPoint;
}

/** Finds equal worlds with different state keys: the key contains something outside of the world. */
export function checkSplits(subject: Subject, points: readonly SavedPoint[]): void {
  const byWorld = new Map<string, SavedPoint>();
  for (const point of points) {
    const key = viewAt(point).stateKey;
    if (key === 'undefined') continue;
    const other = byWorld.get(point.world);
    byWorld.set(point.world, other ?? point);
    if (other === undefined) continue;
    subject.report.checked('state-key-split');
    const otherKey = viewAt(other).stateKey;
    if (otherKey === key) continue;
    subject.report.found({
      law: 'state-key-split',
      where: { task: point.recording.task, step: point.step },
      what: `its world equals that of ${nameOf(other)}, but the keys are ${shorten(key)} and ${shorten(otherKey)}.`,
      fix: 'Derive stateKey from Snapshot.world alone: no step count, no history, no chance.',
    });
  }
}

/** Finds equal anchor keys of a task with different actions to choose from. */
export function checkAnchors(subject: Subject, points: readonly AnyPoint[]): void {
  const byKey = new Map<string, { readonly point: AnyPoint; readonly actions: string }>();
  for (const point of points) {
    const sight = viewAt(point);
    if (sight.anchorKey === 'undefined') continue;
    const { panel, index } = point.recording.task;
    const group = `${panel}/${index} ${sight.anchorKey}`;
    const actions = textOf(listedIn(sight).map(textOf).toSorted());
    const other = byKey.get(group);
    byKey.set(group, other ?? { point, actions });
    if (other === undefined) continue;
    subject.report.checked('anchor-key');
    if (other.actions === actions) continue;
    const differs = difference(viewAt(other.point), sight, ['admissible']) ?? 'the actions differ';
    subject.report.found({
      law: 'anchor-key',
      where: { task: point.recording.task, step: point.step },
      what: `its anchor key ${shorten(sight.anchorKey)} equals that of ${nameOf(other.point)}, but ${differs}.`,
      fix: 'Include in the anchor key everything that changes the list of admissible actions.',
    });
  }
}

/** After equal state keys, the same actions must give the same results. */
export async function checkAliases(
  subject: Subject,
  host: AnyHost,
  points: readonly AnyPoint[],
): Promise<void> {
  const pairs = pairsOf(subject, points);
  if (pairs.length === 0) {
    const keyed = points.some((point) => viewAt(point).stateKey !== 'undefined');
    subject.report.unchecked(
      'state-key-alias',
      keyed ? 'no two states that were reached have equal keys' : 'the env gives no state keys',
    );
    return;
  }
  if (!subject.hasRoomForTwo(host, 'state-key-alias')) return;
  const run = subject.run('aliases');
  const envs = { left: await subject.create(host, run), right: await subject.create(host, run) };
  for (const pair of pairs) await checkPair(subject, envs, run, pair);
  await subject.close(envs.left, run);
  await subject.close(envs.right, run);
}

async function checkPair(
  subject: Subject,
  envs: { readonly left: AnyEnv; readonly right: AnyEnv },
  run: Context,
  pair: Pair,
): Promise<void> {
  let broken = false;
  for (const choose of waysOn(subject, pair)) {
    const left = await standAt(subject, envs.left, run, pair.left);
    const right = await standAt(subject, envs.right, run, pair.right);
    const done: string[] = [];
    const compare = (one: TurnView, other: TurnView, action: unknown): boolean => {
      subject.report.checked('state-key-alias');
      done.push(textOf(action));
      const differs = difference(one, other, resultFields);
      if (differs === undefined) return true;
      broken = true;
      const key = shorten(viewAt(pair.left).stateKey);
      subject.report.found({
        law: 'state-key-alias',
        where: { task: pair.left.recording.task, step: pair.left.step },
        what: `its state key ${key} equals that of ${nameOf(pair.right)}, but after ${shorten(done.join(', '))} ${differs}.`,
        fix: 'Include every fact that later results depend on in the state key and in Snapshot.world.',
      });
      return false;
    };
    await sideBySide(subject, run, { left, right, point: pair.left, choose, compare });
    if (broken) return;
  }
}

/** The recorded continuations, then one step by each of some listed actions, then random walks. */
function* waysOn(subject: Subject, { left, right }: Pair): Iterable<Chosen> {
  for (const point of [left, right]) {
    yield (_, step) => point.recording.moves[point.step + step]?.action;
  }
  const rng = subject.rng.fork(`${nameOf(left)} and ${nameOf(right)}`);
  const listed = new Map(
    [left, right].flatMap((point) => listedIn(viewAt(point)).map((action) => [textOf(action), action])),
  );
  for (const action of rng
    .fork('steps')
    .shuffle([...listed.values()])
    .slice(0, 'snapshot' in left ? 12 : 2)) {
    yield (_, step) => (step === 0 ? action : undefined);
  }
  for (const name of ['walk-1', 'walk-2']) {
    const walk = rng.fork(name);
    yield (before) =>
      pickFrom([...listedIn(before.left), ...listedIn(before.right)], (bound) => walk.int(bound));
  }
}

const pickFrom = (actions: readonly unknown[], draw: (bound: number) => number): unknown =>
  actions.length === 0 ? undefined : actions[draw(actions.length)];

/**
 * Pairs with equal state keys: first those whose worlds differ, then those of different tasks, then the rest.
 */
function pairsOf({ rng, plan, definition }: Subject, points: readonly AnyPoint[]): readonly Pair[] {
  const groups = new Map<string, AnyPoint[]>();
  for (const point of points) {
    const key = viewAt(point).stateKey;
    if (key === 'undefined') continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [point]);
    else group.push(point);
  }
  const ranked: { readonly pair: Pair; readonly rank: number }[] = [];
  for (const group of groups.values()) {
    for (const pair of neighbours(group, definition.deterministic)) {
      if (comparable(pair, plan.lookahead)) ranked.push({ pair, rank: rankOf(pair) });
    }
  }
  const mixed = rng
    .fork('pairs')
    .shuffle(ranked)
    .toSorted((a, b) => a.rank - b.rank);
  return mixed.slice(0, plan.pairs).map(({ pair }) => pair);
}

/** Pairs each distinct situation of a group with the first one and with the previous one. */
function* neighbours(group: readonly AnyPoint[], deterministic: boolean): Iterable<Pair> {
  const distinct = [...new Map(group.map((point) => [situationOf(point, deterministic), point])).values()];
  for (const [index, right] of distinct.entries()) {
    const [first, previous] = [distinct[0], distinct[index - 1]];
    if (previous === undefined || first === undefined) continue;
    yield { left: previous, right };
    if (first !== previous) yield { left: first, right };
  }
}

/** Identifies a situation: points that were reached in the same way are one situation. */
function situationOf({ recording, step }: AnyPoint, deterministic: boolean): string {
  const actions = recording.moves.slice(0, step).map((move) => move.text);
  return textOf([recording.task, actions, deterministic ? '' : recording.label]);
}

/**
 * Whether the remaining steps allow a comparison. Where steps run out at different times, the ends differ
 * although the key is right.
 */
function comparable({ left, right }: Pair, lookahead: number): boolean {
  const [a, b] = [viewAt(left).stepsLeft, viewAt(right).stepsLeft];
  return a === b || Math.min(stepsOf(a), stepsOf(b)) > lookahead;
}

const stepsOf = (text: string): number => (text === 'undefined' ? Number.POSITIVE_INFINITY : Number(text));

function rankOf({ left, right }: Pair): number {
  if ('world' in left && 'world' in right && left.world !== right.world) return 0;
  const [a, b] = [left.recording.task, right.recording.task];
  if (a.panel !== b.panel || a.index !== b.index) return 1;
  return left.step === right.step ? 3 : 2;
}

function nameOf({ recording, step }: AnyPoint): string {
  const actions = recording.moves.slice(0, step).map((move) => move.text);
  const by = actions.length === 0 ? 'at its opening' : `after ${shorten(actions.join(', '))}`;
  return `task ${recording.task.panel}/${recording.task.index} ${by}`;
}
