import type { Rng } from '../../core/rng.ts';

/** Smooth noise of three coordinates, about -1 to 1. */
export type Noise = (x: number, y: number, z: number) => number;

const fade = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10);
const mix = (a: number, b: number, t: number): number => a + t * (b - a);

/** The scale that gives this noise the spread of OpenSimplex, for which Crafter's thresholds are made. */
const spread = 1.2;

/** The gradients of Perlin (2002) by the low four bits of a hash, as x, y, z: the middles of the edges of a cube, four of them twice. */
// prettier-ignore
const gradients = Float64Array.from([
  [1, 1, 0], [-1, 1, 0], [1, -1, 0], [-1, -1, 0], [1, 0, 1], [-1, 0, 1], [1, 0, -1], [-1, 0, -1],
  [0, 1, 1], [0, -1, 1], [0, 1, -1], [0, -1, -1], [1, 1, 0], [0, -1, 1], [-1, 1, 0], [0, -1, -1],
].flat());

/** Gradient noise on a lattice (Perlin 2002) with a permutation of its own. A world takes 50,000 values, so a value allocates nothing. */
export function createNoise(rng: Rng): Noise {
  const order = rng.shuffle(Array.from({ length: 256 }, (_, at) => at));
  const table = Uint8Array.from([...order, ...order]); // twice, so that a sum of two bytes is a place
  const byte = (at: number): number => table[at] as number;
  const slope = (hash: number, x: number, y: number, z: number): number => {
    const at = 3 * (hash & 15);
    return (
      (gradients[at] as number) * x + (gradients[at + 1] as number) * y + (gradients[at + 2] as number) * z
    );
  };
  return (x, y, z) => {
    const left = Math.floor(x);
    const top = Math.floor(y);
    const front = Math.floor(z);
    const dx = x - left;
    const dy = y - top;
    const dz = z - front;
    const u = fade(dx);
    const v = fade(dy);
    const w = fade(dz);
    const down = top & 255;
    const deep = front & 255;
    const west = byte(left & 255) + down;
    const east = byte((left + 1) & 255) + down;
    const northWest = byte(west) + deep;
    const southWest = byte(west + 1) + deep;
    const northEast = byte(east) + deep;
    const southEast = byte(east + 1) + deep;
    const near = mix(
      mix(slope(byte(northWest), dx, dy, dz), slope(byte(northEast), dx - 1, dy, dz), u),
      mix(slope(byte(southWest), dx, dy - 1, dz), slope(byte(southEast), dx - 1, dy - 1, dz), u),
      v,
    );
    const far = mix(
      mix(slope(byte(northWest + 1), dx, dy, dz - 1), slope(byte(northEast + 1), dx - 1, dy, dz - 1), u),
      mix(
        slope(byte(southWest + 1), dx, dy - 1, dz - 1),
        slope(byte(southEast + 1), dx - 1, dy - 1, dz - 1),
        u,
      ),
      v,
    );
    return spread * mix(near, far, w);
  };
}
