import type { TensorInfo } from '@tensorflow/tfjs-core';
import { adamCoefficients } from '../adam-coefficients.ts';
import { readAdamConstants } from '../operations.ts';
import type { KernelCall } from './kernel-call.ts';

/** Kernels with one thread an entry, whose value the code leaves in `entry`. */
function runEntries(
  call: KernelCall,
  of: {
    readonly name: string;
    readonly variables: readonly string[];
    readonly like: string;
    readonly code: string;
    readonly numbers?: Readonly<Record<string, number>>;
  },
  others: Readonly<Record<string, TensorInfo>> = {},
): TensorInfo {
  const { name, variables, like, code, numbers = {} } = of;
  const main = `
    fn main(index : i32) {
      if (index < uniforms.size) {
        ${code}
        setOutputAtIndex(index, entry);
      }
    }`;
  const uniforms = Object.keys(numbers)
    .map((number) => `${number} : f32,`)
    .join(' ');
  return call.run(
    { name, variables, outputShape: call.input(like).shape, code: main, uniforms },
    { numbers: Object.values(numbers), others },
  );
}

const open = 'let open = 1.0 / (1.0 + exponential(-gating[index]));';

export function gateKernel(call: KernelCall): TensorInfo {
  return runEntries(call, {
    name: 'gate',
    variables: ['gating', 'up'],
    like: 'up',
    code: `${open} let entry = gating[index] * open * up[index];`,
  });
}

/** The gradients by both. */
export function gateGradientKernel(call: KernelCall): TensorInfo[] {
  const bend = 'open * (1.0 + gating[index] * (1.0 - open))';
  return [
    runEntries(call, {
      name: 'gateOverGating',
      variables: ['gating', 'up', 'gradient'],
      like: 'gating',
      code: `${open} let entry = gradient[index] * up[index] * ${bend};`,
    }),
    runEntries(call, {
      name: 'gateOverUp',
      variables: ['gating', 'gradient'],
      like: 'up',
      code: `${open} let entry = gradient[index] * gating[index] * open;`,
    }),
  ];
}

export function rotateKernel(call: KernelCall): TensorInfo {
  const code = `
    let pairs = uniforms.cosShape[1];
    let within = index % (2 * pairs);
    let angle = (index / uniforms.outShape[1]) * pairs + within % pairs;
    var other = 0.0;
    if (within < pairs) { other = -x[index + pairs]; } else { other = x[index - pairs]; }
    let entry = x[index] * cos[angle] + other * sin[angle];`;
  return runEntries(call, { name: 'rotate', variables: ['x', 'cos', 'sin'], like: 'x', code });
}

export function scoreRowsGradientKernel(call: KernelCall): TensorInfo {
  const code = `
    let row = index / uniforms.outShape[1];
    let logShare = uniforms.factor * logits[index] - logSum[row];
    let ofTarget = select(0.0, overLogprob[row], index % uniforms.outShape[1] == targets[row]);
    let entry = uniforms.factor * (ofTarget - exponential(logShare) * (overLogprob[row] + overEntropy[row] * (logShare + entropy[row])));`;
  const variables = ['logits', 'targets', 'logSum', 'entropy', 'overLogprob', 'overEntropy'];
  return runEntries(call, {
    name: 'scoreRowsGradient',
    variables,
    like: 'logits',
    code,
    numbers: { factor: call.number('factor') },
  });
}

/** Value and moments after a step of AdamW, the moments first: the value is made of them. */
export function adamKernel(call: KernelCall): TensorInfo[] {
  const { gradientScale, beta1, rest1, beta2, rest2, keep, stepSize, secondScale, epsilon } =
    adamCoefficients(readAdamConstants(call.attributes));
  const slope = 'let slope = uniforms.gradientScale * gradient[index];';
  const variables = ['before', 'gradient'];
  const first = runEntries(
    call,
    {
      name: 'adamFirst',
      variables,
      like: 'first',
      code: `${slope} let entry = uniforms.beta1 * before[index] + uniforms.rest1 * slope;`,
      numbers: { gradientScale, beta1, rest1 },
    },
    { before: call.input('first') },
  );
  const second = runEntries(
    call,
    {
      name: 'adamSecond',
      variables,
      like: 'second',
      code: `${slope} let entry = uniforms.beta2 * before[index] + uniforms.rest2 * slope * slope;`,
      numbers: { gradientScale, beta2, rest2 },
    },
    { before: call.input('second') },
  );
  const code =
    'let entry = uniforms.keep * before[index] - uniforms.stepSize * first[index] / (sqrt(second[index]) * uniforms.secondScale + uniforms.epsilon);';
  const value = runEntries(
    call,
    {
      name: 'adamValue',
      variables: ['before', 'first', 'second'],
      like: 'value',
      code,
      numbers: { keep, stepSize, secondScale, epsilon },
    },
    { before: call.input('value'), first, second },
  );
  return [value, first, second];
}
