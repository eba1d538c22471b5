// Slow: starts some twenty threads, each of which loads the network itself.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { memory } from '@tensorflow/tfjs-core';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { RunError, UsageError } from '../../../../envs/core/errors.ts';
import { openBackend } from '../../../../models/backend/open-backend.ts';
import { readWeights, uploadTensors } from '../../../../models/token/checkpoint.ts';
import { openTokenModel } from '../../../../models/token/open-token-model.ts';
import { TokenModel } from '../../../../models/token/token-model.ts';
import type { TokenObjectiveInput } from '../../../../models/token/token-objective.ts';
import { readTransformerConfig } from '../../../../models/token/transformer-config.ts';
import { weightShapes } from '../../../../models/token/weight-layout.ts';
import { goldenFolder } from '../golden-model.ts';
import { randomTraining } from '../random-tokens.ts';

const clipped: TokenObjectiveInput = { kind: 'policy', low: 0.2, high: 0.28, entropyWeight: 0.01 };
const step = { learningRate: 0.01, maxGradNorm: 1 };
const { signal } = new AbortController();
/** Many passes: of the first ones no worker can be left out. */
const training = randomTraining(1, { rows: 150, vocabulary: 300 });

/** Threads that were started, and how many have ended. */
let threads: Worker[] = [];
let ended = 0;
const note = (thread: Worker): void => {
  threads.push(thread);
  thread.once('exit', () => (ended += 1));
};
beforeEach(() => {
  [threads, ended] = [[], 0];
  process.on('worker', note);
});
afterEach(() => void process.off('worker', note));

const open = async (workers = 3): Promise<TokenModel> =>
  openTokenModel({
    backend: await openBackend('wasm'),
    folder: goldenFolder('qwen2'),
    settings: { tokensAtOnce: 20, workers },
  });

async function failureOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(RunError.is(thrown), String(thrown)).toBe(true);
  return String(thrown);
}

/** Once so many passes of the thread have been answered. */
async function answersOf(thread: Worker | undefined, count: number): Promise<void> {
  for (let answer = 0; answer < count; answer += 1) await once(thread as Worker, 'message');
}

describe('token model with a faulty worker', () => {
  test.each<readonly [string, (thread: Worker) => unknown, RegExp]>([
    [
      'is killed',
      (thread) => thread.terminate(),
      /^RunError: batch 2 after version 1, worker 2 of 3: its thread ended before its answer \(exit code 1\); the weights have not been moved, and the other workers have been ended\. Where memory is short, take fewer workers/,
    ],
    [
      'throws',
      (thread) => thread.postMessage({ kind: 'learn', rows: Int32Array.of(0) }),
      /^RunError: batch 2 after version 1, worker 2 of 3: it failed \(Cannot /,
    ],
    [
      'fails outside its work, as with a full heap',
      (thread) =>
        thread.emit(
          'error',
          new Error('Worker terminated due to reaching memory limit: JS heap out of memory'),
        ),
      /worker 2 of 3: its thread failed \(Worker terminated due to reaching memory limit/,
    ],
  ])(
    'names a worker that %s in the middle of a batch, ends the others, and continues unchanged with new ones',
    async (_, harm, message) => {
      const [model, unharmed] = [await open(), await open(0)];
      for (const one of [model, unharmed]) {
        await one.accumulate(training, clipped, signal);
        await one.apply(step);
      }
      await unharmed.accumulate(training, clipped, signal);
      const before = memory().numTensors;
      const own = threads.slice(0, 3);
      await model.accumulate(training, clipped, signal); // which is lost with the next
      const running = model.accumulate(training, clipped, signal);
      await Promise.race(own.map((thread) => once(thread, 'message'))); // no later: on a busy machine the others may do all the work of one that waits
      await harm(own[1] as Worker);
      expect(await failureOf(running)).toMatch(message);
      expect(ended).toBe(3);
      expect(memory().numTensors).toBeLessThan(before + 1);
      await expect(model.apply(step)).rejects.toThrow(/no gradient has accumulated/);
      expect(await model.accumulate(training, clipped, signal)).toMatchObject({
        count: expect.any(Number) as number,
      });
      expect(threads.length).toBe(6);
      expect(await model.apply(step)).toEqual(await unharmed.apply(step));
      expect(await model.logprobs(training, 1)).toEqual(await unharmed.logprobs(training, 1));
      await Promise.all([model.dispose(), unharmed.dispose()]);
      expect(ended).toBe(6);
    },
  );

  test('names in the next batch a worker that was lost between two', async () => {
    const model = await open();
    await model.logprobs(training, 1);
    await threads[2]?.terminate();
    expect(await failureOf(model.logprobs(training, 1))).toMatch(
      /batch scored at version 0, worker 3 of 3: its thread ended before its answer/,
    );
    await model.logprobs(training, 1);
    await model.dispose();
    expect([threads.length, ended]).toEqual([6, 6]);
  });

  test('ends all workers when one cannot start', async () => {
    const model = await open();
    process.once('worker', () => process.once('worker', (thread: Worker) => void thread.terminate()));
    expect(await failureOf(model.accumulate(training, clipped, signal))).toMatch(
      /batch 1 after version 0, worker 2 of 3: its thread ended/,
    );
    expect([threads.length, ended]).toEqual([3, 3]);
    await model.dispose();
  });

  test('abandons all workers when one does not start in time', async () => {
    const model = await open();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const failed = failureOf(model.logprobs(training, 1));
      await vi.waitUntil(() => threads.length === 3);
      vi.advanceTimersByTime(300_000);
      expect(await failed).toMatch(/batch scored at version 0, worker 1 of 3: it did not begin within 300 s/);
    } finally {
      vi.useRealTimers();
    }
    expect(ended).toBe(3);
    await model.logprobs(training, 1);
    await model.dispose();
  });
});

test('a non-finite number is named as without workers, the first of the batch, and workers stay alive', async () => {
  const backend = await openBackend('wasm');
  const config = await readTransformerConfig(goldenFolder('qwen2'));
  const said: string[] = [];
  for (const workers of [0, 2]) {
    const weights: Record<string, Float32Array> = {};
    for await (const [name, values] of readWeights(goldenFolder('qwen2'), config)) weights[name] = values;
    weights['model.embed_tokens.weight']?.fill(Number.NaN, 77 * config.width, 78 * config.width); // token 77
    const transformer = {
      config,
      weights: await uploadTensors(backend, weightShapes(config), Object.entries(weights)),
      adapter: undefined,
    };
    const model = new TokenModel({
      backend,
      transformer,
      baseModel: { name: 'test' },
      settings: { tokensAtOnce: 20, workers },
    });
    for (const work of [model.accumulate(training, clipped, signal), model.logprobs(training, 1)])
      said.push(await failureOf(work));
    if (workers > 0) expect(ended).toBe(0);
    await model.dispose();
  }
  expect(said[0]).toMatch(/batch 1 after version 0, logprobs of scored token \d+: a value is NaN/);
  expect(said.slice(2)).toEqual(said.slice(0, 2));
  expect(ended).toBe(2);
});

test('an abort stops between two passes and leaves nothing, and workers stay alive', async () => {
  const model = await open(2);
  await model.logprobs(training, 1);
  const controller = new AbortController();
  const running = model.accumulate(training, clipped, controller.signal);
  let passes = 0;
  for (const thread of threads) thread.on('message', () => (passes += 1));
  await answersOf(threads[0], 2);
  controller.abort(new Error('stop'));
  await expect(running).rejects.toThrow('stop');
  expect(passes).toBeLessThan(30); // of 40 and more
  await expect(model.apply(step)).rejects.toThrow(/no gradient/);
  expect(await model.accumulate(training, clipped, signal)).toMatchObject({
    meanRatio: expect.any(Number) as number,
  });
  expect([threads.length, ended]).toEqual([2, 0]);
  await model.dispose();
});

test('dispose waits for running work, and a process without it exits too', async () => {
  const model = await open(2);
  const running = model.accumulate(training, clipped, signal);
  await model.dispose();
  await running;
  expect([threads.length, ended]).toEqual([2, 2]);

  const folder = mkdtempSync(join(tmpdir(), 'cairn-forgetful-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const built = new URL('../../../../dist/', import.meta.url).href;
  const program = (end: string): string => `
    import { openBackend } from '${built}models/backend/open-backend.js';
    import { openTokenModel } from '${built}models/token/open-token-model.js';
    const model = await openTokenModel({ backend: await openBackend('wasm'), folder: ${JSON.stringify(goldenFolder('qwen2'))}, settings: { workers: 2 } });
    const batch = { tokens: Int32Array.of(1, 2, 3), rowStart: Int32Array.of(0, 3), scored: Int32Array.of(1, 2) };
    ${end}
  `;
  const endings = [
    ['waits', 'const { length } = await model.logprobs(batch, 1); console.log(length);', '2\n'],
    [
      'leaves',
      'process.on("worker", (thread) => thread.once("online", () => process.exit(0))); await model.logprobs(batch, 1); console.log("stayed");',
      '',
    ],
  ] as const;
  const run = async ([name, end, printed]: (typeof endings)[number]): Promise<void> => {
    const file = join(folder, `${name}.mjs`);
    await writeFile(file, program(end));
    const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 150_000 });
    expect(stdout).toBe(printed);
  };
  await Promise.all(endings.map(run));
});

test('openTokenModel refuses workers on another backend, and an invalid number of them', async () => {
  const refused = async (backend: 'cpu' | 'wasm', workers: number): Promise<string> => {
    const thrown = await openBackend(backend)
      .then(async (opened) =>
        openTokenModel({ backend: opened, folder: goldenFolder('qwen2'), settings: { workers } }),
      )
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    expect(UsageError.is(thrown), String(thrown)).toBe(true);
    return String(thrown);
  };
  const { numTensors } = memory();
  expect(await refused('cpu', 2)).toMatch(
    /token model settings, workers: 2 workers were asked for, which compute on the processor, but the model is on cpu\. Open the backend wasm, or set workers to 0\./,
  );
  expect(await refused('wasm', 1.5)).toMatch(/workers/);
  expect(memory().numTensors).toBe(numTensors);
});
