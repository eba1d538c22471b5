import type { Rng } from '../../envs/core/rng.ts';
import type { ChoiceConfig } from './choice-config.ts';
import { mapWeights, weightShapes, type ChoiceWeights, type WeightName } from './choice-weights.ts';

/** Standard deviation of each weight; biases begin at 0. */
function deviations(config: ChoiceConfig): Readonly<Record<WeightName, number>> {
  return {
    embedding: 0.1, // a row sums about a hundred features, so its input is of size 1
    embeddingBias: 0,
    hidden: Math.sqrt(2 / config.width), // He et al. 2015, eq. 10
    hiddenBias: 0,
    output: 0.1 / Math.sqrt(config.hidden), // a first policy close to uniform
  };
}

/** Seeded weights: uniform draws, each weight from a stream of its own. */
export function initialWeights(config: ChoiceConfig, rng: Rng): ChoiceWeights<Float32Array> {
  const shapes = weightShapes(config);
  const deviation = deviations(config);
  return mapWeights((name) => {
    const values = new Float32Array(shapes[name][0] * shapes[name][1]);
    const reach = Math.sqrt(3) * deviation[name];
    if (reach === 0) return values;
    const stream = rng.fork(name);
    for (let at = 0; at < values.length; at += 1) values[at] = (2 * stream.uniform() - 1) * reach;
    return values;
  });
}
