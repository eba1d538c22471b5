import {
  dispose,
  getKernel,
  matMul,
  registerKernel,
  square,
  tensor2d,
  transpose,
  unregisterKernel,
  type Tensor2D,
} from '@tensorflow/tfjs-core';
import { messageOf } from '../../../envs/core/errors.ts';
import { createRng } from '../../../envs/core/rng.ts';
import type { TensorBackend } from '../../../models/backend/backend.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { adamStep, kernelNames, type AdamConstants } from '../../../models/kernels/operations.ts';
import {
  attention,
  attentionGradient,
  type AttentionInput,
} from '../../../models/token/operations/attention.ts';
import { gate, gateGradient } from '../../../models/token/operations/gate.ts';
import {
  product,
  productGradientByInput,
  productGradientByWeight,
} from '../../../models/token/operations/product.ts';
import { rmsNorm, rmsNormGradient } from '../../../models/token/operations/rms-norm.ts';
import { rotate } from '../../../models/token/operations/rotate.ts';
import { scoreRows, scoreRowsGradient } from '../../../models/token/operations/score-rows.ts';
import { packRows } from '../../../models/token/packed-tokens.ts';
import { describeMachine, machineLoad } from '../../report/machine.ts';
import { printReport } from '../../report/print-report.ts';

// What each kernel of the token model gains: its operation with the kernel and without it, in turn, in one process.

interface Size {
  readonly rows: number;
  readonly length: number;
  readonly width: number;
  readonly hidden: number;
  readonly heads: number;
  readonly vocabulary: number;
  readonly rounds: number;
}

type Results = Readonly<Record<string, Tensor2D | undefined>>;

interface Case {
  readonly kernel: string;
  readonly run: () => Results;
  /** In place of the operation without its kernel. */
  readonly otherwise?: () => Results;
}

const constants: AdamConstants = {
  learningRate: 1e-3,
  beta1: 0.9,
  beta2: 0.99,
  epsilon: 1e-8,
  weightDecay: 0.01,
  gradientScale: 1,
  step: 2,
};
const machine = describeMachine();

function matrix(seed: number, rows: number, columns: number): Tensor2D {
  const rng = createRng(seed).fork('values');
  return tensor2d(
    Float32Array.from({ length: rows * columns }, () => 2 * rng.uniform() - 1),
    [rows, columns],
  );
}

/** The operations over tensors that stay on the backend. */
function casesOf({ rows, length, width, hidden, heads, vocabulary }: Size): Readonly<Record<string, Case>> {
  const tokens = rows * length;
  const [x, over, scale] = [matrix(1, tokens, width), matrix(2, tokens, width), matrix(3, 1, width)];
  const [gating, up, overGated] = [
    matrix(4, tokens, hidden),
    matrix(5, tokens, hidden),
    matrix(6, tokens, hidden),
  ];
  const squares = square(up);
  const weight = matrix(7, hidden, width);
  const rotation = { cos: matrix(8, tokens, width / heads / 2), sin: matrix(9, tokens, width / heads / 2) };
  const sight = packRows(Array.from({ length: rows }, () => new Int32Array(length)));
  const seeing: AttentionInput = {
    ...sight,
    query: x,
    key: over,
    value: matrix(10, tokens, width),
    heads,
    keyValueHeads: heads,
  };
  const attended = attention(seeing);
  const logits = {
    logits: matrix(11, tokens, vocabulary),
    targets: Int32Array.from({ length: tokens }, (_, token) => token % vocabulary),
    temperature: 1,
  };
  const scores = scoreRows(logits);
  const slopes = { logprob: matrix(12, tokens, 1), entropy: matrix(13, tokens, 1) };
  return {
    product: {
      kernel: kernelNames.product,
      run: () => ({ y: product(x, weight) }),
      otherwise: () => ({ y: matMul(x, transpose(weight)) }),
    },
    productByInput: {
      kernel: kernelNames.product,
      run: () => ({ x: productGradientByInput(overGated, weight) }),
    },
    productByWeight: {
      kernel: kernelNames.product,
      run: () => ({ weight: productGradientByWeight(overGated, x) }),
      otherwise: () => ({ weight: matMul(transpose(overGated), x) }),
    },
    attention: { kernel: kernelNames.attention, run: () => attention(seeing) },
    attentionGradient: {
      kernel: kernelNames.attentionGradient,
      run: () => attentionGradient(seeing, attended, over),
    },
    rmsNorm: { kernel: kernelNames.rmsNorm, run: () => ({ y: rmsNorm(x, scale, 1e-6) }) },
    rmsNormGradient: {
      kernel: kernelNames.rmsNormGradient,
      run: () => rmsNormGradient(x, scale, 1e-6, over),
    },
    gate: { kernel: kernelNames.gate, run: () => ({ y: gate(gating, up) }) },
    gateGradient: { kernel: kernelNames.gateGradient, run: () => gateGradient(gating, up, overGated) },
    rotate: { kernel: kernelNames.rotate, run: () => ({ y: rotate(x, rotation, heads) }) },
    scoreRows: { kernel: kernelNames.scoreRows, run: () => scoreRows(logits) },
    adam: {
      kernel: kernelNames.adam,
      run: () => adamStep({ value: gating, first: up, second: squares }, overGated, constants),
    },
    scoreRowsGradient: {
      kernel: kernelNames.scoreRowsGradient,
      run: () => ({ logits: scoreRowsGradient(logits, scores, slopes) }),
    },
  };
}

/** Milliseconds of the processor, of all threads: on a machine that others use they say more than the clock, and a software driver computes there. */
async function time(backend: TensorBackend, run: () => Results): Promise<number> {
  const used = process.cpuUsage();
  const made = backend.run(() => ({ ...run() }));
  const last = Object.values(made).findLast((tensor) => tensor !== undefined);
  if (backend.name === 'webgpu' && last !== undefined) await backend.read(last); // once it is there, all before it are
  const { user, system } = process.cpuUsage(used);
  dispose(made);
  return (user + system) / 1000;
}

async function timeWithout(backend: TensorBackend, { kernel, run, otherwise }: Case): Promise<number> {
  const config = otherwise !== undefined ? undefined : getKernel(kernel, backend.name);
  if (config === undefined) return time(backend, otherwise ?? run);
  unregisterKernel(config.kernelName, config.backendName);
  try {
    return await time(backend, run);
  } finally {
    registerKernel(config);
  }
}

async function measure(backend: TensorBackend, size: Size) {
  backend.run(() => undefined); // makes it the one that tensors are made on; these stay
  const cases = casesOf(size);
  const found: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(cases)) {
    if (getKernel(one.kernel, backend.name) === undefined) continue;
    const [own, composed]: [number[], number[]] = [[], []];
    for (let round = -3; round < size.rounds; round += 1) {
      const times = [await time(backend, one.run), await timeWithout(backend, one)] as const;
      if (round < 0) continue;
      own.push(times[0]);
      composed.push(times[1]);
    }
    const [ms, composedMs] = [median(own), median(composed)];
    found[name] = {
      ms: rounded(ms),
      composedMs: rounded(composedMs),
      times: Math.round((100 * composedMs) / ms) / 100,
    };
  }
  return { why: backend.why, size, found };
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;

/** On any GPU, or on the software driver where the environment names it. */
async function measureWebgpu(): Promise<unknown> {
  try {
    return await measure(await openBackend('webgpu'), {
      rows: 4,
      length: 64,
      width: 128,
      hidden: 344,
      heads: 4,
      vocabulary: 512,
      rounds: 15,
    });
  } catch (thrown) {
    return `not measured: ${messageOf(thrown)}`;
  }
}

const wasm = await measure(await openBackend('wasm'), {
  rows: 16,
  length: 128,
  width: 128,
  hidden: 344,
  heads: 4,
  vocabulary: 512,
  rounds: 25,
});
const webgpu = await measureWebgpu();
printReport({
  what: 'operations of a transformer with our kernel and composed of those of TensorFlow.js, in turn, milliseconds of processor time',
  ...machine,
  loadAfter: machineLoad(),
  wasm,
  webgpu,
});
