import { profile, scalar } from '@tensorflow/tfjs-core';
import { expect, test } from 'vitest';
import { createRng } from '../../envs/core/rng.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { createChoiceModel } from '../../models/choice/choice-model.ts';
import { estimateChoiceMemory } from '../../models/choice/memory-estimate.ts';
import { randomBatch, randomTraining } from './random-batch.ts';

test.each([
  [
    { buckets: 5000, width: 16, hidden: 8 },
    { decisions: 3, candidates: 5, features: 4 },
  ],
  [
    { buckets: 40, width: 64, hidden: 32 },
    { decisions: 60, candidates: 20, features: 12 },
  ],
  [
    { buckets: 2000, width: 32, hidden: 64 },
    { decisions: 60, candidates: 10, features: 40 },
  ],
])(
  'the memory estimate of %o on batches of %o with distinct rows is within a tenth',
  async (config, sizes) => {
    const backend = await openBackend('cpu');
    const model = createChoiceModel({ backend, config, rng: createRng(1) });
    const training = randomTraining(1, randomBatch(1, { ...sizes, buckets: config.buckets, distinct: true }));
    const { signal } = new AbortController();
    const { peakBytes } = await profile(async () => {
      for (let part = 0; part < 2; part += 1)
        await model.accumulate(
          training,
          { kind: 'imitate', temperature: 1, labelSmoothing: 0, entropyWeight: 0 },
          signal,
        );
      await model.apply({ learningRate: 0.01, maxGradNorm: 1 });
      return scalar(0);
    });
    await model.dispose();
    const estimate = estimateChoiceMemory(config, {
      decisions: sizes.decisions,
      rows: training.candidateStart.length - 1,
      features: training.stateFeatures.length + training.candidateFeatures.length,
    });
    expect(estimate.peak / peakBytes).toBeGreaterThan(0.9);
    expect(estimate.peak / peakBytes).toBeLessThan(1.1);
  },
);
