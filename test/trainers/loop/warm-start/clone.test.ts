import { describe, expect, it } from 'vitest';
import { clone } from '../../../../trainers/loop/warm-start/clone.ts';
import { cloningBegins, type CloningState } from '../../../../trainers/run/cloning-state.ts';
import { trainConfigSchema, type TrainConfigInput } from '../../../../trainers/config/config.ts';
import { testContext } from '../../../support/rollout.ts';

const batches = 4;

/** The learning rates of the mini-batches of all passes. The policy has four per pass, and is best on `dev` after the first pass. */
async function learningRates(
  warmStart: TrainConfigInput['warmStart'],
  from: CloningState = cloningBegins,
): Promise<number[]> {
  const { warmStart: settings, update } = trainConfigSchema.parse({ env: 'household-v1', warmStart });
  const seen: number[] = [];
  await clone({
    policy: {
      imitate: async () => ({
        pass: async ({ learningRate }) => {
          for (let at = 0; at < batches; at += 1) seen.push(learningRate(at, batches));
          return { batches, of: batches, lossSum: 1, weight: 1, isWhole: true };
        },
      }),
    },
    demonstrations: [],
    settings: {
      ...settings,
      optimiser: update.optimiser,
      maxGradNorm: update.maxGradNorm,
      weightDecay: update.weightDecay,
    },
    from,
    evaluate: async (epoch) => ({
      success: { rate: epoch === 1 ? 0.1 : 0, low: 0, high: 1 },
      faults: { count: 0, retried: 0, share: 0, rateLow: 0, rateHigh: 0, excessive: false },
    }),
    keep: async () => undefined,
    restore: async () => undefined,
    onPass: async () => undefined,
    context: testContext(),
  });
  return seen;
}

const falling = { epochs: 2, evaluateEvery: 1, learningRate: 0.7, schedule: { kind: 'linear' } } as const;

describe('learning rate of cloning', () => {
  it('stays constant by default', async () => {
    expect(await learningRates({ epochs: 2, evaluateEvery: 1, learningRate: 0.7 })).toEqual(
      Array.from({ length: 2 * batches }, () => 0.7),
    );
  });

  it('follows its schedule over the mini-batches of all passes', async () => {
    expect(await learningRates(falling)).toEqual(
      [0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0].map((value) => expect.closeTo(value, 12)),
    );
  });

  it('rises over the warmup mini-batches first', async () => {
    const rates = await learningRates({ ...falling, schedule: { kind: 'linear', warmup: 3 } });
    expect(rates).toEqual(
      [1, 2, 3, 4, 3, 2, 1, 0].map((quarters) => expect.closeTo((0.7 * quarters) / 4, 12)),
    );
  });

  it('continues its schedule in a resumed run', async () => {
    const rest = await learningRates(falling, {
      ...cloningBegins,
      epoch: 1,
      evaluated: 1,
      best: 0.1,
      loss: 1,
    });
    expect(rest).toEqual((await learningRates(falling)).slice(batches));
  });

  it('falls as planned for all passes in a run that ends early', async () => {
    const whole = await learningRates({ ...falling, epochs: 4, patience: 4 });
    expect(await learningRates({ ...falling, epochs: 4, patience: 1 })).toEqual(whole.slice(0, 2 * batches));
  });
});
