import type { Tensor2D } from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { BackendName, TensorBackend } from '../../../models/backend/backend.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { packRows } from '../../../models/token/packed-tokens.ts';
import {
  attention,
  attentionGradient,
  type AttentionInput,
  type Sight,
} from '../../../models/token/operations/attention.ts';
import { checkGradients, compute, expectNear, randomMatrix, type Matrix } from './tensor-checks.ts';

type Named = Record<string, Tensor2D>;
type Matrices = Readonly<Record<'query' | 'key' | 'value', Matrix>>;
interface Shape {
  readonly heads: number;
  readonly keyValueHeads: number;
}

const own = { attention, attentionGradient };

/** What attention must give on a backend, by its kernels or composed of other operations, against sums written out here and central differences. */
export function attentionContract(options: {
  readonly backend: BackendName;
  readonly runs: number;
  readonly kernels?: typeof own;
  readonly differentiatesCaches: boolean;
  /** In which each gradient is checked: 3, or fewer where a pass takes long. */
  readonly directions?: number;
}): void {
  const kernels = options.kernels ?? own;
  let backend: TensorBackend;
  beforeAll(async () => {
    backend = await openBackend(options.backend);
  });

  const check = async (inputs: Matrices, sight: Sight, shape: Shape): Promise<void> => {
    const { output, logSum } = await compute(backend, inputs, (tensors) =>
      kernels.attention(attentionInput(tensors, sight, shape)),
    );
    const expected = attentionByHand(inputs, sight, shape);
    expectNear((output as Matrix).values, expected.output);
    expectNear((logSum as Matrix).values, expected.logSum);
  };
  const checkGradient = (inputs: Matrices, sight: Sight, shape: Shape): Promise<void> => {
    const forward = (tensors: Named) => kernels.attention(attentionInput(tensors, sight, shape));
    return checkGradients({
      backend,
      inputs,
      directions: options.directions ?? 3,
      forward: (tensors) => ({ output: forward(tensors).output }),
      backward: (tensors, slopes) =>
        kernels.attentionGradient(
          attentionInput(tensors, sight, shape),
          forward(tensors),
          slopes['output'] as Tensor2D,
        ),
    });
  };

  test('attends within packed rows, with grouped heads, at all sizes', async () => {
    const rows = fc.array(fc.integer({ min: 1, max: 11 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.integer({ min: 1, max: 2 }),
        fc.integer({ min: 1, max: 2 }),
        fc.constantFrom(1, 2, 3, 4, 8, 32, 36),
        async (lengths, groups, share, size) => {
          const sight = packRows(lengths.map((tokens) => new Int32Array(tokens)));
          const shape = { heads: groups * share, keyValueHeads: groups };
          const inputs = randomInputs(sight.ids.length, sight.ids.length, shape, size);
          await check(inputs, sight, shape);
          await checkGradient(inputs, sight, shape);
        },
      ),
      { numRuns: options.runs },
    );
  });

  test.each([
    [[40, 19], 2, 36],
    [[33], 1, 20],
    [[17, 140], 2, 4],
  ] as const)(
    'attends within rows of %j tokens, with %i heads per group and heads of size %i',
    async (lengths, share, size) => {
      const long = packRows(lengths.map((tokens) => new Int32Array(tokens)));
      const shape = { heads: 2 * share, keyValueHeads: 2 };
      const inputs = randomInputs(long.ids.length, long.ids.length, shape, size);
      await check(inputs, long, shape);
      if (lengths.length > 1) await checkGradient(inputs, long, shape); // by differences, which takes many passes
    },
  );

  const sight = { from: Int32Array.of(8, 0, 0, 4), until: Int32Array.of(8, 2, 3, 10) };
  const shape = { heads: 4, keyValueHeads: 2 };
  test.each([2, 4])('attends to parts of a cache with heads of size %i', async (size) => {
    await check(randomInputs(4, 12, shape, size), sight, shape);
  });

  /** A pass of generation: some episodes write one token each, others bring prompts, and nobody's rows stand in the order of the slots. */
  test.each([
    [9, [40, 70]],
    [100, [3]],
    [2, [17, 1, 16]],
  ] as const)(
    'attends when %i episodes write and others add prompts of %j tokens',
    async (writing, prompts) => {
      const counts = [...Array.from({ length: writing }, () => 1), ...prompts];
      const slots = counts
        .map((_, at) => (7 * at) % counts.length)
        .map((slot, at) => (counts.length % 7 === 0 ? at : slot));
      const parts = counts.map((count, at) => ({
        first: 80 * (slots[at] as number),
        seen: at < writing ? (5 * at) % 80 : 3,
        count,
      }));
      const pass = {
        from: Int32Array.from(
          parts.flatMap(({ first, count }) => Array.from({ length: count }, () => first)),
        ),
        until: Int32Array.from(
          parts.flatMap(({ first, seen, count }) =>
            Array.from({ length: count }, (_, token) => first + seen + token),
          ),
        ),
      };
      await check(randomInputs(pass.from.length, 80 * counts.length, shape, 4), pass, shape);
    },
  );

  test.each([2, 4])(
    'differentiates attention to a cache with heads of size %i, or refuses to',
    async (size) => {
      const checking = checkGradient(randomInputs(4, 12, shape, size), sight, shape);
      if (options.differentiatesCaches) await checking;
      else await expect(checking).rejects.toThrow(/query 0 begins to see at key 8/);
    },
  );

  test('stays finite when scores are far apart', async () => {
    const inputs = randomInputs(3, 3, { heads: 1, keyValueHeads: 1 }, 4);
    const steep = {
      ...inputs,
      query: { ...inputs.query, values: inputs.query.values.map((value) => 400 * value) },
    };
    const rows = packRows([new Int32Array(3)]);
    const { output, logSum } = await compute(backend, steep, (tensors) =>
      kernels.attention(attentionInput(tensors, rows, { heads: 1, keyValueHeads: 1 })),
    );
    for (const matrix of [output, logSum])
      expect((matrix as Matrix).values.every(Number.isFinite)).toBe(true);
  });

  test('propagates NaN', async () => {
    const inputs = randomInputs(2, 2, { heads: 1, keyValueHeads: 1 }, 4);
    const broken = { ...inputs, query: { ...inputs.query, values: inputs.query.values.with(1, Number.NaN) } };
    const { output } = await compute(backend, broken, (tensors) =>
      kernels.attention(
        attentionInput(tensors, packRows([new Int32Array(2)]), { heads: 1, keyValueHeads: 1 }),
      ),
    );
    expect([...(output as Matrix).values].slice(0, 4).every(Number.isNaN)).toBe(true);
  });
}

function randomInputs(
  queries: number,
  keys: number,
  { heads, keyValueHeads }: Shape,
  size: number,
): Matrices {
  return {
    query: randomMatrix(1, queries, heads * size),
    key: randomMatrix(2, keys, keyValueHeads * size),
    value: randomMatrix(3, keys, keyValueHeads * size),
  };
}

const attentionInput = (tensors: Named, sight: Sight, shape: Shape): AttentionInput => ({
  query: tensors['query'] as Tensor2D,
  key: tensors['key'] as Tensor2D,
  value: tensors['value'] as Tensor2D,
  from: sight.from,
  until: sight.until,
  ...shape,
});

function attentionByHand(
  inputs: Matrices,
  sight: Sight,
  shape: Shape,
): Readonly<Record<'output' | 'logSum', readonly number[]>> {
  const size = inputs.query.columns / shape.heads;
  const output: number[] = [];
  const logSum: number[] = [];
  for (let token = 0; token < inputs.query.rows; token += 1) {
    for (let head = 0; head < shape.heads; head += 1) {
      const group = Math.floor((head * shape.keyValueHeads) / shape.heads);
      const part = (matrix: Matrix, row: number, number: number): number[] => [
        ...matrix.values.subarray(
          row * matrix.columns + number * size,
          row * matrix.columns + (number + 1) * size,
        ),
      ];
      const query = part(inputs.query, token, head);
      const keys = Array.from(
        { length: (sight.until[token] as number) - (sight.from[token] as number) + 1 },
        (_, index) => (sight.from[token] as number) + index,
      );
      const shares = keys.map((key) =>
        Math.exp(
          part(inputs.key, key, group).reduce((sum, value, at) => sum + value * (query[at] as number), 0) /
            Math.sqrt(size),
        ),
      );
      const total = shares.reduce((sum, share) => sum + share, 0);
      logSum.push(Math.log(total));
      for (let at = 0; at < size; at += 1) {
        output.push(
          keys.reduce(
            (sum, key, index) =>
              sum + ((shares[index] as number) / total) * (part(inputs.value, key, group)[at] as number),
            0,
          ),
        );
      }
    }
  }
  return { output, logSum };
}
