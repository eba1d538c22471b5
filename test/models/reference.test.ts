import { expect, test } from 'vitest';
import { createRng } from '../../envs/core/rng.ts';
import type { ChoiceTraining } from '../../models/choice/choice-batch.ts';
import { mapWeights, weightNames } from '../../models/choice/choice-weights.ts';
import { initialWeights } from '../../models/choice/initial-weights.ts';
import { objectiveSchema, type Objective } from '../../models/objectives/objective.ts';
import { ReferenceNetwork } from '../support/reference-network/reference-network.ts';
import { constant, differentiate } from '../support/reference-network/scalar.ts';
import { randomBatch, randomTraining } from './random-batch.ts';

const config = { buckets: 7, width: 3, hidden: 4 };
const objectives: readonly Objective[] = [
  { kind: 'imitate', temperature: 0.7, labelSmoothing: 0.1, entropyWeight: 0.3 },
  {
    kind: 'policy',
    surrogate: { kind: 'clipped', options: {} },
    temperature: 1.4,
    low: 0.2,
    high: 0.28,
    dualClip: 3,
    klWeight: 0.5,
    entropyWeight: 0.2,
    importanceCap: 1.1,
  },
  objectiveSchema.parse({ kind: 'policy', surrogate: { kind: 'clipped', options: {} }, low: 0.1, high: 0.1 }),
];

function network(seed: number): ReferenceNetwork {
  const weights = initialWeights(config, createRng(seed));
  const rng = createRng(seed).fork('spread');
  return new ReferenceNetwork(
    config,
    mapWeights((name) => Float32Array.from(weights[name], (value) => value + rng.uniform() - 0.5)),
  );
}

function training(seed: number): ChoiceTraining {
  return randomTraining(
    seed,
    randomBatch(seed, { decisions: 5, candidates: 4, features: 3, buckets: config.buckets }),
  );
}

test('the reference differentiates by the chain rule, through shared numbers', () => {
  const [x, y] = [constant(1.5), constant(-2)];
  const product = x.times(y);
  const result = product.times(product).plus(x.exponential().logarithm()).minus(y.scaled(3)); // (xy)^2 + x - 3y
  const derivatives = differentiate(result);
  expect(result.value).toBeCloseTo(9 + 1.5 + 6, 12);
  expect(derivatives.get(x)).toBeCloseTo(2 * 1.5 * 4 + 1, 12);
  expect(derivatives.get(y)).toBeCloseTo(2 * 2.25 * -2 - 3, 12);
});

test.each(objectives)(
  'the reference gradient of $kind agrees with finite differences for every weight',
  (objective) => {
    for (const seed of [1, 2, 3]) {
      const reference = network(seed);
      const batch = training(seed);
      const gradient = reference.gradient(batch, objective);
      const base = reference.weights;
      for (const name of weightNames) {
        for (const at of base[name].keys()) {
          const lossAt = (shift: number): number => {
            reference.weights = mapWeights((other) =>
              base[other].map((value, index) => (other === name && index === at ? value + shift : value)),
            );
            return reference.loss(batch, objective);
          };
          const difference = (lossAt(1e-6) - lossAt(-1e-6)) / 2e-6;
          expect(difference, `${name}[${at}] of seed ${seed}`).toBeCloseTo(gradient[name][at] as number, 6);
        }
      }
    }
  },
);
