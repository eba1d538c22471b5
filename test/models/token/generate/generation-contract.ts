import { memory } from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SampledTokens, TokenDecoding, TokenRequest } from '../../../../agents/core/token-sampler.ts';
import { forkContext } from '../../../../envs/core/context.ts';
import { createRng } from '../../../../envs/core/rng.ts';
import type { BackendName } from '../../../../models/backend/backend.ts';
import { TokenGenerator } from '../../../../models/token/generate/token-generator.ts';
import { scoreHidden } from '../../../../models/token/head.ts';
import { forward } from '../../../../models/token/network.ts';
import { packRows } from '../../../../models/token/packed-tokens.ts';
import { testContext } from '../../../support/rollout.ts';
import { closeModel, openGolden } from '../golden-model.ts';
import { mostLikelyAnew, openLive, type LiveModel } from './live-model.ts';

/** What generation must give on a backend. */
export function generationContract(options: {
  readonly backend: BackendName;
  readonly episodes: number;
  readonly turns: number;
  readonly maxTokens: number;
  readonly isExact: boolean;
}): void {
  let live: LiveModel;
  const context = testContext();
  beforeAll(async () => {
    live = await openLive(options.backend);
  });
  afterAll(() => closeModel(live.transformer));

  const settings = {
    contextLength: 64,
    slots: options.episodes,
    tokensPerPass: Math.max(12, options.episodes),
  };
  const request = (prompt: readonly number[], decoding: TokenDecoding): TokenRequest => ({
    prompt,
    maxTokens: options.maxTokens,
    stopTokens: [0],
    stopTexts: [],
    decoding,
  });
  const generator = (over: Partial<typeof settings> = {}): TokenGenerator =>
    new TokenGenerator({
      backend: live.backend,
      model: live,
      codec: { decode: String },
      settings: { ...settings, ...over },
    });

  /** Some turns of an episode: what it wrote, and what it is shown next, become the next prompt. */
  const play = async (
    sampler: TokenGenerator,
    episode: number,
    decoding: TokenDecoding,
  ): Promise<readonly (readonly [prompt: readonly number[], sampled: SampledTokens])[]> => {
    const { vocabulary } = live.transformer.config;
    const shown = createRng(5).fork(episode);
    const session = sampler.begin();
    const turns: (readonly [readonly number[], SampledTokens])[] = [];
    let prompt: readonly number[] = Array.from({ length: 3 + (episode % 5) * 6 }, () =>
      shown.int(vocabulary),
    );
    for (let turn = 0; turn < options.turns; turn += 1) {
      using step = forkContext(context, `${episode}/${turn}`);
      const sampled = await session.sample(request(prompt, decoding), step);
      turns.push([prompt, sampled]);
      prompt = [
        ...prompt,
        ...sampled.tokens,
        ...Array.from({ length: 1 + shown.int(3) }, () => shown.int(vocabulary)),
      ];
    }
    session.end();
    return turns;
  };
  const playAll = async (decoding: TokenDecoding, over: Partial<typeof settings> = {}) => {
    const sampler = generator(over);
    const played = await Promise.all(
      Array.from({ length: options.episodes }, (_, episode) => play(sampler, episode, decoding)),
    );
    await sampler.dispose();
    return played;
  };

  test('writes at temperature 0, cached and batched, the tokens of whole forward passes', async () => {
    for (const [prompt, { tokens }] of (await playAll({ temperature: 0 })).flat()) {
      expect(tokens).toEqual(await mostLikelyAnew(live, request(prompt, { temperature: 0 })));
    }
  });

  test('writes with an adapter the tokens of whole forward passes, transposed factors included', async () => {
    const model = await openGolden(live.backend, 'llama', { adapter: true });
    const sampler = new TokenGenerator({
      backend: live.backend,
      model: { version: 0, transformer: model, exclusively: (work) => work() },
      codec: { decode: String },
      settings,
    });
    const asked = request([5, 299, 17], { temperature: 0 });
    const { tokens } = await sampler.begin().sample(asked, context);
    expect(tokens).toEqual(await mostLikelyAnew({ backend: live.backend, transformer: model }, asked));
    expect(tokens).not.toEqual(
      await mostLikelyAnew({ backend: live.backend, transformer: { ...model, adapter: undefined } }, asked),
    );
    await sampler.dispose();
    closeModel(model);
  });

  test('returns the log-probabilities that training computes for its tokens', async () => {
    const temperature = 0.7;
    for (const [prompt, { tokens, logprobs }] of (await playAll({ temperature })).flat()) {
      const places = Int32Array.from(tokens, (_, index) => prompt.length - 1 + index);
      const scored = live.backend.run(() => {
        const { hidden } = forward(live.transformer, packRows([[...prompt, ...tokens]]), { recompute: true });
        return scoreHidden(live.transformer, hidden, {
          places,
          targets: Int32Array.from(tokens),
          temperature,
        }).logprob;
      });
      const expected = await live.backend.read(scored);
      scored.dispose();
      expect(
        Math.max(
          ...logprobs.map((logprob, index) =>
            Math.abs((logprob ?? Number.NaN) - (expected[index] as number)),
          ),
        ),
      ).toBeLessThan(1e-4);
    }
  });

  if (options.isExact) {
    test('writes the same bits however batches are shared, slots are limited and prompts are cut', async () => {
      const decoding = { temperature: 1, topP: 0.9 };
      const together = await playAll(decoding);
      for (const [episode, played] of together.entries()) {
        const alone = generator({ slots: 1 });
        expect(await play(alone, episode, decoding)).toEqual(played);
        await alone.dispose();
      }
      expect(await playAll(decoding, { slots: 3, tokensPerPass: 3 })).toEqual(together);
      expect(new Set(together.map((played) => JSON.stringify(played[0]?.[1].tokens))).size).toBeGreaterThan(
        options.episodes / 4,
      );
    });
  }

  test('leaves no tensor behind, and frees its memory when no episode is live', async () => {
    const before = memory();
    const sampler = generator();
    const counts = new Set<number>();
    const held = sampler.begin();
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(
        Array.from({ length: options.episodes }, (_, episode) => play(sampler, episode, { temperature: 1 })),
      );
      counts.add(memory().numTensors);
    }
    expect(counts.size).toBe(1);
    expect(Math.max(...counts)).toBeGreaterThan(before.numTensors);
    held.end();
    await expect
      .poll(() => [memory().numTensors, memory().numBytes])
      .toEqual([before.numTensors, before.numBytes]);
    await sampler.dispose();
  });
}
