import { memory } from '@tensorflow/tfjs-core';
import { expect, test } from 'vitest';
import { memoryFull, isMemoryFull } from '../../../../models/backend/memory-full.ts';
import { openBackend } from '../../../../models/backend/open-backend.ts';
import { downloadTensors } from '../../../../models/token/checkpoint.ts';
import { packRows } from '../../../../models/token/packed-tokens.ts';
import { Replica } from '../../../../models/token/passes/replica.ts';
import { errorOf, failureOf, type WorkerRequest } from '../../../../models/token/passes/worker-messages.ts';
import { tokenObjectiveSchema } from '../../../../models/token/token-objective.ts';
import { RunError, UsageError } from '../../../../envs/core/errors.ts';
import { closeModel, openGolden } from '../golden-model.ts';
import { randomTraining } from '../random-tokens.ts';

test.each([false, true])(
  'a replica of a model has only its weights, and equal answers (with an adapter: %s)',
  async (withAdapter) => {
    const backend = await openBackend('wasm');
    const model = await openGolden(backend, 'qwen2', { adapter: withAdapter });
    const { config, weights, adapter } = model;
    const [values, factors] = [
      await downloadTensors(backend, weights),
      adapter && (await downloadTensors(backend, adapter.factors)),
    ];
    closeModel(model);
    const begin = {
      kind: 'begin',
      shape: { config, lora: adapter?.config },
      weights: values,
      factors,
    } as const;
    const { numTensors: none } = memory();
    const replica = await Replica.open(backend, begin);
    const { numTensors, numBytes } = memory();
    expect(numTensors - none).toBe(Object.keys({ ...values, ...factors }).length);
    const training = randomTraining(1, { rows: 4, vocabulary: 300 });
    const objective = tokenObjectiveSchema.parse({ kind: 'policy', low: 0.2, high: 0.28 });
    const rows = Int32Array.of(2, 0, 3);
    const requests: readonly Exclude<WorkerRequest, { readonly kind: 'begin' }>[] = [
      { kind: 'learn', job: { training, objective, recompute: false, name: 'batch' }, rows },
      { kind: 'score', job: { batch: training, temperature: 1, whose: 'trained', name: 'batch' }, rows },
      { kind: 'take', whose: 'trained', values: factors ?? values },
      {
        kind: 'write',
        cache: 1,
        size: { slots: 2, rowsOfSlot: 8 },
        packed: packRows([[5, 7]]),
        places: Int32Array.of(1),
      },
      { kind: 'free', cache: 1 },
      {
        kind: 'learn',
        job: {
          training: { ...training, weight: new Float32Array(training.weight.length) },
          objective,
          recompute: false,
          name: 'batch',
        },
        rows,
      },
    ];
    for (const request of requests) {
      await replica.answer(request);
      if (request.kind !== 'write') expect(memory(), request.kind).toMatchObject({ numTensors, numBytes });
    }
    for (let time = 0; time < 2; time += 1) {
      await replica.answer({ kind: 'take', whose: 'reference', values: factors ?? values });
      expect(memory().numTensors - numTensors).toBe(Object.keys(factors ?? values).length);
    }
    const answer = await replica.answer(requests[0] as (typeof requests)[number]);
    if (answer.kind !== 'learned') throw new TypeError(answer.kind);
    expect(Object.keys(answer.gradient ?? {}).toSorted()).toEqual(Object.keys(factors ?? values).toSorted()); // of an adapter nothing else travels
  },
);

test.each([
  [
    new UsageError({ where: 'batch 3', what: 'it is wrong.', fix: 'Fix it.' }),
    'batch 3: it is wrong. Fix it.',
    UsageError,
  ],
  [
    new RunError({ where: 'batch 3', what: 'it failed.', fix: 'Lower it.' }),
    'batch 3: it failed. Lower it.',
    RunError,
  ],
  [
    memoryFull('backend wasm', 'its memory of 4 GiB has no room.'),
    /^worker 2 of 3: its memory of 4 GiB has no room\./,
    RunError,
  ],
  [
    new RangeError('Array buffer allocation failed'),
    /^worker 2 of 3: Array buffer allocation failed /,
    RunError,
  ],
  [
    new TypeError('x is undefined'),
    /^worker 2 of 3: it failed \(x is undefined\); the weights have not been moved, and the other workers have been ended\. Where memory is short, take fewer workers/,
    RunError,
  ],
])('an error crosses threads with its kind: %s', (thrown, message, kind) => {
  const error = errorOf(structuredClone(failureOf(thrown)), 'worker 2 of 3');
  expect(kind.is(error)).toBe(true);
  expect(error.message).toMatch(message);
  expect(isMemoryFull(error)).toBe(isMemoryFull(thrown));
});
