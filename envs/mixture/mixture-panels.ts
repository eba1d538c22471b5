import { UsageError } from '../core/errors.ts';
import type { Rng } from '../core/rng.ts';
import type { PanelInfo, TaskRef, UnavailablePanel } from '../core/task.ts';

/** An env of a mixture, as its tasks are drawn. */
export interface PanelShare {
  readonly id: string;
  readonly weight: number;
  readonly panels: readonly PanelInfo[];
  /** The held-out panel that benchmarks play, where the env names one. */
  readonly usual?: string | undefined;
}

/** The panels of a mixture, and the env and task of each of their tasks. */
export interface MixturePanels {
  readonly panels: readonly PanelInfo[];
  readonly unavailablePanels: readonly UnavailablePanel[];
  /** The env, by its place in the mixture, and its own task. The task must exist. */
  find(task: TaskRef): { readonly member: number; readonly task: TaskRef };
}

/** A training panel has at least the first number of tasks, and any panel at most the second. */
const [fewestToTrain, mostTasks] = [1_000, 10_000];

const purposes = { train: 'train', dev: 'dev', unseen: 'held-out' } as const;

/**
 * Draws the panels `train`, `dev` and `unseen` of a mixture. Each draws from one panel of the same purpose of every env.
 *
 * The tasks of the first n places follow the weights for every n: an env has its share of n, up to one task. `rng` chooses which tasks of an
 * env are drawn, and their order. No panel but `train` has a task twice: it ends where the first env has no more tasks for its share. `train`
 * has at least 1,000 places; an env with fewer tasks than its share gives all of them again in another order.
 *
 * @throws UsageError where an env has no training panel
 */
export function drawMixturePanels(shares: readonly PanelShare[], rng: Rng): MixturePanels {
  const drawn = new Map<string, readonly Place[]>();
  const panels: PanelInfo[] = [];
  const unavailablePanels: UnavailablePanel[] = [];
  for (const [name, purpose] of Object.entries(purposes)) {
    const from = shares.map((share) => panelFor(share, name, purpose));
    const lacking = shares.filter((_, at) => from[at] === undefined).map(({ id }) => id);
    if (lacking.length > 0) {
      const why = `${lacking.join(', ')} ${lacking.length === 1 ? 'has' : 'have'} no panel of purpose ${purpose}`;
      const fix = `Leave ${lacking.length === 1 ? 'it' : 'them'} out of the mixture`;
      if (purpose === 'train') throw new UsageError({ where: 'mixture', what: `${why}.`, fix: `${fix}.` });
      unavailablePanels.push({ name, why, fix });
      continue;
    }
    const weighed = shares.map(({ id, weight }, at) => ({ id, weight, panel: from[at] as PanelInfo }));
    const places = drawPlaces(weighed, { repeats: purpose === 'train', rng: rng.fork(name) });
    drawn.set(name, places);
    panels.push({ name, size: places.length, purpose, summary: summaryOf(weighed, places) });
  }
  return {
    panels,
    unavailablePanels,
    find: ({ panel, index }) => {
      const place = drawn.get(panel)?.[index];
      if (place === undefined) throw new RangeError(`there is no task ${index} of ${panel}`);
      return place;
    },
  };
}

interface Place {
  readonly member: number;
  readonly task: TaskRef;
}

interface Weighed {
  readonly id: string;
  readonly weight: number;
  readonly panel: PanelInfo;
}

/** The panel of an env that a panel of the mixture draws from: the usual one of this purpose. */
function panelFor(
  { panels, usual }: PanelShare,
  name: string,
  purpose: PanelInfo['purpose'],
): PanelInfo | undefined {
  const fitting = panels.filter((panel) => panel.purpose === purpose);
  return (
    fitting.find((panel) => purpose === 'held-out' && panel.name === usual) ??
    fitting.find((panel) => panel.name === name) ??
    fitting[0]
  );
}

function drawPlaces(
  weighed: readonly Weighed[],
  { repeats, rng }: { readonly repeats: boolean; readonly rng: Rng },
): readonly Place[] {
  const sum = weighed.reduce((total, { weight }) => total + weight, 0);
  const whole = Math.floor(Math.min(...weighed.map(({ weight, panel }) => (panel.size * sum) / weight)));
  const size = Math.max(weighed.length, repeats ? fewestToTrain : 1, Math.min(whole, mostTasks));
  const members = interleave(
    weighed.map(({ weight }) => weight / sum),
    size,
  );
  const tasks = weighed.map(({ id, panel }, member) => {
    const count = members.reduce((places, other) => places + (other === member ? 1 : 0), 0);
    return drawTasks(panel, count, rng.fork(id));
  });
  const next = weighed.map(() => 0);
  return members.map((member): Place => {
    const at = next[member] ?? 0;
    next[member] = at + 1;
    return { member, task: { panel: weighed[member]?.panel.name ?? '', index: tasks[member]?.[at] ?? 0 } };
  });
}

/** The env of each place: always the one that is furthest behind its share. Every env gets at least one place. */
function interleave(shares: readonly number[], size: number): readonly number[] {
  const counts = shares.map(() => 0);
  const members = Array.from({ length: size }, (_, place) => {
    const behind = shares.map((share, member) => share * (place + 1) - (counts[member] ?? 0));
    const member = behind.indexOf(Math.max(...behind));
    counts[member] = (counts[member] ?? 0) + 1;
    return member;
  });
  for (const [member, count] of counts.entries()) {
    if (count > 0) continue;
    const most = counts.indexOf(Math.max(...counts));
    members[members.lastIndexOf(most)] = member;
    counts[most] = (counts[most] ?? 0) - 1;
    counts[member] = 1;
  }
  return members;
}

/** Draws tasks without repeats; after the last one all again, in another order. */
function drawTasks({ size }: PanelInfo, count: number, rng: Rng): readonly number[] {
  const drawn: number[] = [];
  for (let pass = 0; drawn.length < count; pass += 1)
    drawn.push(...someOf(size, Math.min(size, count - drawn.length), rng.fork(pass)));
  return drawn;
}

/** `count` different numbers below `size`, in random order. */
function someOf(size: number, count: number, rng: Rng): readonly number[] {
  if (2 * count > size) return rng.shuffle(Array.from({ length: size }, (_, index) => index)).slice(0, count);
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(rng.int(size));
  return [...chosen];
}

const summaryOf = (weighed: readonly Weighed[], places: readonly Place[]): string =>
  weighed
    .map(
      ({ id, panel }, member) =>
        `${places.filter((place) => place.member === member).length} from ${panel.name} of ${id}`,
    )
    .join(', ');
