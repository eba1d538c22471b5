import type { Tensor2D } from '@tensorflow/tfjs-core';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { BackendName, TensorBackend } from '../../../models/backend/backend.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { embed, embedGradient } from '../../../models/token/operations/embed.ts';
import {
  composedGate,
  composedGateGradient,
  gate,
  gateGradient,
} from '../../../models/token/operations/gate.ts';
import {
  product,
  productGradientByInput,
  productGradientByWeight,
} from '../../../models/token/operations/product.ts';
import {
  composedRmsNorm,
  composedRmsNormGradient,
  rmsNorm,
  rmsNormGradient,
} from '../../../models/token/operations/rms-norm.ts';
import type { Bags } from '../../../models/kernels/bag.ts';
import {
  composedRotate,
  rotate,
  rotateGradient,
  type Rotation,
} from '../../../models/token/operations/rotate.ts';
import {
  composedScoreRows,
  composedScoreRowsGradient,
  scoreRows,
  scoreRowsGradient,
  type LogitRows,
} from '../../../models/token/operations/score-rows.ts';
import {
  scoreTokens,
  scoreTokensGradient,
  type ScoredPlaces,
} from '../../../models/token/operations/score-tokens.ts';
import { checkGradients, compute, expectNear, randomMatrix, toTensor, type Matrix } from './tensor-checks.ts';

type Named = Record<string, Tensor2D>;
const of = (tensors: Named, name: string): Tensor2D => tensors[name] as Tensor2D;
const length = fc.integer({ min: 1, max: 7 });

/** What the operations of a transformer must give on a backend, against float64 sums written out here and central differences. */
export function operationsContract(options: { readonly backend: BackendName; readonly runs: number }): void {
  let backend: TensorBackend;
  beforeAll(async () => {
    backend = await openBackend(options.backend);
  });
  const runs = { numRuns: options.runs };

  test('multiplies by a transposed weight at all sizes, with gradients of both inputs', async () => {
    await fc.assert(
      fc.asyncProperty(length, length, length, async (rows, width, out) => {
        const inputs = {
          x: randomMatrix(1, rows, width),
          weight: randomMatrix(2, out, width),
          gradient: randomMatrix(3, rows, out),
        };
        const { y, x, weight } = await compute(backend, inputs, (tensors) => ({
          y: product(of(tensors, 'x'), of(tensors, 'weight')),
          x: productGradientByInput(of(tensors, 'gradient'), of(tensors, 'weight')),
          weight: productGradientByWeight(of(tensors, 'gradient'), of(tensors, 'x')),
        }));
        expectNear((y as Matrix).values, productByHand(inputs.x, transposedByHand(inputs.weight)));
        expectNear((x as Matrix).values, productByHand(inputs.gradient, inputs.weight));
        expectNear((weight as Matrix).values, productByHand(transposedByHand(inputs.gradient), inputs.x));
      }),
      runs,
    );
  });

  test.each([
    [5, 6],
    [3, 8],
    [20, 84],
  ] as const)('normalises %i rows of %i by their root mean square', async (rows, width) => {
    const inputs = { x: randomMatrix(1, rows, width), scale: randomMatrix(2, 1, width) };
    const gradient = randomMatrix(3, rows, width);
    const { y, composed } = await compute(backend, inputs, (tensors) => ({
      y: rmsNorm(of(tensors, 'x'), of(tensors, 'scale'), 0.1),
      composed: composedRmsNorm(of(tensors, 'x'), of(tensors, 'scale'), 0.1),
    }));
    const expected = Array.from(inputs.x.values, (value, at) => {
      const row = inputs.x.values.subarray(at - (at % width), at - (at % width) + width);
      return (
        (value / Math.sqrt(row.reduce((sum, entry) => sum + entry * entry, 0) / width + 0.1)) *
        (inputs.scale.values[at % width] as number)
      );
    });
    expectNear((y as Matrix).values, expected);
    expectNear((composed as Matrix).values, expected);
    const back = (tensors: Named, gradientOf: typeof rmsNormGradient): Named => ({
      ...gradientOf(of(tensors, 'x'), of(tensors, 'scale'), 0.1, of(tensors, 'gradient')),
    });
    const own = await compute(backend, { ...inputs, gradient }, (tensors) => back(tensors, rmsNormGradient));
    const ofParts = await compute(backend, { ...inputs, gradient }, (tensors) =>
      back(tensors, composedRmsNormGradient),
    );
    for (const part of ['x', 'scale'])
      expectNear((ofParts[part] as Matrix).values, (own[part] as Matrix).values);
    await checkGradients({
      backend,
      inputs,
      forward: (tensors) => ({ y: rmsNorm(of(tensors, 'x'), of(tensors, 'scale'), 0.1) }),
      backward: (tensors, slopes) =>
        rmsNormGradient(of(tensors, 'x'), of(tensors, 'scale'), 0.1, of(slopes, 'y')),
    });
  });

  test('rotates pairs of every head, with the gradient', async () => {
    const angles = randomMatrix(9, 4, 3);
    const turns = {
      cos: { ...angles, values: angles.values.map(Math.cos) },
      sin: { ...angles, values: angles.values.map(Math.sin) },
    };
    const x = randomMatrix(1, 4, 2 * 6);
    const rotation = (tensors: Named): Rotation => ({ cos: of(tensors, 'cos'), sin: of(tensors, 'sin') });
    const { y, back, composed } = await compute(backend, { x, ...turns }, (tensors) => {
      const turned = rotate(of(tensors, 'x'), rotation(tensors), 2);
      return {
        y: turned,
        back: rotateGradient(turned, rotation(tensors), 2),
        composed: composedRotate(of(tensors, 'x'), rotation(tensors), 2),
      };
    });
    expectNear((back as Matrix).values, x.values);
    expectNear((composed as Matrix).values, (y as Matrix).values);
    const expected = Array.from(x.values, (value, at) => {
      const [token, within] = [Math.floor(at / 12), at % 6];
      const angle = angles.values[token * 3 + (within % 3)] as number;
      const other = (within < 3 ? -1 : 1) * (x.values[within < 3 ? at + 3 : at - 3] as number);
      return value * Math.cos(angle) + other * Math.sin(angle);
    });
    expectNear((y as Matrix).values, expected);
    await checkGradients({
      backend,
      inputs: { x },
      forward: (tensors) => ({ y: rotate(of(tensors, 'x'), constants(turns), 2) }),
      backward: (_, slopes) => ({ x: rotateGradient(of(slopes, 'y'), constants(turns), 2) }),
    });
  });

  test('gates, with the gradient', async () => {
    const inputs = { gating: randomMatrix(1, 3, 5), up: randomMatrix(2, 3, 5) };
    const gradient = randomMatrix(3, 3, 5);
    const { y, composed } = await compute(backend, inputs, (tensors) => ({
      y: gate(of(tensors, 'gating'), of(tensors, 'up')),
      composed: composedGate(of(tensors, 'gating'), of(tensors, 'up')),
    }));
    const expected = Array.from(
      inputs.gating.values,
      (value, at) => (value / (1 + Math.exp(-value))) * (inputs.up.values[at] as number),
    );
    expectNear((y as Matrix).values, expected);
    expectNear((composed as Matrix).values, expected);
    const back = (tensors: Named, gradientOf: typeof gateGradient): Named => ({
      ...gradientOf(of(tensors, 'gating'), of(tensors, 'up'), of(tensors, 'gradient')),
    });
    const own = await compute(backend, { ...inputs, gradient }, (tensors) => back(tensors, gateGradient));
    const ofParts = await compute(backend, { ...inputs, gradient }, (tensors) =>
      back(tensors, composedGateGradient),
    );
    for (const part of ['gating', 'up'])
      expectNear((ofParts[part] as Matrix).values, (own[part] as Matrix).values);
    await checkGradients({
      backend,
      inputs,
      forward: (tensors) => ({ y: gate(of(tensors, 'gating'), of(tensors, 'up')) }),
      backward: (tensors, slopes) => gateGradient(of(tensors, 'gating'), of(tensors, 'up'), of(slopes, 'y')),
    });
  });

  test('gates far from zero, and propagates NaN', async () => {
    const gating = { rows: 1, columns: 5, values: Float32Array.of(200, -200, 90, -90, Number.NaN) };
    const up = { rows: 1, columns: 5, values: Float32Array.of(1, 1, 1, 1, 1) };
    const { y } = await compute(backend, { gating, up }, (tensors) => ({
      y: gate(of(tensors, 'gating'), of(tensors, 'up')),
    }));
    const [far, ...others] = (y as Matrix).values.map((value) => Math.round(value * 1e6) / 1e6 + 0);
    expect([far, ...others]).toEqual([200, 0, 90, 0, Number.NaN]);
  });

  test.each([7, 84, 150])('scores rows of %i logits', async (width) => {
    const inputs = {
      logits: randomMatrix(1, 3, width),
      logprob: randomMatrix(2, 3, 1),
      entropy: randomMatrix(3, 3, 1),
    };
    const rows = (tensors: Named): LogitRows => ({
      logits: of(tensors, 'logits'),
      targets: Int32Array.of(width - 1, 0, 3),
      temperature: 0.3,
    });
    const identity = {
      rows: width,
      columns: width,
      values: Float32Array.from({ length: width * width }, (_, at) => (at % (width + 1) === 0 ? 1 : 0)),
    };
    const expected = scoresByHand(inputs.logits, identity, rows({}));
    for (const score of [scoreRows, composedScoreRows]) {
      const scores = await compute(backend, inputs, (tensors) => score(rows(tensors)));
      for (const part of ['logprob', 'logSum', 'entropy'] as const)
        expectNear((scores[part] as Matrix).values, expected[part]);
    }
    const over = (gradientOf: typeof scoreRowsGradient): Promise<Readonly<Record<string, Matrix>>> =>
      compute(backend, inputs, (tensors) => ({
        logits: gradientOf(rows(tensors), scoreRows(rows(tensors)), {
          logprob: of(tensors, 'logprob'),
          entropy: of(tensors, 'entropy'),
        }),
      }));
    const [own, ofParts] = [await over(scoreRowsGradient), await over(composedScoreRowsGradient)];
    expectNear((own['logits'] as Matrix).values, (ofParts['logits'] as Matrix).values);
    await checkGradients({
      backend,
      inputs: { logits: inputs.logits },
      forward: (tensors) => ({
        logprob: scoreRows(rows(tensors)).logprob,
        entropy: scoreRows(rows(tensors)).entropy,
      }),
      backward: (tensors, slopes) => ({
        logits: scoreRowsGradient(rows(tensors), scoreRows(rows(tensors)), {
          logprob: of(slopes, 'logprob'),
          entropy: of(slopes, 'entropy'),
        }),
      }),
    });
  });

  test('propagates a NaN logit to all scores of its row', async () => {
    const logits = {
      rows: 2,
      columns: 6,
      values: Float32Array.of(1, 2, 3, 4, Number.NaN, 5, 1, 2, 3, 4, 5, 6),
    };
    const scores = await compute(backend, { logits }, (tensors) =>
      scoreRows({ logits: of(tensors, 'logits'), targets: Int32Array.of(0, 0), temperature: 1 }),
    );
    for (const part of ['logprob', 'logSum', 'entropy'])
      expect([...(scores[part] as Matrix).values].map(Number.isNaN), part).toEqual([true, false]);
  });

  test('looks rows up, and accumulates their gradients', async () => {
    const table = randomMatrix(1, 5, 3);
    const rows = Int32Array.of(4, 0, 4, 2);
    const { y } = await compute(backend, { table }, (tensors) => ({ y: embed(of(tensors, 'table'), rows) }));
    expect([...(y as Matrix).values]).toEqual(
      [...rows].flatMap((row) => [...table.values.subarray(3 * row, 3 * row + 3)]),
    );
    await checkGradients({
      backend,
      inputs: { table },
      forward: (tensors) => ({ y: embed(of(tensors, 'table'), rows) }),
      backward: (_, slopes) => ({ table: embedGradient(of(slopes, 'y'), rows, 5) }),
    });
  });

  // Bags of what may stand at each place: some, any, the target alone, any, some.
  const some: Bags = { members: Int32Array.of(6, 2, 3, 0, 1, 2), start: Int32Array.of(0, 2, 2, 3, 3, 6) };
  const restrictions = [
    { kind: 'any', restriction: {} },
    { kind: 'some', restriction: { allowed: some } },
  ] as const;
  test.each([1, 2, 100].flatMap((chunk) => restrictions.map((one) => ({ chunk, ...one }))))(
    'scores tokens, $chunk rows of logits at once, among $kind',
    async ({ chunk, restriction }) => {
      const inputs = { hidden: randomMatrix(1, 5, 4), table: randomMatrix(2, 7, 4) };
      const targets = Int32Array.of(6, 0, 3, 3, 1);
      const places = (tensors: Named): ScoredPlaces => ({
        hidden: of(tensors, 'hidden'),
        table: of(tensors, 'table'),
        targets,
        temperature: 0.7,
        ...restriction,
      });
      const scores = await compute(backend, inputs, (tensors) => scoreTokens(places(tensors), chunk * 7));
      const expected = scoresByHand(inputs.hidden, inputs.table, {
        targets,
        temperature: 0.7,
        ...restriction,
      });
      for (const part of ['logprob', 'logSum', 'entropy'] as const)
        expectNear((scores[part] as Matrix).values, expected[part]);
      await checkGradients({
        backend,
        inputs,
        forward: (tensors) => {
          const { logprob, entropy } = scoreTokens(places(tensors), chunk * 7);
          return { logprob, entropy };
        },
        backward: (tensors, slopes) => {
          const { hidden, table } = scoreTokensGradient(
            places(tensors),
            scoreTokens(places(tensors)),
            { logprob: of(slopes, 'logprob'), entropy: of(slopes, 'entropy') },
            { byTable: true, entries: chunk * 7 },
          );
          return { hidden, table: table as Tensor2D };
        },
      });
    },
  );

  test('scores tokens with certainty when one logit is far above the others', async () => {
    const table: Matrix = { rows: 3, columns: 1, values: Float32Array.of(0, 200, -200) };
    const hidden: Matrix = { rows: 2, columns: 1, values: Float32Array.of(1, 1) };
    const scores = await compute(backend, { hidden, table }, (tensors) =>
      scoreTokens({
        hidden: of(tensors, 'hidden'),
        table: of(tensors, 'table'),
        targets: Int32Array.of(1, 2),
        temperature: 1,
      }),
    );
    expect([...(scores['logprob'] as Matrix).values]).toEqual([0, -400]);
    expect([...(scores['entropy'] as Matrix).values]).toEqual([0, 0]);
  });
}

/** Tensors of a rotation, made again within each run. */
function constants(turns: { readonly cos: Matrix; readonly sin: Matrix }): Rotation {
  return { cos: toTensor(turns.cos), sin: toTensor(turns.sin) };
}

function productByHand(left: Matrix, right: Matrix): readonly number[] {
  return Array.from({ length: left.rows * right.columns }, (_, at) => {
    const [row, column] = [Math.floor(at / right.columns), at % right.columns];
    let sum = 0;
    for (let inner = 0; inner < left.columns; inner += 1)
      sum +=
        (left.values[row * left.columns + inner] as number) *
        (right.values[inner * right.columns + column] as number);
    return sum;
  });
}

function transposedByHand({ rows, columns, values }: Matrix): Matrix {
  return {
    rows: columns,
    columns: rows,
    values: values.map((_, at) => values[(at % rows) * columns + Math.floor(at / rows)] as number),
  };
}

function scoresByHand(
  hidden: Matrix,
  table: Matrix,
  { targets, temperature, allowed }: Pick<ScoredPlaces, 'targets' | 'temperature' | 'allowed'>,
): Readonly<Record<'logprob' | 'logSum' | 'entropy', readonly number[]>> {
  const logits = productByHand(hidden, transposedByHand(table)).map((logit) => logit / temperature);
  const rows = [...targets].map((_, row) => {
    const all = logits.slice(row * table.rows, (row + 1) * table.rows);
    const among = new Set(allowed?.members.subarray(allowed.start[row], allowed.start[row + 1]));
    return new Map([...all.entries()].filter(([token]) => among.size === 0 || among.has(token)));
  });
  const logSum = rows.map((row) =>
    Math.log([...row.values()].reduce((sum, logit) => sum + Math.exp(logit), 0)),
  );
  return {
    logSum,
    logprob: rows.map(
      (row, index) => (row.get(targets[index] as number) as number) - (logSum[index] as number),
    ),
    entropy: rows.map((row, index) =>
      [...row.values()].reduce(
        (sum, logit) =>
          sum - Math.exp(logit - (logSum[index] as number)) * (logit - (logSum[index] as number)),
        0,
      ),
    ),
  };
}
