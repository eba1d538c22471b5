import type { Rng } from './rng.ts';

/** One draw of a normal variable of mean 0 (Box and Muller 1958); takes two uniform ones. */
export function drawNormal(rng: Rng, deviation = 1): number {
  return deviation * Math.sqrt(-2 * Math.log(1 - rng.uniform())) * Math.cos(2 * Math.PI * rng.uniform());
}
