import { memory } from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTokenAgent } from '../../../../agents/policy/token.ts';
import type { SampledTokens, TokenRequest, TokenSession } from '../../../../agents/core/token-sampler.ts';
import { loadPrompt } from '../../../../agents/prompt/load-prompt.ts';
import { runEpisode } from '../../../../agents/rollout/episode.ts';
import { FaultError, RunError, UsageError } from '../../../../envs/core/errors.ts';
import type { GenerationSettingsInput } from '../../../../models/token/generate/generation-settings.ts';
import { TokenGenerator } from '../../../../models/token/generate/token-generator.ts';
import { corridorText } from '../../../support/corridor.ts';
import { corridorStage, episodePlan, testContext } from '../../../support/rollout.ts';
import { byteCodec, byteGuard, endToken, templates } from '../../../support/token-play.ts';
import { closeModel } from '../golden-model.ts';
import { liveConfig, mostLikelyAnew, openLive, type LiveModel } from './live-model.ts';

const context = testContext();
const settings: GenerationSettingsInput = { contextLength: 48, slots: 2, tokensPerPass: 4 };
const promptOf = (length: number, from = 0): readonly number[] =>
  Array.from({ length }, (_, index) => 1 + ((7 * index * index + from) % (liveConfig.vocabulary - 1)));
const request = (prompt: readonly number[], over: Partial<TokenRequest> = {}): TokenRequest => ({
  prompt,
  maxTokens: 3,
  stopTokens: [],
  stopTexts: [],
  decoding: { temperature: 0 },
  ...over,
});
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('it was answered'),
    (thrown: unknown) => thrown,
  );

let live: LiveModel;
beforeAll(async () => {
  live = await openLive('wasm');
});
beforeEach(() => {
  live.passes = 0;
  live.during = () => undefined;
});
afterAll(() => closeModel(live.transformer));

async function withGenerator<T>(
  body: (generator: TokenGenerator) => Promise<T>,
  over: Partial<GenerationSettingsInput> = {},
): Promise<T> {
  const before = memory().numTensors;
  const generator = new TokenGenerator({
    backend: live.backend,
    model: live,
    codec: byteCodec,
    settings: { ...settings, ...over },
  });
  try {
    return await body(generator);
  } finally {
    await generator.dispose();
    expect(memory().numTensors).toBe(before);
  }
}

describe('passes of a generator', () => {
  it('compute a prompt in parts, and only the new tokens of the next one', () =>
    withGenerator(async (generator) => {
      const session = generator.begin();
      const first = await session.sample(request(promptOf(20)), context);
      expect(live.passes).toBe(5 + 2);
      const next = [...promptOf(20), ...first.tokens, 5, 6];
      live.passes = 0;
      const second = await session.sample(request(next), context);
      expect(live.passes).toBe(1 + 2); // the last token written, and two more
      expect(second.tokens).toEqual(await mostLikelyAnew(live, request(next)));
      live.passes = 0;
      const other = [...promptOf(10), 3, 3, 3];
      expect((await session.sample(request(other), context)).tokens).toEqual(
        await mostLikelyAnew(live, request(other)),
      );
      expect(live.passes).toBe(1 + 2);
      live.passes = 0;
      expect((await session.sample(request(other), context)).tokens).toEqual(
        await mostLikelyAnew(live, request(other)),
      );
      expect(live.passes).toBe(1 + 2); // the same again: the last token alone
    }));

  it('reuse for a new episode the prefix that an earlier one left', () =>
    withGenerator(async (generator) => {
      const [first, second, third] = [generator.begin(), generator.begin(), generator.begin()];
      await Promise.all([
        first.sample(request(promptOf(20)), context),
        second.sample(request(promptOf(20, 9)), context),
      ]);
      first.end();
      second.end();
      live.passes = 0;
      const prompt = [...promptOf(20, 9), 4];
      expect((await third.sample(request(prompt), context)).tokens).toEqual(
        await mostLikelyAnew(live, request(prompt)),
      );
      expect(live.passes).toBe(1 + 2);
    }));

  it('serve all requests of one turn of the event loop, and a long prompt delays no writer', () =>
    withGenerator(async (generator) => {
      const [first, second] = [generator.begin(), generator.begin()];
      const order: string[] = [];
      const note = (name: string) => (): void => void order.push(`${name} after ${live.passes}`);
      await Promise.all([
        first.sample(request(promptOf(2), { maxTokens: 5 }), context).then(note('short')),
        second.sample(request(promptOf(25, 3), { maxTokens: 1 }), context).then(note('long')),
      ]);
      expect(order).toEqual(['short after 5', 'long after 8']); // 2 and 2, then 1 and 3 four times, then 4 at a time
    }));

  it('do not run when only one sequence may be written', () =>
    withGenerator(async (generator) => {
      const written = await generator.begin().sample(request(promptOf(5), { allowed: [[3, 4]] }), context);
      expect(written).toEqual({ tokens: [3, 4], logprobs: [0, 0], finish: 'stop', version: live.version });
      expect(live.passes).toBe(0);
    }));
});

describe('slots of a generator', () => {
  const take = (session: TokenSession, from: number): Promise<SampledTokens> =>
    session.sample(request(promptOf(6, from)), context);

  it('serve waiting requests in order, and become free as soon as an episode ends', () =>
    withGenerator(async (generator) => {
      const order: number[] = [];
      const episode = async (number: number): Promise<void> => {
        const session = generator.begin();
        for (let turn = 0; turn < 3; turn += 1)
          await session.sample(request([...promptOf(6, number), ...promptOf(turn)]), context);
        order.push(number);
        session.end();
      };
      await Promise.all([0, 1, 2, 3, 4, 5].map(episode));
      expect(order).toEqual([0, 1, 2, 3, 4, 5]);
    }));

  it('move to a waiting request from the least recent idle episode, which then recomputes', () =>
    withGenerator(async (generator) => {
      const sessions = [generator.begin(), generator.begin(), generator.begin()] as const;
      await take(sessions[0], 0);
      await take(sessions[1], 1);
      await take(sessions[0], 0);
      await take(sessions[2], 2); // in the slot of the second
      live.passes = 0;
      await take(sessions[0], 0);
      expect(live.passes).toBe(1 + 2);
      live.passes = 0;
      expect((await take(sessions[1], 1)).tokens).toEqual(
        await mostLikelyAnew(live, request(promptOf(6, 1))),
      );
      expect(live.passes).toBe(2 + 2);
    }));
});

describe('weights that change', () => {
  const during = async (generator: TokenGenerator, prompt: readonly number[]) => {
    const session = generator.begin();
    const first = await session.sample(request(prompt), context);
    await live.update(5);
    live.passes = 0;
    const next = [...prompt, ...first.tokens, 5];
    const second = await session.sample(request(next), context);
    return { first, second, passes: live.passes, anew: await mostLikelyAnew(live, request(next)) };
  };

  it('apply from the next prompt, which is recomputed', () =>
    withGenerator(async (generator) => {
      const { first, second, passes, anew } = await during(generator, promptOf(12));
      expect([second.version - first.version, second.version, passes]).toEqual([1, live.version, 4 + 2]);
      expect(second.tokens).toEqual(anew);
    }));

  it('apply from the next token when the cache is kept, and the oldest version is reported', () =>
    withGenerator(
      async (generator) => {
        const { first, second, passes } = await during(generator, promptOf(12));
        expect([second.version, passes]).toEqual([first.version, 1 + 2]);
      },
      { onNewWeights: 'keep' },
    ));

  it('keep the cache within a reply, which reports the oldest version, and recompute within a prompt', () =>
    withGenerator(async (generator) => {
      const before = live.version;
      const session = generator.begin();
      const writing = session.sample(request(promptOf(3), { maxTokens: 30 }), context);
      while (live.passes < 4) await new Promise((resolve) => setImmediate(resolve));
      const reading = generator.begin().sample(request(promptOf(20)), context);
      while (live.passes < 6) await new Promise((resolve) => setImmediate(resolve));
      await live.update(7);
      expect((await reading).version).toBe(before + 1);
      expect((await reading).tokens).toEqual(await mostLikelyAnew(live, request(promptOf(20))));
      expect((await writing).version).toBe(before);
    }));
});

describe('TokenGenerator with faulty passes and requests', () => {
  it('reports the request with non-finite logits, while others continue', () =>
    withGenerator(async (generator) => {
      const embedding = new Float32Array(liveConfig.vocabulary * liveConfig.width).fill(0.1);
      embedding.fill(Number.NaN, 9 * liveConfig.width, 10 * liveConfig.width);
      await live.update(3, (values) => (values.length === embedding.length ? embedding : values));
      const error = await errorOf(generator.begin().sample(request([9, 2]), context));
      expect(RunError.is(error) && error.message).toContain('the logit of token');
      await live.update(3);
      const { tokens } = await generator.begin().sample(request([9, 2]), context);
      expect(tokens).toEqual(await mostLikelyAnew(live, request([9, 2])));
    }));

  it('reports a failed pass with the fix, and the next one starts afresh', () =>
    withGenerator(async (generator) => {
      const session = generator.begin();
      await session.sample(request(promptOf(9)), context);
      live.failure = new Error('the GPU is gone');
      const error = await errorOf(session.sample(request(promptOf(9)), context));
      live.failure = undefined;
      expect(RunError.is(error) && error.message).toBe(
        'generation: a pass failed (the GPU is gone). Where memory is short, lower slots, contextLength or tokensPerPass, or take a smaller model.',
      );
      expect((await session.sample(request(promptOf(9)), context)).tokens).toEqual(
        await mostLikelyAnew(live, request(promptOf(9))),
      );
    }));

  it.each([
    [
      { cacheBytes: 20_000 },
      'the keys and values of 2 episodes at once, with 48 tokens each, take 24.0 KiB, more than the 19.5 KiB at hand. Give --slots 1, or --context-length 39 or less',
    ],
    [{ cacheBytes: 10_000 }, 'Give --context-length 19 or less'],
    [{ contextLength: 129 }, 'contextLength: 129 tokens are more than the 128 that the model was made for.'],
    [{ slots: 5 }, 'tokensPerPass'],
  ])('refuses the options %j before any allocation', (over, message) => {
    const before = memory().numTensors;
    expect(
      () =>
        new TokenGenerator({
          backend: live.backend,
          model: live,
          codec: byteCodec,
          settings: { ...settings, ...over },
        }),
    ).toThrow(message);
    expect(memory().numTensors).toBe(before);
  });

  it.each([
    [{ prompt: [] }, 'prompt of a request of : it is empty.'],
    [{ prompt: promptOf(48) }, 'its 48 tokens leave no room in a context of 48.'],
    [{ prompt: [1, 37] }, 'the model has no token 37: its vocabulary has 37.'],
    [{ maxTokens: 0 }, 'maxTokens'],
    [{ decoding: { temperature: -1 } }, 'temperature'],
    [{ decoding: { temperature: 1, topK: 0 } }, 'topK'],
    [{ decoding: { temperature: 1, topP: 0 } }, 'topP'],
    [{ decoding: { temperature: 1, minP: 2 } }, 'minP'],
    [{ allowed: [] }, 'allowed'],
    [{ allowed: [[1], [-2]] }, 'the model has no token -2'],
  ])('refuses the request %j', (over, message) =>
    withGenerator(async (generator) => {
      const error = await errorOf(generator.begin().sample(request([1], over), context));
      expect(UsageError.is(error) && error.message).toContain(message);
    }),
  );
});

describe('TokenGenerator, ending requests and episodes', () => {
  /** In the middle of that pass. */
  const during = (pass: number, act: () => void): Promise<void> =>
    new Promise((resolve) => {
      live.during = () => {
        if (live.passes !== pass) return;
        act();
        resolve();
      };
    });

  it.each(['at once', 'while it waits', 'during a pass'])(
    'ends a request that is aborted %s, and disturbs no other',
    (moment) =>
      withGenerator(
        async (generator) => {
          const controller = new AbortController();
          const aborted = testContext({ signal: controller.signal });
          const [first, second] = [generator.begin(), generator.begin()];
          const other =
            moment === 'while it waits'
              ? first.sample(request(promptOf(4), { maxTokens: 20 }), context)
              : undefined;
          if (moment === 'at once') controller.abort(new Error('enough'));
          const asked = errorOf(second.sample(request(promptOf(9, 2), { maxTokens: 20 }), aborted));
          if (moment !== 'at once') await during(5, () => controller.abort(new Error('enough')));
          expect(await asked).toEqual(new Error('enough'));
          if (other !== undefined)
            expect((await other).tokens).toEqual(
              await mostLikelyAnew(live, request(promptOf(4), { maxTokens: 20 })),
            );
          first.end();
          const again = [...promptOf(9, 2), 4];
          expect((await second.sample(request(again), context)).tokens).toEqual(
            await mostLikelyAnew(live, request(again)),
          );
        },
        { slots: 1 },
      ),
  );

  it('ends an episode during a pass, and another takes its slot', () =>
    withGenerator(
      async (generator) => {
        const [first, second] = [generator.begin(), generator.begin()];
        const asked = errorOf(first.sample(request(promptOf(9), { maxTokens: 20 }), context));
        const other = second.sample(request(promptOf(9, 5)), context);
        await during(4, () => first.end());
        const error = await asked;
        expect(FaultError.is(error) && error.fault).toEqual({
          kind: 'sampler-failed',
          message: ': the episode ended while tokens were written for it',
          retryable: false,
        });
        expect((await other).tokens).toEqual(await mostLikelyAnew(live, request(promptOf(9, 5))));
        expect(UsageError.is(await errorOf(first.sample(request([1]), context)))).toBe(true);
      },
      { slots: 1 },
    ));

  it('ends an episode during the pass that would end its reply, and frees all memory', () =>
    withGenerator(async (generator) => {
      const before = memory().numTensors;
      const session = generator.begin();
      const asked = errorOf(session.sample(request(promptOf(3), { maxTokens: 1 }), context));
      await during(1, () => session.end());
      expect(FaultError.is(await asked)).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(memory().numTensors).toBe(before);
    }));

  it('ends all running requests when it is disposed', () =>
    withGenerator(async (generator) => {
      const session = generator.begin();
      const asked = errorOf(session.sample(request(promptOf(9), { maxTokens: 20 }), context));
      const twice = await errorOf(session.sample(request(promptOf(9)), context));
      expect(UsageError.is(twice) && twice.message).toContain('while it is being answered');
      let disposed: Promise<void> | undefined;
      await during(3, () => void (disposed = generator.dispose()));
      await disposed;
      expect(FaultError.is(await asked)).toBe(true);
      expect(() => generator.begin()).toThrow('an episode begins after dispose()');
    }));

  it('ends 200 requests without more tensors than after the first', () =>
    withGenerator(async (generator) => {
      const counts = new Set<string>();
      const keeps = generator.begin();
      await keeps.sample(request(promptOf(3)), context);
      for (let round = 0; round < 200; round += 1) {
        const session = generator.begin();
        await session.sample(request(promptOf(3 + (round % 7), round), { maxTokens: 2 }), context);
        session.end();
        counts.add(`${memory().numTensors} tensors, ${memory().numBytes} bytes`);
      }
      expect([...counts]).toHaveLength(1);
    }));
});

describe('episode of a token agent on a small model', () => {
  it('plays restricted and free, and frees its memory', async () => {
    const bytes = { ...liveConfig, vocabulary: 259, longestContext: 2_048 };
    const nano = await openLive('wasm', bytes);
    const before = memory().numTensors;
    const generator = new TokenGenerator({
      backend: nano.backend,
      model: nano,
      codec: byteCodec,
      settings: { contextLength: 2_048, slots: 2 },
    });
    const stage = await corridorStage();
    const play = async (restricted: boolean) => {
      const agent = createTokenAgent({
        id: 'nano',
        sampler: generator,
        codec: byteCodec,
        guard: byteGuard,
        template: templates.plain,
        prompt: await loadPrompt('terse'),
        text: corridorText,
        view: { admissible: true, history: 'all' },
        decoding: { temperature: 1 },
        maxTokens: 40,
        stopTokens: [endToken],
        restricted,
      });
      return runEpisode(episodePlan(stage, { agent }), context);
    };
    const [restricted, free, again] = await Promise.all([play(true), play(false), play(true)]);
    expect([restricted, free].map(({ stop }) => stop.kind)).not.toContain('faulted');
    expect(restricted.steps.length).toBeGreaterThan(1);
    expect(
      restricted.steps.every(
        ({ verdict, policyVersion }) => verdict === 'admissible' && policyVersion === nano.version,
      ),
    ).toBe(true);
    expect(free.steps.length).toBeGreaterThan(0);
    expect(restricted.steps).toEqual(again.steps);
    await stage.envs.close();
    await generator.dispose();
    expect(memory().numTensors).toBe(before);
    closeModel(nano.transformer);
  });
});
