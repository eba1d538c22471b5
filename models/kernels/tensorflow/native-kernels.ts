import {
  registerKernel,
  scalar,
  tensor1d,
  type KernelFunc,
  type NamedAttrMap,
  type NamedTensorInfoMap,
  type Tensor,
  type TensorInfo,
} from '@tensorflow/tfjs-core';
import { adamCoefficients } from '../adam-coefficients.ts';
import { kernelInput } from '../kernel-input.ts';
import { kernelNames, readAdamConstants } from '../operations.ts';

/** Version of the kernels in `native/`, which the binding reports if it was built with them. See `operators.cc`. */
const nativeVersion = 1;

/** What the backend of `@tensorflow/tfjs-node-gpu` runs operators with. */
export interface OperatorBackend {
  readonly binding: {
    readonly TF_ATTR_BOOL: number;
    readonly TF_ATTR_TYPE: number;
    readonly TF_FLOAT: number;
  };
  executeMultipleOutputs(
    name: string,
    attributes: readonly OperatorAttribute[],
    inputs: readonly TensorInfo[],
    outputs: number,
  ): TensorInfo[];
  readSync(dataId: object): ArrayLike<number>;
}

interface OperatorAttribute {
  readonly name: string;
  readonly type: number;
  readonly value: boolean | number;
}

export function isOperatorBackend(backend: object): backend is OperatorBackend {
  return (
    typeof Reflect.get(backend, 'executeMultipleOutputs') === 'function' &&
    typeof Reflect.get(backend, 'readSync') === 'function' &&
    typeof Reflect.get(backend, 'binding') === 'object'
  );
}

/** Registers the product of matrices, by an operator of TensorFlow's, which runs on every device. */
export function registerTensorflowProduct(): void {
  register(kernelNames.product, (backend, inputs, attributes) => {
    const [left, right] = [kernelInput(inputs, 'left'), kernelInput(inputs, 'right')];
    const { TF_ATTR_BOOL, TF_ATTR_TYPE, TF_FLOAT } = backend.binding;
    const turn = (name: string, value: unknown): OperatorAttribute => ({
      name,
      type: TF_ATTR_BOOL,
      value: value === true,
    });
    return backend.executeMultipleOutputs(
      'MatMul',
      [
        { name: 'T', type: TF_ATTR_TYPE, value: TF_FLOAT },
        turn('transpose_a', attributes?.['turnsLeft']),
        turn('transpose_b', attributes?.['turnsRight']),
      ],
      [left, right],
      1,
    );
  });
}

/** Why the binding's own kernels cannot be used; undefined if they can. */
export function whyNoNativeKernels(backend: OperatorBackend): string | undefined {
  let version: number | undefined;
  try {
    const [found] = backend.executeMultipleOutputs('CairnKernels', [], [], 1);
    if (found !== undefined) version = backend.readSync(found.dataId)[0];
  } catch {
    return 'Its binding was built without the kernels of Cairn';
  }
  return version === nativeVersion
    ? undefined
    : `Its binding was built with version ${version} of the kernels of Cairn, and this is version ${nativeVersion}`;
}

/** Registers the kernels of `native/`, which compute on the processor. */
export function registerNativeKernels(): void {
  native(kernelNames.rmsNorm, ['x', 'scale', { number: 'epsilon' }], 1);
  native(kernelNames.rmsNormGradient, ['x', 'scale', { number: 'epsilon' }, 'gradient'], 2);
  native(kernelNames.gate, ['gating', 'up'], 1);
  native(kernelNames.gateGradient, ['gating', 'up', 'gradient'], 2);
  native(kernelNames.rotate, ['x', 'cos', 'sin'], 1);
  native(kernelNames.scoreRows, ['logits', 'targets', { number: 'factor' }], 3);
  native(
    kernelNames.scoreRowsGradient,
    ['logits', 'targets', { number: 'factor' }, 'logSum', 'entropy', 'overLogprob', 'overEntropy'],
    1,
  );
  native(kernelNames.sumOfSquares, ['values'], 1);
  native(kernelNames.bagSum, ['table', 'members', 'start'], 1);
  native(kernelNames.writeRows, ['matrix', 'fresh', 'rows'], 0);
  native(kernelNames.attention, ['query', 'key', 'value', 'sight', headCounts], 2);
  native(
    kernelNames.attentionGradient,
    ['query', 'key', 'value', 'sight', headCounts, 'output', 'logSum', 'gradient'],
    3,
  );
  native(kernelNames.adam, ['value', 'first', 'second', 'gradient', adamNumbers], 3);
}

/** An input by its name, or made of attributes: as an attribute of an operator, each new value would stay in TensorFlow's cache of kernels. */
type Source = string | { readonly number: string } | ((attributes: NamedAttrMap | undefined) => Tensor);

const headCounts = (attributes: NamedAttrMap | undefined): Tensor =>
  tensor1d([numberNamed(attributes, 'heads'), numberNamed(attributes, 'keyValueHeads')], 'int32');

/** In the order of `AdamCoefficients` in `native/loops.h`. */
function adamNumbers(attributes: NamedAttrMap | undefined): Tensor {
  const { gradientScale, beta1, rest1, beta2, rest2, keep, stepSize, secondScale, epsilon } =
    adamCoefficients(readAdamConstants(attributes));
  return tensor1d([gradientScale, beta1, rest1, beta2, rest2, keep, stepSize, secondScale, epsilon]);
}

function native(name: string, sources: readonly Source[], outputs: number): void {
  register(name, (backend, inputs, attributes) => {
    const made: Tensor[] = [];
    const make = (tensor: Tensor): Tensor => {
      made.push(tensor);
      return tensor;
    };
    try {
      const given = sources.map((source) => {
        if (typeof source === 'string') return kernelInput(inputs, source);
        return make(
          typeof source === 'function' ? source(attributes) : scalar(numberNamed(attributes, source.number)),
        );
      });
      const results = backend.executeMultipleOutputs(name, [], given, outputs);
      return outputs === 1 ? (results[0] as TensorInfo) : results;
    } finally {
      for (const tensor of made) tensor.dispose();
    }
  });
}

function register(
  kernelName: string,
  body: (
    backend: OperatorBackend,
    inputs: NamedTensorInfoMap,
    attributes: NamedAttrMap | undefined,
  ) => TensorInfo | TensorInfo[],
): void {
  const kernelFunc: KernelFunc = ({ inputs, backend, attrs }) => {
    if (typeof backend !== 'object' || !isOperatorBackend(backend))
      throw new TypeError('a kernel of tensorflow was given another backend');
    return body(backend, inputs, attrs);
  };
  registerKernel({ kernelName, backendName: 'tensorflow', kernelFunc });
}

function numberNamed(attributes: NamedAttrMap | undefined, name: string): number {
  const value = attributes?.[name];
  if (typeof value !== 'number') throw new TypeError(`the kernel needs the number ${name}`);
  return value;
}
