import type { Rng } from '../../core/rng.ts';
import { createNoise, type Noise } from './noise.ts';
import { most, side, type Stock } from './rules.ts';

/** Something that stands on a cell. */
export interface Thing {
  readonly kind: 'cow' | 'zombie' | 'skeleton' | 'arrow' | 'plant';
  readonly x: number;
  readonly y: number;
  readonly health: number;
  /** Steps until a zombie strikes or a skeleton shoots again, the age of a plant, or the direction of an arrow. */
  readonly count: number;
}

export interface Player {
  readonly x: number;
  readonly y: number;
  /** The number of a direction. */
  readonly facing: number;
  readonly sleeping: boolean;
  readonly hunger: number;
  readonly thirst: number;
  readonly fatigue: number;
  readonly recovery: number;
  /** Its health after its last action. A sleeper who has less now wakes up. */
  readonly healthBefore: number;
}

export interface SurvivalWorld {
  /** Rows from the top. */
  readonly rows: readonly string[];
  readonly player: Player;
  readonly stock: Stock;
  readonly things: readonly Thing[];
  readonly unlocked: readonly string[];
  readonly steps: number;
}

const centre = side / 2;

/** The floor of a tunnel while a world is drawn: skeletons live there. In the world it is a path like others. */
const tunnel = '=';

/** A world in the manner of Crafter: grass around the player, lakes, and mountains with caves, tunnels, ore and lava. */
export function drawWorld(rng: Rng): SurvivalWorld {
  const noise = createNoise(rng.fork('noise'));
  const drawn: string[] = []; // row by row
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) drawn.push(materialAt(x, y, noise, rng));
  const rows = Array.from({ length: side }, (_, y) =>
    drawn
      .slice(y * side, (y + 1) * side)
      .join('')
      .replaceAll(tunnel, '_'),
  );
  const things: Thing[] = [];
  for (let x = 0; x < side; x += 1)
    for (let y = 0; y < side; y += 1) {
      const kind = thingAt(drawn[y * side + x] ?? '', Math.hypot(x - centre, y - centre), rng);
      if (kind !== undefined) things.push({ kind, x, y, health: kind === 'zombie' ? 5 : 3, count: 0 });
    }
  const player = {
    x: centre,
    y: centre,
    facing: 3,
    sleeping: false,
    hunger: 0,
    thirst: 0,
    fatigue: 0,
    recovery: 0,
    healthBefore: most,
  };
  const stock = { health: most, food: most, drink: most, energy: most };
  return { rows, player, stock, things, unlocked: [], steps: 0 };
}

function materialAt(x: number, y: number, noise: Noise, rng: Rng): string {
  // in the middle between two planes of the lattice, where the noise has its full spread
  const at = (z: number, size: number): number => noise(x / size, y / size, z + 0.5);
  const near = 1 / (1 + Math.exp(-(4 - Math.hypot(x - centre, y - centre) + 2 * at(8, 3))));
  if (near > 0.5) return '.';
  const water = at(3, 15) + 0.15 * at(3, 5) + 0.1 - 2 * near;
  const mountain = (at(0, 15) + 0.3 * at(0, 5)) / 1.3 - 4 * near - 0.3 * water;
  if (mountain > 0.15) {
    if (at(6, 7) > 0.15 && mountain > 0.3) return '_';
    if (noise((2 * x) / 3, y / 15, 7.5) > 0.4 || noise(x / 15, (2 * y) / 3, 7.5) > 0.4) return tunnel;
    if (at(1, 8) > 0 && rng.uniform() > 0.85) return 'c';
    if (at(2, 6) > 0.4 && rng.uniform() > 0.75) return 'i';
    if (mountain > 0.18 && rng.uniform() > 0.994) return 'd';
    return mountain > 0.3 && at(6, 5) > 0.35 ? '^' : '#';
  }
  if (water > 0.25 && water <= 0.35 && at(4, 9) > -0.2) return ',';
  if (water > 0.3) return '~';
  return at(5, 7) > 0 && rng.uniform() > 0.8 ? 'T' : '.';
}

function thingAt(material: string, distance: number, rng: Rng): Thing['kind'] | undefined {
  if (!'._,='.includes(material)) return undefined;
  if (distance > 3 && material === '.' && rng.uniform() > 0.985) return 'cow';
  if (distance > 10 && rng.uniform() > 0.993) return 'zombie';
  return material === tunnel && rng.uniform() > 0.95 ? 'skeleton' : undefined;
}
