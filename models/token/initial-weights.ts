import { type Rng, drawNormal } from '../../envs/core/rng.ts';
import type { TransformerConfig } from './transformer-config.ts';
import { weightShapes, type NamedValues } from './weight-layout.ts';

/** Standard deviation of embeddings and projections (Radford et al. 2019). */
const deviation = 0.02;

/**
 * Seeded weights of a new model: normal draws, each weight from a stream of its own; projections that add to the residual
 * stream are smaller by the root of their number (Radford et al. 2019, 2.3); norms are 1, biases 0.
 */
export function initialTransformerWeights(config: TransformerConfig, rng: Rng): NamedValues {
  const weights: Record<string, Float32Array> = {};
  for (const [name, shape] of weightShapes(config)) {
    const [rows, columns = 1] = shape;
    weights[name] = new Float32Array(rows * columns);
    if (shape.length === 1) weights[name].fill(name.endsWith('.bias') ? 0 : 1);
    else
      fillNormal(
        weights[name],
        addsToResidual(name) ? deviation / Math.sqrt(2 * config.layers) : deviation,
        rng.fork(name),
      );
  }
  return weights;
}

const addsToResidual = (name: string): boolean =>
  name.endsWith('.o_proj.weight') || name.endsWith('.down_proj.weight');

function fillNormal(values: Float32Array, deviation: number, rng: Rng): void {
  for (let at = 0; at < values.length; at += 1) values[at] = drawNormal(rng, deviation);
}
