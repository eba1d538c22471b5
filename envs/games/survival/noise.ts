import type { Rng } from '../../core/rng.ts';

/** Smooth noise of three coordinates, about -1 to 1. */
export type Noise = (x: number, y: number, z: number) => number;

const fade = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);
const mix = (a: number, b: number, t: number): number => a + t * (b - a);

/** The scale that gives this noise the spread of OpenSimplex, for which Crafter's thresholds are made. */
const spread = 1.2;

/** Gradient noise on a lattice (Perlin 2002) with a permutation of its own. */
export function createNoise(rng: Rng): Noise {
  const table = rng.shuffle(Array.from({ length: 256 }, (_, at) => at));
  const hash = (x: number, y: number, z: number): number =>
    table[((table[((table[x & 255] ?? 0) + y) & 255] ?? 0) + z) & 255] ?? 0;
  const slope = (of: number, x: number, y: number, z: number): number => {
    const kind = of & 15;
    const u = kind < 8 ? x : y;
    const v = kind < 4 ? y : kind === 12 || kind === 14 ? x : z;
    return (kind & 1 ? -u : u) + (kind & 2 ? -v : v);
  };
  return (x, y, z) => {
    // between the planes of the lattice, where the noise has its full spread
    const [left, top, front] = [Math.floor(x), Math.floor(y), Math.floor(z)];
    const [dx, dy, dz] = [x - left, y - top, z - front];
    const [u, v, w] = [fade(dx), fade(dy), fade(dz)];
    const corner = (a: number, b: number, c: number): number =>
      slope(hash(left + a, top + b, front + c), dx - a, dy - b, dz - c);
    const plane = (c: number): number =>
      mix(mix(corner(0, 0, c), corner(1, 0, c), u), mix(corner(0, 1, c), corner(1, 1, c), u), v);
    return spread * mix(plane(0), plane(1), w);
  };
}
