// Slow: trains with up to three threads, each of which loads the network itself.
import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { memory } from '@tensorflow/tfjs-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRng } from '../../../../envs/core/rng.ts';
import type { TensorBackend } from '../../../../models/backend/backend.ts';
import { openBackend } from '../../../../models/backend/open-backend.ts';
import { loraConfigSchema } from '../../../../models/token/lora.ts';
import { openTokenModel, type AdapterChoice } from '../../../../models/token/open-token-model.ts';
import type { TokenBatch } from '../../../../models/token/token-batch.ts';
import type { TokenModel } from '../../../../models/token/token-model.ts';
import type { TokenObjectiveInput } from '../../../../models/token/token-objective.ts';
import { goldenFolder } from '../golden-model.ts';
import { batchOf, randomTraining } from '../random-tokens.ts';

const vocabulary = 300;
const objective: TokenObjectiveInput = {
  kind: 'policy',
  temperature: 1.3,
  low: 0.2,
  high: 0.28,
  ratio: 'sequence',
  klWeight: 0.1,
  entropyWeight: 0.02,
  importanceCap: 1.1,
};
const step = { learningRate: 0.01, maxGradNorm: 1, weightDecay: 0.01 };
const newAdapter: AdapterChoice = {
  kind: 'new',
  config: loraConfigSchema.parse({ rank: 2, alpha: 4, targets: ['q_proj', 'up_proj'] }),
  rng: createRng(1),
};
const { signal } = new AbortController();
const root = mkdtempSync(join(tmpdir(), 'cairn-workers-'));
afterAll(() => rm(root, { recursive: true }));

let backend: TensorBackend;
beforeAll(async () => {
  backend = await openBackend('wasm');
});

/** Passes of few tokens, so that a batch has many. */
const open = (workers: number, adapter?: AdapterChoice): Promise<TokenModel> =>
  openTokenModel({
    backend,
    folder: goldenFolder('qwen2'),
    settings: { tokensAtOnce: 20, workers },
    ...(adapter === undefined ? {} : { adapter }),
  });

const batchAt = (seed: number): ReturnType<typeof randomTraining> =>
  randomTraining(seed, { rows: 12, vocabulary });

/** Everything that updates report, and the log-probabilities after them. */
async function train(model: TokenModel, from: number, updates: number): Promise<readonly unknown[]> {
  const told: unknown[] = [];
  for (let update = from; update < from + updates; update += 1) {
    for (const part of [0, 100]) told.push(await model.accumulate(batchAt(update + part), objective, signal));
    told.push(await model.apply(step), await model.logprobs(batchAt(7), 0.7));
  }
  return told;
}

async function savedBy(model: TokenModel, name: string): Promise<ReadonlyMap<string, Buffer>> {
  await model.save(join(root, name));
  const files = (await readdir(join(root, name))).toSorted();
  return new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(join(root, name, file))] as const)),
  );
}

describe.each([
  ['all weights', undefined],
  ['an adapter', newAdapter],
] as const)('training %s', (kind, adapter) => {
  test('reports and saves the same with 1, 2 and 3 workers, and without any where passes match, even after a resume', async () => {
    const middle = (workers: number): string => join(root, `${kind}-${workers}-middle`);
    const models = await Promise.all([0, 1, 2, 3].map((workers) => open(workers, adapter)));
    const runs = await Promise.all(
      models.map(async (model, workers) => {
        await train(model, 0, 2);
        await model.save(middle(workers));
        return { told: await train(model, 2, 2), saved: await savedBy(model, `${kind}-${workers}`) };
      }),
    );
    const resumed = await Promise.all(
      models.map(async (model, workers) => {
        await model.load(middle((workers + 1) % 4));
        const told = await train(model, 2, 2);
        const saved = await savedBy(model, `${kind}-${workers}-resumed`);
        await model.dispose();
        return { told, saved };
      }),
    );
    const [alone, ...others] = [...runs, ...resumed];
    expect(alone?.saved.size).toBeGreaterThan(2);
    for (const run of others) {
      expect(run.told).toEqual(alone?.told);
      expect([...run.saved.keys()]).toEqual([...(alone?.saved.keys() ?? [])]);
      for (const [file, bytes] of run.saved) expect(alone?.saved.get(file)?.equals(bytes), file).toBe(true);
    }
  });
});

test.each([
  ['all weights', undefined],
  ['an adapter', newAdapter],
] as const)(
  'the reference is the last kept one for workers too, and for replacement workers: %s',
  async (_, adapter) => {
    const [alone, shared] = [await open(0, adapter), await open(2, adapter)];
    let own: Worker | undefined;
    process.once('worker', (thread: Worker) => (own = thread));
    const told: (readonly Float32Array[])[] = [];
    for (const model of [alone, shared]) {
      const of: Float32Array[] = [];
      if (adapter === undefined)
        await expect(model.referenceLogprobs(batchAt(7), 1)).rejects.toThrow(/no reference was kept/);
      for (let kept = 0; kept < 2; kept += 1) {
        await train(model, kept, 1);
        await model.keepReference();
        const then = await model.logprobs(batchAt(7), 0.7);
        await train(model, 5, 1);
        of.push(await model.referenceLogprobs(batchAt(7), 0.7), await model.logprobs(batchAt(7), 0.7));
        expect(of.at(-2)).toEqual(then);
        expect(of.at(-1)).not.toEqual(then);
      }
      told.push(of);
    }
    expect(told[1]).toEqual(told[0]);
    if (adapter === undefined) await own?.terminate();
    if (adapter === undefined) await expect(shared.logprobs(batchAt(7), 0.7)).rejects.toThrow(/thread ended/);
    expect(await shared.referenceLogprobs(batchAt(7), 0.7)).toEqual(told[0]?.[2]);
    await alone.dispose();
    await shared.dispose();
  },
);

test('restricted tokens, empty batches and batches without weight are processed as without workers', async () => {
  const [alone, shared] = [await open(0), await open(2)];
  const free = batchOf(Array.from({ length: 9 }, (_, row) => [5, 17 + row, 250]));
  const among = Int32Array.from({ length: free.scored.length * 2 }, (_, at) =>
    at % 2 === 0 ? (free.tokens[free.scored[at / 2] as number] as number) : 299,
  );
  const batch: TokenBatch = {
    ...free,
    allowed: {
      members: among,
      start: Int32Array.from({ length: free.scored.length + 1 }, (_, at) => 2 * at),
    },
  };
  expect(await shared.logprobs(batch, 0.8)).toEqual(await alone.logprobs(batch, 0.8));
  expect((await shared.logprobs(batchOf([[1], [2]]), 1)).length).toBe(0);
  const idle = { ...batchAt(1), weight: new Float32Array(batchAt(1).weight.length) };
  expect(await shared.accumulate(idle, objective, signal)).toEqual(
    await alone.accumulate(idle, objective, signal),
  );
  await expect(shared.apply(step)).rejects.toThrow(/no gradient/);
  await alone.dispose();
  await shared.dispose();
});

test('training with workers leaves no tensor on the model’s backend', async () => {
  const { numTensors: before } = memory();
  const model = await open(2, newAdapter);
  await train(model, 0, 1);
  const { numTensors, numBytes } = memory();
  for (let update = 0; update < 20; update += 1) await train(model, 0, 1);
  expect(memory()).toMatchObject({ numTensors, numBytes });
  await model.dispose();
  expect(memory().numTensors).toBe(before);
});
