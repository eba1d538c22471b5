import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRng } from '../../../../envs/core/rng.ts';
import type { TensorBackend } from '../../../../models/backend/backend.ts';
import { openBackend } from '../../../../models/backend/open-backend.ts';
import { openTokenModel } from '../../../../models/token/open-token-model.ts';
import { imitateTokens } from '../../../../trainers/update/tokens/imitate-tokens.ts';
import { compareTokens, learnTokens } from '../../../../trainers/update/tokens/learn-tokens.ts';
import type { PackedRows } from '../../../../trainers/update/tokens/pack-tokens.ts';
import { passBegins, type UpdateSettings } from '../../../../trainers/update/policy.ts';
import { testContext } from '../../../support/rollout.ts';
import { makeTinyModel } from '../../../support/tiny-model.ts';
import { batchOf } from '../../../models/token/random-tokens.ts';
import { temporaryFolder } from '../../run/make-run.ts';

const settings: UpdateSettings = {
  epochs: 2,
  batchSteps: 2,
  learningRate: 3e-3,
  objective: { kind: 'clipped', options: {} },
  clipLow: 0.2,
  clipHigh: 0.2,
  zeroAdvantage: 'leave-out',
  klWeight: 0,
  entropyWeight: 0,
  importanceCap: 2,
  optimiser: { kind: 'adamw' },
  maxGradNorm: 1,
  weightDecay: 0,
  temperature: 1,
  synchronous: false,
};
const rng = createRng(5);
const batch = batchOf(Array.from({ length: 6 }, () => Array.from({ length: 9 }, () => rng.int(256))));
const count = batch.scored.length;
const packedWith = (behaviourLogprob: Float32Array): PackedRows => {
  const ones = new Float32Array(count).fill(1);
  return {
    batch,
    advantage: Float32Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 1 : -0.5)),
    behaviourLogprob,
    weight: ones,
    share: ones,
    steps: new Int32Array(6).fill(1),
  };
};

const folder = temporaryFolder();
let backend: TensorBackend;
let model: string;
beforeAll(async () => {
  backend = await openBackend('wasm');
  model = await makeTinyModel(join(folder.path, 'tiny'));
});
afterAll(() => folder[Symbol.dispose]());

/** The figures of an update by rows with these behaviour log-probabilities, what a second one begins from, and what is watched where nothing is learned. */
async function learned(behaviourOf: (ours: Float32Array) => Float32Array, isElsewhere: boolean) {
  const live = await openTokenModel({ backend, folder: model });
  try {
    const packed = packedWith(behaviourOf(await live.logprobs(batch, settings.temperature)));
    const watched = await compareTokens(live, packed, settings);
    const figures = await learnTokens({
      model: live,
      packed,
      settings,
      loss: { aggregation: { unit: 'token' }, ratio: 'token', klEstimator: 'k3' },
      isElsewhere,
      keepsReference: false,
      context: testContext(),
    });
    return { figures, watched, after: await live.logprobs(batch, settings.temperature) };
  } finally {
    await live.dispose();
  }
}

/** Every fourth forgotten. */
const forgetful = (logprobs: Float32Array): Float32Array =>
  logprobs.map((logprob, at) => (at % 4 === 1 ? Number.NaN : logprob));

describe('tokens without a log-probability from the sampler', () => {
  it('count as drawn by the weights before the update', async () => {
    const [known, unknown] = [await learned((ours) => ours, true), await learned(forgetful, true)];
    expect(unknown.after).toEqual(known.after);
    expect({ ...unknown.figures, 'update/logprobs-missing': 0 }).toEqual(known.figures);
    const stale = await learned((ours) => ours.map((logprob) => logprob + 0.5), true);
    expect(stale.after).not.toEqual(known.after); // what is given counts
  });

  it('appear in the statistics, and only the others are compared', async () => {
    const apart = (ours: Float32Array): Float32Array =>
      ours.map((logprob, at) => logprob - (at % 4 === 3 ? 0.5 : 0));
    const [whole, some] = [await learned(apart, true), await learned((ours) => forgetful(apart(ours)), true)];
    const missing = [...forgetful(new Float32Array(count))].filter(Number.isNaN).length;
    for (const key of ['figures', 'watched'] as const) {
      expect([whole[key]['update/logprobs-missing'], some[key]['update/logprobs-missing']]).toEqual([
        0,
        missing / count,
      ]);
      expect(some[key]['update/mismatch']).toBeCloseTo(
        ((whole[key]['update/mismatch'] ?? 0) * count) / (count - missing),
        6,
      );
    }
    const none = await learned((ours) => ours.map(() => Number.NaN), true);
    expect(none.watched).toEqual({ 'update/logprobs-missing': 1 });
    expect(none.figures['update/behaviour-gap']).toBe(0);
  });

  it('train by imitation like all others', async () => {
    const losses = [];
    for (const behaviour of [0, Number.NaN]) {
      const live = await openTokenModel({ backend, folder: model });
      const settings = {
        optimiser: { kind: 'adamw' },
        batchSteps: 2,
        learningRate: () => 3e-3,
        maxGradNorm: 1,
        weightDecay: 0,
      } as const;
      const pass = { from: passBegins, signal: new AbortController().signal };
      losses.push(
        (
          await imitateTokens({
            model: live,
            packed: packedWith(new Float32Array(count).fill(behaviour)),
            settings,
            rng: createRng(2),
            pass,
          })
        ).lossSum,
      );
      await live.dispose();
    }
    expect(losses[1]).toBe(losses[0]);
  });

  it('do not count for a local sampler, which returns all of them', async () => {
    expect((await learned((ours) => ours, false)).figures).not.toHaveProperty('update/logprobs-missing');
  });
});
