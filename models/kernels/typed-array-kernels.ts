import {
  getKernel,
  registerKernel,
  type KernelConfig,
  type NamedTensorInfoMap,
  type TensorInfo,
} from '@tensorflow/tfjs-core';
import type { KernelLoops } from './kernel-loops.ts';
import { attentionGradientKernel, attentionKernel } from './attention-kernels.ts';
import { kernelInput as input } from './kernel-input.ts';
import { kernelNames, readAdamConstants } from './operations.ts';
import { isBfloat16, roundToBfloat16 } from './bfloat16.ts';
import { bfloat16ProductKernel, bfloat16RowsKernel, productKernel } from './product-kernel.ts';
import {
  gateGradientKernel,
  gateKernel,
  rmsNormGradientKernel,
  rmsNormKernel,
  rotateKernel,
  scoreRowsGradientKernel,
  scoreRowsKernel,
} from './token-kernels.ts';

/** How a backend shows its tensors as typed arrays, without a copy. */
export interface TypedArrayAccess {
  /** An uninitialised float32 tensor. Views taken before it are no longer valid. */
  make(shape: number[]): TensorInfo;
  floats(tensor: TensorInfo): Float32Array;
  integers(tensor: TensorInfo): Int32Array;
  readonly loops: KernelLoops;
}

/** Registers our kernels for a backend whose tensors lie in the processor's memory. A second call does nothing. */
export function registerTypedArrayKernels(
  backendName: string,
  accessOf: (backend: object) => TypedArrayAccess,
): void {
  const kernels: Pick<KernelConfig, 'kernelName' | 'kernelFunc'>[] = [
    {
      kernelName: kernelNames.bagSum,
      kernelFunc: ({ inputs, backend }) => bagSumKernel(inputs, accessOf(backend)),
    },
    {
      kernelName: kernelNames.adam,
      kernelFunc: ({ inputs, backend, attrs }) =>
        adamKernel(inputs, accessOf(backend), readAdamConstants(attrs)),
    },
    {
      kernelName: kernelNames.product,
      kernelFunc: ({ inputs, backend, attrs }) => productKernel(inputs, accessOf(backend), attrs),
    },
    {
      kernelName: kernelNames.bfloat16Product,
      kernelFunc: ({ inputs, backend, attrs }) => bfloat16ProductKernel(inputs, accessOf(backend), attrs),
    },
    {
      kernelName: kernelNames.bfloat16Rows,
      kernelFunc: ({ inputs, backend }) => bfloat16RowsKernel(inputs, accessOf(backend)),
    },
    {
      kernelName: kernelNames.attention,
      kernelFunc: ({ inputs, backend, attrs }) => attentionKernel(inputs, accessOf(backend), attrs),
    },
    {
      kernelName: kernelNames.attentionGradient,
      kernelFunc: ({ inputs, backend, attrs }) => attentionGradientKernel(inputs, accessOf(backend), attrs),
    },
    {
      kernelName: kernelNames.rmsNorm,
      kernelFunc: ({ inputs, backend, attrs }) => rmsNormKernel(inputs, accessOf(backend), attrs),
    },
    {
      kernelName: kernelNames.rmsNormGradient,
      kernelFunc: ({ inputs, backend, attrs }) => rmsNormGradientKernel(inputs, accessOf(backend), attrs),
    },
    {
      kernelName: kernelNames.gate,
      kernelFunc: ({ inputs, backend }) => gateKernel(inputs, accessOf(backend)),
    },
    {
      kernelName: kernelNames.gateGradient,
      kernelFunc: ({ inputs, backend }) => gateGradientKernel(inputs, accessOf(backend)),
    },
    {
      kernelName: kernelNames.scoreRows,
      kernelFunc: ({ inputs, backend, attrs }) => scoreRowsKernel(inputs, accessOf(backend), attrs),
    },
    {
      kernelName: kernelNames.scoreRowsGradient,
      kernelFunc: ({ inputs, backend, attrs }) => scoreRowsGradientKernel(inputs, accessOf(backend), attrs),
    },
    {
      kernelName: kernelNames.rotate,
      kernelFunc: ({ inputs, backend, attrs }) => rotateKernel(inputs, accessOf(backend), attrs),
    },
    {
      kernelName: kernelNames.writeRows,
      kernelFunc: ({ inputs, backend }) => writeRowsKernel(inputs, accessOf(backend)),
    },
    {
      kernelName: kernelNames.sumOfSquares,
      kernelFunc: ({ inputs, backend }) => sumOfSquaresKernel(inputs, accessOf(backend)),
    },
  ];
  for (const kernel of kernels) {
    if (getKernel(kernel.kernelName, backendName) === undefined) registerKernel({ ...kernel, backendName });
  }
}

function bagSumKernel(inputs: NamedTensorInfoMap, access: TypedArrayAccess): TensorInfo {
  const table = input(inputs, 'table');
  const start = input(inputs, 'start');
  const width = table.shape[1] as number;
  const out = access.make([(start.shape[0] as number) - 1, width]);
  const bags = { members: access.integers(input(inputs, 'members')), start: access.integers(start) };
  access.loops.bagSum(access.floats(table), bags, width, access.floats(out));
  return out;
}

function adamKernel(
  inputs: NamedTensorInfoMap,
  access: TypedArrayAccess,
  constants: ReturnType<typeof readAdamConstants>,
): TensorInfo[] {
  const names = ['value', 'first', 'second'] as const;
  const made = names.map((name) => access.make(input(inputs, name).shape));
  const [value, first, second] = made as [TensorInfo, TensorInfo, TensorInfo];
  const read = (name: string): Float32Array => access.floats(input(inputs, name));
  access.loops.adam(
    { value: read('value'), first: read('first'), second: read('second') },
    read('gradient'),
    constants,
    { value: access.floats(value), first: access.floats(first), second: access.floats(second) },
  );
  return made;
}

function sumOfSquaresKernel(inputs: NamedTensorInfoMap, access: TypedArrayAccess): TensorInfo {
  const out = access.make([]);
  access.floats(out)[0] = access.loops.sumOfSquares(access.floats(input(inputs, 'values')));
  return out;
}

function writeRowsKernel(inputs: NamedTensorInfoMap, access: TypedArrayAccess): TensorInfo[] {
  const matrix = input(inputs, 'matrix');
  const width = matrix.shape[1] as number;
  const fresh = access.floats(input(inputs, 'fresh'));
  if (isBfloat16(matrix)) {
    const packed = access.integers(matrix);
    for (const [place, row] of access.integers(input(inputs, 'rows')).entries())
      roundToBfloat16(
        fresh.subarray(2 * place * width, 2 * (place + 1) * width),
        packed.subarray(row * width, (row + 1) * width),
      );
    return [];
  }
  const values = access.floats(matrix);
  for (const [place, row] of access.integers(input(inputs, 'rows')).entries()) {
    values.set(fresh.subarray(place * width, (place + 1) * width), row * width);
  }
  return [];
}
