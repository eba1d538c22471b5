// Slow: a software driver takes the place of a GPU.
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backend as activeBackend } from '@tensorflow/tfjs-core';
import { afterAll, describe, expect, test } from 'vitest';
import { softwareVulkanDriver } from '../../cli/doctor/system-parts.ts';
import { RunError } from '../../envs/core/errors.ts';
import { createRng } from '../../envs/core/rng.ts';
import { DeviceLoss, type LostDevice } from '../../models/backend/device-loss.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { createChoiceModel } from '../../models/choice/choice-model.ts';
import { TokenGenerator } from '../../models/token/generate/token-generator.ts';
import { openTokenModel } from '../../models/token/open-token-model.ts';
import { testContext } from '../support/rollout.ts';
import { describeWithParts } from '../support/system-part.ts';
import { byteCodec } from '../support/token-play.ts';
import { randomBatch } from './random-batch.ts';
import { goldenFolder } from './token/golden-model.ts';
import { randomTraining } from './token/random-tokens.ts';

process.env['VK_ICD_FILENAMES'] = softwareVulkanDriver;

const root = mkdtempSync(join(tmpdir(), 'cairn-lost-gpu-'));
afterAll(() => rm(root, { recursive: true }));

describe('DeviceLoss', () => {
  const watched = (): {
    readonly loss: DeviceLoss;
    readonly lose: (device: LostDevice) => void;
    readonly fail: (thrown: Error) => void;
  } => {
    let settle: { readonly lose: (device: LostDevice) => void; readonly fail: (thrown: Error) => void } = {
      lose: () => undefined,
      fail: () => undefined,
    };
    const lost = new Promise<LostDevice>(
      (resolve, reject) => void (settle = { lose: resolve, fail: reject }),
    );
    return { loss: new DeviceLoss('backend test', lost), ...settle };
  };

  test('rejects a pending call and every later one', async () => {
    const { loss, lose } = watched();
    const waiting = loss.during(() => new Promise<never>(() => undefined));
    lose({ reason: 'unknown', message: 'VK_ERROR_DEVICE_LOST.' });
    await expect(waiting).rejects.toThrow(
      /^backend test: the GPU was lost \(unknown: VK_ERROR_DEVICE_LOST\), .* last checkpoint are complete\. Check the GPU .*--resume RUN/,
    );
    expect(() => loss.assertPresent()).toThrow(RunError);
    await expect(loss.during(() => expect.fail('it was begun'))).rejects.toThrow('the GPU was lost');
  });

  test('reports the loss for calls that fail because of it, and passes on other errors', async () => {
    const { loss, lose } = watched();
    await expect(loss.during(() => Promise.reject(new Error('other')))).rejects.toThrow('other');
    expect(await loss.during(() => Promise.resolve(3))).toBe(3);
    const failing = loss.during(() => Promise.reject(new Error('')));
    setTimeout(() => lose({ reason: '', message: ' ' }), 5);
    await expect(failing).rejects.toThrow('backend test: the GPU was lost, and all data');
  });

  test('reports the loss when the driver fails to', async () => {
    const { loss, fail } = watched();
    const waiting = loss.during(() => new Promise<never>(() => undefined));
    fail(new Error('no such event'));
    await expect(waiting).rejects.toThrow('the GPU was lost (no such event)');
  });
});

await describeWithParts(['vulkan-loader', 'software-vulkan'], 'lost GPU', () => {
  test('ends every computation on it, now and later, with an error that names it', async () => {
    const backend = await openBackend('webgpu');
    const tokens = await openTokenModel({ backend, folder: goldenFolder('qwen2') });
    const choices = createChoiceModel({
      backend,
      config: { buckets: 31, width: 3, hidden: 5 },
      rng: createRng(1),
    });
    const generator = new TokenGenerator({
      backend,
      model: tokens,
      codec: byteCodec,
      settings: { contextLength: 48, slots: 2, tokensPerPass: 8 },
    });
    const training = randomTraining(1, { rows: 3, vocabulary: 300 });
    const batch = randomBatch(2, { decisions: 3, candidates: 3, features: 4, buckets: 31 });
    const session = generator.begin();
    const use = (): readonly Promise<unknown>[] => [
      tokens.logprobs(training, 1),
      tokens.accumulate(training, { kind: 'policy', low: 0.2, high: 0.28 }, new AbortController().signal),
      choices.logprobs(batch, 1),
      session.sample(
        { prompt: [1, 2, 3], maxTokens: 30, stopTokens: [], stopTexts: [], decoding: { temperature: 1 } },
        testContext(),
      ),
    ];
    expect(await tokens.logprobs(training, 1)).toHaveLength(training.scored.length);

    const running = Promise.allSettled(use());
    await new Promise((resolve) => setTimeout(resolve, 20));
    destroyDevice();
    const gone = /^RunError: backend webgpu: the GPU was lost \(destroyed: .*\), and all data/;
    const expectGone = (ends: readonly PromiseSettledResult<unknown>[]): void => {
      for (const end of ends) expect(end.status === 'rejected' && String(end.reason)).toMatch(gone);
    };
    expectGone((await running).slice(1)); // the first may have been answered before
    expectGone(
      await Promise.allSettled([
        ...use(),
        tokens.save(join(root, 'tokens')),
        choices.save(join(root, 'choices')),
      ]),
    );
    session.end();
    await generator.dispose();
    await tokens.dispose();
    await choices.dispose();
    await expect(
      backend.read({ dtype: 'float32', size: 1, data: async () => new Float32Array(1) }),
    ).rejects.toThrow('the GPU was lost');
    expect(() => backend.run(() => expect.fail('it was run'))).toThrow('the GPU was lost');
  });
});

function destroyDevice(): void {
  const { device } = activeBackend() as unknown as { readonly device: { destroy: () => void } };
  device.destroy();
}
