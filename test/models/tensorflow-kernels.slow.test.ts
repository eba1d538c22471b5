// Slow: loads TensorFlow's library, which `npm run provision -- tensorflow` builds with our kernels.
import { add, fill, reshape, slice, square, tensor2d, type Tensor2D } from '@tensorflow/tfjs-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TensorBackend } from '../../models/backend/backend.ts';
import { isMemoryFull } from '../../models/backend/memory-full.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { transposeBags } from '../../models/kernels/bag.ts';
import {
  composedAdamStep,
  composedBagSum,
  composedSumOfSquares,
} from '../../models/kernels/composed-operations.ts';
import {
  adamStep,
  bagSum,
  hasKernel,
  kernelNames,
  sumOfSquares,
  writeRows,
} from '../../models/kernels/operations.ts';
import { attention, attentionGradient } from '../../models/token/operations/attention.ts';
import {
  composedAttention,
  composedAttentionGradient,
} from '../../models/token/operations/composed-attention.ts';
import {
  composedGate,
  composedGateGradient,
  gate,
  gateGradient,
} from '../../models/token/operations/gate.ts';
import {
  composedRmsNorm,
  composedRmsNormGradient,
  rmsNorm,
  rmsNormGradient,
} from '../../models/token/operations/rms-norm.ts';
import { composedRotate, rotate } from '../../models/token/operations/rotate.ts';
import {
  composedScoreRows,
  composedScoreRowsGradient,
  scoreRows,
  scoreRowsGradient,
} from '../../models/token/operations/score-rows.ts';
import { packRows } from '../../models/token/packed-tokens.ts';
import { describeWithParts } from '../support/system-part.ts';
import { compute, expectNear, randomMatrix, type Matrix } from './token/tensor-checks.ts';

type Tensors = Readonly<Record<string, Tensor2D>>;

/** Wide enough for several threads, and no side is a multiple of 16. */
const [tokens, width, vocabulary] = [611, 195, 1_013];
const [heads, keyValueHeads] = [6, 2];
const sight = packRows([new Int32Array(570), new Int32Array(1), new Int32Array(40)]);
const targets = Int32Array.from({ length: tokens }, (_, row) => (7 * row) % vocabulary);
const bags = {
  members: targets.map((target) => target % tokens),
  start: Int32Array.of(0, 200, 200, 609, tokens),
};
const constants = {
  learningRate: 0.02,
  beta1: 0.8,
  beta2: 0.95,
  epsilon: 1e-4,
  weightDecay: 0.3,
  gradientScale: 0.7,
  step: 3,
};
const seeing = (t: Tensors) => ({
  ...sight,
  query: t['wide'] as Tensor2D,
  key: t['key'] as Tensor2D,
  value: t['value'] as Tensor2D,
  heads,
  keyValueHeads,
});
const size = 32;
const inputs: Readonly<Record<string, Matrix>> = {
  x: randomMatrix(1, tokens, width),
  y: randomMatrix(2, tokens, width),
  over: randomMatrix(3, tokens, width),
  scale: randomMatrix(4, 1, width),
  wide: randomMatrix(5, tokens, heads * size),
  overWide: randomMatrix(6, tokens, heads * size),
  key: randomMatrix(7, tokens, keyValueHeads * size),
  value: randomMatrix(8, tokens, keyValueHeads * size),
  cos: randomMatrix(9, tokens, size / 2),
  sin: randomMatrix(10, tokens, size / 2),
  logits: randomMatrix(11, tokens, vocabulary),
  overLogprob: randomMatrix(12, tokens, 1),
  overEntropy: randomMatrix(13, tokens, 1),
};
const of = (t: Tensors, name: string): Tensor2D => t[name] as Tensor2D;
const logits = (t: Tensors) => ({ logits: of(t, 'logits'), targets, temperature: 0.7 });
const slopes = (t: Tensors) => ({ logprob: of(t, 'overLogprob'), entropy: of(t, 'overEntropy') });
const slope = (t: Tensors): Tensor2D => add(of(t, 'x'), slice(of(t, 'wide'), [0, 0], [tokens, 1]));
const state = (t: Tensors) => ({
  value: of(t, 'x'),
  first: of(t, 'y'),
  second: square(of(t, 'over')),
});

/** Each operation by our kernel, and composed of TensorFlow's operators. */
const operations: Readonly<Record<string, readonly [(t: Tensors) => Tensors, (t: Tensors) => Tensors]>> = {
  rmsNorm: [
    (t) => ({ out: rmsNorm(of(t, 'x'), of(t, 'scale'), 1e-5) }),
    (t) => ({ out: composedRmsNorm(of(t, 'x'), of(t, 'scale'), 1e-5) }),
  ],
  rmsNormGradient: [
    (t) => rmsNormGradient(of(t, 'x'), of(t, 'scale'), 1e-5, of(t, 'over')),
    (t) => composedRmsNormGradient(of(t, 'x'), of(t, 'scale'), 1e-5, of(t, 'over')),
  ],
  gate: [
    (t) => ({ out: gate(of(t, 'x'), of(t, 'y')) }),
    (t) => ({ out: composedGate(of(t, 'x'), of(t, 'y')) }),
  ],
  gateGradient: [
    (t) => gateGradient(of(t, 'x'), of(t, 'y'), of(t, 'over')),
    (t) => composedGateGradient(of(t, 'x'), of(t, 'y'), of(t, 'over')),
  ],
  rotate: [
    (t) => ({ out: rotate(of(t, 'wide'), { cos: of(t, 'cos'), sin: of(t, 'sin') }, heads) }),
    (t) => ({ out: composedRotate(of(t, 'wide'), { cos: of(t, 'cos'), sin: of(t, 'sin') }, heads) }),
  ],
  scoreRows: [(t) => scoreRows(logits(t)), (t) => composedScoreRows(logits(t))],
  scoreRowsGradient: [
    (t) => ({ out: scoreRowsGradient(logits(t), composedScoreRows(logits(t)), slopes(t)) }),
    (t) => ({ out: composedScoreRowsGradient(logits(t), composedScoreRows(logits(t)), slopes(t)) }),
  ],
  attention: [(t) => attention(seeing(t)), (t) => composedAttention(seeing(t))],
  attentionGradient: [
    (t) => attentionGradient(seeing(t), composedAttention(seeing(t)), of(t, 'overWide')),
    (t) => composedAttentionGradient(seeing(t), composedAttention(seeing(t)), of(t, 'overWide')),
  ],
  adamStep: [
    (t) => adamStep(state(t), slope(t), constants),
    (t) => composedAdamStep(state(t), slope(t), constants),
  ],
  bagSum: [
    (t) => ({ forth: bagSum(of(t, 'x'), bags), back: bagSum(of(t, 'x'), transposeBags(bags, tokens)) }),
    (t) => ({
      forth: composedBagSum(of(t, 'x'), bags),
      back: composedBagSum(of(t, 'x'), transposeBags(bags, tokens)),
    }),
  ],
  sumOfSquares: [
    (t) => ({ sum: reshape(sumOfSquares(of(t, 'logits')), [1, 1]) }),
    (t) => ({ sum: reshape(composedSumOfSquares(of(t, 'logits')), [1, 1]) }),
  ],
};

await describeWithParts(['tensorflow'], 'kernels that the binding of tensorflow was built with', () => {
  let backend: TensorBackend;
  beforeAll(async () => {
    backend = await openBackend('tensorflow');
  });
  afterEach(() => {
    delete process.env['CAIRN_KERNEL_LEVEL'];
  });

  test('a processor has all of them but those of bfloat16 and of drawing', () => {
    if (backend.why.includes('GPU')) return; // they compute on the processor
    expect(backend.notes.join()).not.toContain('kernels');
    const missing = Object.values(kernelNames).filter((name) => !backend.run(() => [hasKernel(name)])[0]);
    expect(missing).toEqual([kernelNames.bfloat16Product, kernelNames.bfloat16Rows, kernelNames.drawRows]);
  });

  // On every processor: those with AVX-512, those with AVX2, and the rest.
  describe.each([2, 1, 0])('for instructions of level %i', (level) => {
    test.each(Object.entries(operations))(
      '%s agrees with the composed operation',
      async (_, [own, other]) => {
        process.env['CAIRN_KERNEL_LEVEL'] = String(level);
        const [made, expected] = [await compute(backend, inputs, own), await compute(backend, inputs, other)];
        expect(Object.keys(made)).toEqual(Object.keys(expected));
        for (const [name, { values }] of Object.entries(expected))
          expectNear((made[name] as Matrix).values, values, 2e-5);
      },
    );
  });

  test('leave a full memory to be recognised', () => {
    const thrown = (() => {
      try {
        return backend.run(() => fill([2 ** 30, 2 ** 10], 1)); // 4 TiB
      } catch (error) {
        return error;
      }
    })();
    expect(isMemoryFull(thrown), String(thrown)).toBe(true);
  });

  test('refuse shapes and places that would read beyond a tensor', () => {
    const run = (body: (t: Tensors) => unknown) => () =>
      backend.run(() => {
        const t = Object.fromEntries(
          Object.entries(inputs).map(([name, { rows, columns, values }]) => [
            name,
            tensor2d(values, [rows, columns]),
          ]),
        );
        body(t);
      });
    const beyond = { ...sight, until: sight.until.map((key) => key + 1) };
    expect(run((t) => attention({ ...seeing(t), ...beyond }))).toThrow(/sight beyond the keys/);
    expect(run((t) => attention({ ...seeing(t), heads: 4, keyValueHeads: 3 }))).toThrow(/do not fit/);
    expect(run((t) => scoreRows({ ...logits(t), targets: targets.map(() => vocabulary) }))).toThrow(
      /targets/,
    );
    expect(run((t) => bagSum(of(t, 'x'), { ...bags, members: bags.members.map(() => tokens) }))).toThrow(
      /bags/,
    );
    expect(run((t) => writeRows(of(t, 'x'), of(t, 'scale'), Int32Array.of(-1)))).toThrow(/rows/);
    expect(run((t) => rmsNorm(of(t, 'x'), of(t, 'cos'), 1))).toThrow(/scale/);
    expect(run((t) => gate(of(t, 'x'), of(t, 'logits')))).toThrow(/two sizes/);
  });
});
