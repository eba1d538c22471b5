// Slow: writes with up to three threads, each of which loads the network itself.
import type { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { memory } from '@tensorflow/tfjs-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SampledTokens, TokenRequest } from '../../../../agents/core/token-sampler.ts';
import { forkContext } from '../../../../envs/core/context.ts';
import { RunError } from '../../../../envs/core/errors.ts';
import { createRng } from '../../../../envs/core/rng.ts';
import { openBackend } from '../../../../models/backend/open-backend.ts';
import { packPass, type PassPart, type Writing } from '../../../../models/token/generate/plan-pass.ts';
import { mostSlots, splitPass } from '../../../../models/token/generate/split-pass.ts';
import { TokenGenerator } from '../../../../models/token/generate/token-generator.ts';
import { loraConfigSchema } from '../../../../models/token/lora.ts';
import { openTokenModel, type AdapterChoice } from '../../../../models/token/open-token-model.ts';
import type { TokenModel } from '../../../../models/token/token-model.ts';
import { testContext } from '../../../support/rollout.ts';
import { goldenFolder } from '../golden-model.ts';
import { randomTraining } from '../random-tokens.ts';

const vocabulary = 300;
const context = testContext();
/** Enough for three to share. */
const settings = { contextLength: 64, slots: 48, tokensPerPass: 48 };
const { signal } = new AbortController();
const newAdapter: AdapterChoice = {
  kind: 'new',
  config: loraConfigSchema.parse({ rank: 2, alpha: 4, targets: ['q_proj', 'up_proj'] }),
  rng: createRng(1),
};
const open = async (workers: number, adapter?: AdapterChoice): Promise<TokenModel> =>
  openTokenModel({
    backend: await openBackend('wasm'),
    folder: goldenFolder('qwen2'),
    settings: { workers, tokensAtOnce: 20 },
    ...(adapter === undefined ? {} : { adapter }),
  });
const generatorOf = (model: TokenModel): TokenGenerator =>
  new TokenGenerator({ backend: model.backend, model, codec: { decode: String }, settings });
const request = (prompt: readonly number[], maxTokens: number): TokenRequest => ({
  prompt,
  maxTokens,
  stopTokens: [0],
  stopTexts: [],
  decoding: { temperature: 1, topP: 0.95 },
});

/** Some turns of episodes whose prompts together are more than a pass takes. */
async function playAll(generator: TokenGenerator): Promise<readonly (readonly SampledTokens[])[]> {
  return Promise.all(
    Array.from({ length: 8 }, async (_, episode) => {
      const shown = createRng(5).fork(episode);
      const session = generator.begin();
      const turns: SampledTokens[] = [];
      let prompt: readonly number[] = Array.from({ length: 3 + (episode % 4) * 6 }, () =>
        shown.int(vocabulary),
      );
      for (let turn = 0; turn < 3; turn += 1) {
        using step = forkContext(context, `${episode}/${turn}`);
        const sampled = await session.sample(request(prompt, 6), step);
        turns.push(sampled);
        prompt = [...prompt, ...sampled.tokens, 1 + shown.int(vocabulary - 1)];
      }
      session.end();
      return turns;
    }),
  );
}

async function update(model: TokenModel): Promise<void> {
  await model.accumulate(randomTraining(1, { rows: 12, vocabulary }), { kind: 'imitate' }, signal);
  await model.apply({ learningRate: 0.05, maxGradNorm: 1 });
}

let threads: Worker[] = [];
/** Those that have written. */
let sharing: Worker[] = [];
const note = (thread: Worker): void => {
  threads.push(thread);
  thread.on(
    'message',
    ({ kind }: { readonly kind: string }) => void (kind === 'written' && sharing.push(thread)),
  );
};
beforeEach(() => {
  [threads, sharing] = [[], []];
  process.on('worker', note);
});
afterEach(() => void process.off('worker', note));

test.each([
  ['all weights', undefined],
  ['an adapter', newAdapter],
] as const)(
  'generation is the same with 0 to 3 workers, even after the weights have moved: %s',
  async (_, adapter) => {
    const written = await Promise.all(
      [0, 1, 2, 3].map(async (workers) => {
        const model = await open(workers, adapter);
        const generator = generatorOf(model);
        const before = await playAll(generator);
        await update(model);
        const after = await playAll(generator);
        await generator.dispose();
        await model.dispose();
        return { before, after };
      }),
    );
    expect(threads.length).toBe(6);
    expect(new Set(sharing).size).toBe(5); // of 2 and of 3 workers all, of one alone none: that model writes by itself
    expect(written[0]?.after).not.toEqual(written[0]?.before);
    for (const with_ of written.slice(1)) expect(with_).toEqual(written[0]);
  },
);

describe('workers of a generator', () => {
  const failureOf = async (work: Promise<unknown>): Promise<string> => {
    const thrown = await work.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(RunError.is(thrown), String(thrown)).toBe(true);
    return String(thrown);
  };

  test('fail the current requests when one is killed, and later requests run as if nothing happened', async () => {
    const before = memory().numTensors;
    const [model, alone] = [await open(2), await open(0)];
    const [generator, other] = [generatorOf(model), generatorOf(alone)];
    await playAll(generator);
    const session = generator.begin();
    const running = session.sample(request([5, 6, 7], 50), context);
    for (const thread of threads.slice()) thread.once('message', () => void thread.terminate()); // whichever has its slot
    expect(await failureOf(running)).toMatch(
      /^RunError: generation, worker [12] of 2: its thread ended before its answer/,
    );
    session.end();
    expect(await playAll(generator)).toEqual(await playAll(other));
    expect(threads.length).toBe(4);
    for (const held of [generator, other, model, alone]) await held.dispose();
    expect(memory().numTensors).toBe(before);
  });

  test('lose their caches when they end in training, which the next request reports', async () => {
    const model = await open(2);
    const generator = generatorOf(model);
    const session = generator.begin();
    const { tokens } = await session.sample(request([5, 6, 7], 6), context);
    await threads[1]?.terminate();
    expect(await failureOf(model.logprobs(randomTraining(1, { rows: 12, vocabulary }), 1))).toMatch(
      /worker 2 of 2/,
    );
    expect(await failureOf(session.sample(request([5, 6, 7, ...tokens, 8], 6), context))).toMatch(
      /the workers that held keys and values were ended meanwhile/,
    );
    const again = await session.sample(request([5, 6, 7, ...tokens, 8], 6), context);
    expect(again.tokens.length).toBeGreaterThan(0);
    await generator.dispose();
    await model.dispose();
  });
});

test('a pass is divided by slots: every token once, with the rows of its part, and places find their rows', () => {
  const rowsOfSlot = 7;
  const writings = fc.uniqueArray(
    fc.record({
      slot: fc.nat(9),
      held: fc.nat(5),
      count: fc.integer({ min: 1, max: 3 }),
      more: fc.boolean(),
    }),
    { selector: ({ slot }) => slot, minLength: 1, maxLength: 10 },
  );
  fc.assert(
    fc.property(writings, fc.integer({ min: 1, max: 4 }), (of, count) => {
      const passParts: PassPart<Writing>[] = of.map(({ slot, held, count: fresh, more }) => {
        const fitting = Math.min(fresh, rowsOfSlot - held);
        const tokens = Array.from(
          { length: held + fitting + (more ? 1 : 0) },
          (_, place) => 100 * slot + place,
        );
        return {
          writing: {
            slot: { firstRow: slot * rowsOfSlot, tokens: tokens.slice(0, held), version: 0 },
            tokens,
            isBegun: true,
          },
          count: fitting,
        };
      });
      const { packed, places } = packPass(passParts);
      const { parts, owners } = splitPass(packed, places, { rowsOfSlot, count });
      expect(parts.length).toBe(count);
      expect(parts.flatMap((part) => [...part.packed.ids]).toSorted((a, b) => a - b)).toEqual(
        [...packed.ids].toSorted((a, b) => a - b),
      );
      const taken = parts.map(() => 0);
      const asked = owners.map((owner) => {
        const part = parts[owner];
        const row = taken[owner] as number;
        taken[owner] = row + 1;
        return part?.packed.ids[part.places[row] as number];
      });
      expect(asked).toEqual([...places].map((place) => packed.ids[place]));
      const rowsOfSlots = new Map<number, string>();
      for (const [owner, part] of parts.entries()) {
        for (const [at, id] of part.packed.ids.entries()) {
          const [slot, place] = [Math.floor(id / 100), id % 100];
          expect([
            part.packed.positions[at],
            (part.packed.until[at] as number) - (part.packed.from[at] as number),
          ]).toEqual([place, place]);
          expect(part.packed.until[at]).toBeLessThan(mostSlots(10, count) * rowsOfSlot);
          rowsOfSlots.set(slot, `${owner}/${part.packed.from[at]}`);
        }
      }
      expect(new Set(rowsOfSlots.values()).size).toBe(rowsOfSlots.size);
    }),
  );
});
