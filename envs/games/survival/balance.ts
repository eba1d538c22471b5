import type { Rng } from '../../core/rng.ts';
import type { Draft } from './draft.ts';
import { chunk, side } from './rules.ts';
import type { Thing } from './world.ts';

/** How bright it is after some steps, from 0 to 1. A day has 300 steps, and its end is dark. */
export function daylightAt(steps: number): number {
  const progress = ((steps / 300) % 1) + 0.3;
  return 1 - Math.abs(Math.cos(Math.PI * progress)) ** 3;
}

/** Where and how often creatures of a kind come and go. */
interface Balance {
  readonly kind: Thing['kind'];
  readonly material: string;
  /** The least steps to the player of one that comes, and of one that goes. */
  readonly comes: number;
  readonly goes: number;
  readonly comeChance: number;
  readonly goChance: number;
  /** How many should be in a chunk with this many cells of the material. */
  readonly least: (space: number, light: number) => number;
  readonly most: (light: number) => number;
}

const balances: readonly Balance[] = [
  {
    kind: 'zombie',
    material: '.',
    comes: 6,
    goes: 0,
    comeChance: 0.3,
    goChance: 0.4,
    least: (space, light) => (space < 50 ? 0 : 3.5 - 3 * light),
    most: (light) => 3.5 - 3 * light,
  },
  {
    kind: 'skeleton',
    material: '_',
    comes: 7,
    goes: 7,
    comeChance: 0.1,
    goChance: 0.1,
    least: (space) => (space < 6 ? 0 : 1),
    most: () => 2,
  },
  {
    kind: 'cow',
    material: '.',
    comes: 5,
    goes: 5,
    comeChance: 0.01,
    goChance: 0.1,
    least: (space) => (space < 30 ? 0 : 1),
    most: (light) => 1.5 + light,
  },
];

/** Lets zombies, skeletons and cows come and go in each chunk of the world. */
export function balanceChunks(draft: Draft, rng: Rng): void {
  const light = daylightAt(draft.steps);
  for (let left = 0; left < side; left += chunk)
    for (let top = 0; top < side; top += chunk)
      for (const balance of balances) balanceChunk(draft, { balance, left, top, light, rng });
}

interface Place {
  readonly balance: Balance;
  readonly left: number;
  readonly top: number;
  readonly light: number;
  readonly rng: Rng;
}

function balanceChunk(draft: Draft, { balance, left, top, light, rng }: Place): void {
  const { kind, material, comes, goes, comeChance, goChance, least, most } = balance;
  const there = draft.creatures(kind, left, top);
  const cells: (readonly [x: number, y: number])[] = [];
  for (let x = left; x < Math.min(left + chunk, side); x += 1)
    for (let y = top; y < Math.min(top + chunk, side); y += 1)
      if (draft.material(x, y) === material) cells.push([x, y]);
  if (there.length < Math.trunc(least(cells.length, light)) && rng.uniform() < comeChance) {
    const [x, y] = rng.pick(cells);
    if (!draft.isTaken(x, y) && draft.distance({ x, y }) >= comes)
      draft.put({ kind, x, y, health: kind === 'zombie' ? 5 : 3, count: 0 });
  } else if (there.length > Math.trunc(most(light)) && rng.uniform() < goChance) {
    const gone = rng.pick(there);
    if (draft.distance(gone) >= goes) draft.remove(gone);
  }
}
