import type { NamedAttrMap, NamedTensorInfoMap, TensorInfo } from '@tensorflow/tfjs-core';
import { kernelInput } from './kernel-input.ts';
import type { LogitArrays, NormArrays } from './token-loops.ts';
import type { TypedArrayAccess } from './typed-array-kernels.ts';

/** Each in one pass, where operations of TensorFlow.js would each write all of it. */

export function rmsNormKernel(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
  attributes: NamedAttrMap | undefined,
): TensorInfo {
  const made = access.make(kernelInput(inputs, 'x').shape);
  access.loops.rmsNorm(normArrays(inputs, access, attributes), access.floats(made));
  return made;
}

/** The gradients by x and by the scale. */
export function rmsNormGradientKernel(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
  attributes: NamedAttrMap | undefined,
): TensorInfo[] {
  const made = ['x', 'scale'].map((name) => access.make(kernelInput(inputs, name).shape));
  const [x, scale] = made.map((tensor) => access.floats(tensor)) as [Float32Array, Float32Array];
  access.loops.rmsNormGradient(
    normArrays(inputs, access, attributes),
    access.floats(kernelInput(inputs, 'gradient')),
    { x, scale },
  );
  return made;
}

export function gateKernel(inputs: NamedTensorInfoMap, access: TypedArrayAccess): TensorInfo {
  const made = access.make(kernelInput(inputs, 'up').shape);
  access.loops.gate(
    { gating: access.floats(kernelInput(inputs, 'gating')), up: access.floats(kernelInput(inputs, 'up')) },
    access.floats(made),
  );
  return made;
}

/** The gradients by both. */
export function gateGradientKernel(inputs: NamedTensorInfoMap, access: TypedArrayAccess): TensorInfo[] {
  const read = (name: string): Float32Array => access.floats(kernelInput(inputs, name));
  const made = ['gating', 'up'].map((name) => access.make(kernelInput(inputs, name).shape));
  const [gating, up] = made.map((tensor) => access.floats(tensor)) as [Float32Array, Float32Array];
  access.loops.gateGradient({ gating: read('gating'), up: read('up') }, read('gradient'), { gating, up });
  return made;
}

export function rotateKernel(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
  attributes: NamedAttrMap | undefined,
): TensorInfo {
  const made = access.make(kernelInput(inputs, 'x').shape);
  const read = (name: string): Float32Array => access.floats(kernelInput(inputs, name));
  const pairs = kernelInput(inputs, 'cos').shape[1] as number;
  access.loops.rotate(
    { x: read('x'), cos: read('cos'), sin: read('sin'), heads: numberNamed(attributes, 'heads'), pairs },
    access.floats(made),
  );
  return made;
}

/** Log-probabilities, log-sums and entropies. */
export function scoreRowsKernel(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
  attributes: NamedAttrMap | undefined,
): TensorInfo[] {
  const rows = kernelInput(inputs, 'logits').shape[0] as number;
  const made = Array.from({ length: 3 }, () => access.make([rows, 1]));
  const [logprob, logSum, entropy] = made.map((tensor) => access.floats(tensor)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  access.loops.scoreRows(logitArrays(inputs, access, attributes), { logprob, logSum, entropy });
  return made;
}

export function scoreRowsGradientKernel(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
  attributes: NamedAttrMap | undefined,
): TensorInfo {
  const made = access.make(kernelInput(inputs, 'logits').shape);
  const read = (name: string): Float32Array => access.floats(kernelInput(inputs, name));
  const slopes = {
    logSum: read('logSum'),
    entropy: read('entropy'),
    overLogprob: read('overLogprob'),
    overEntropy: read('overEntropy'),
  };
  access.loops.scoreRowsGradient(logitArrays(inputs, access, attributes), slopes, access.floats(made));
  return made;
}

function normArrays(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
  attributes: NamedAttrMap | undefined,
): NormArrays {
  return {
    x: access.floats(kernelInput(inputs, 'x')),
    scale: access.floats(kernelInput(inputs, 'scale')),
    epsilon: numberNamed(attributes, 'epsilon'),
  };
}

function logitArrays(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
  attributes: NamedAttrMap | undefined,
): LogitArrays {
  return {
    logits: access.floats(kernelInput(inputs, 'logits')),
    targets: access.integers(kernelInput(inputs, 'targets')),
    factor: numberNamed(attributes, 'factor'),
  };
}

function numberNamed(attributes: NamedAttrMap | undefined, name: string): number {
  const value = attributes?.[name];
  if (typeof value !== 'number') throw new TypeError(`the kernel needs the number ${name}`);
  return value;
}
