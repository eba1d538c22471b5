import { getKernel, registerKernel, type NamedTensorInfoMap, type TensorInfo } from '@tensorflow/tfjs-core';
import type { WebGPUBackend, WebGPUProgram } from '@tensorflow/tfjs-backend-webgpu';
import { kernelNames } from './operations.ts';

/** Registers our kernels for `webgpu`. A second call does nothing. */
export function registerWebgpuKernels(Backend: typeof WebGPUBackend): void {
  const kernels = [
    { kernelName: kernelNames.bagSum, compute: bagSumKernel },
    { kernelName: kernelNames.writeRows, compute: writeRowsKernel },
  ];
  for (const { kernelName, compute } of kernels) {
    if (getKernel(kernelName, 'webgpu') !== undefined) continue;
    registerKernel({
      kernelName,
      backendName: 'webgpu',
      kernelFunc: ({ inputs, backend }) => {
        if (!(backend instanceof Backend)) throw new TypeError('a webgpu kernel was given another backend');
        return compute(inputs, backend);
      },
    });
  }
}

function bagSumKernel(inputs: NamedTensorInfoMap, backend: WebGPUBackend): TensorInfo {
  const { table, members, start } = inputs;
  if (table === undefined || members === undefined || start === undefined) throw new TypeError('the bag kernel needs table, members and start');
  return backend.runWebGPUProgram(new BagSumProgram((start.shape[0] as number) - 1, table.shape[1] as number), [table, members, start], 'float32');
}

/** One thread a sum: it walks through its bag, and neighbours read neighbouring columns. No atomics, so the result is fixed. */
class BagSumProgram implements WebGPUProgram {
  readonly variableNames = ['table', 'members', 'start'];
  readonly shaderKey = 'cairnBagSum';
  readonly size = true;
  readonly workgroupSize: [number, number, number] = [64, 1, 1];
  readonly dispatchLayout = { x: [0, 1] };
  outputShape: number[];
  dispatch: [number, number, number];

  constructor(bags: number, width: number) {
    this.outputShape = [bags, width];
    this.dispatch = [Math.ceil((bags * width) / this.workgroupSize[0]), 1, 1];
  }

  getUserCode(): string {
    return `
      fn main(index : i32) {
        if (index < uniforms.size) {
          let width = uniforms.outShape[1];
          let bag = index / width;
          let column = index % width;
          var sum = 0.0;
          for (var at = start[bag]; at < start[bag + 1]; at = at + 1) {
            sum = sum + table[members[at] * width + column];
          }
          setOutputAtIndex(index, sum);
        }
      }
    `;
  }
}

function writeRowsKernel(inputs: NamedTensorInfoMap, backend: WebGPUBackend): TensorInfo[] {
  const { matrix, fresh, rows } = inputs;
  if (matrix === undefined || fresh === undefined || rows === undefined) throw new TypeError('the kernel that writes rows needs matrix, fresh and rows');
  backend.runWebGPUProgram(new WriteRowsProgram(matrix.shape, fresh.shape), [fresh, rows], 'float32', undefined, matrix);
  return [];
}

/** One thread a fresh number. What is not written stays: the program's output is the matrix itself. */
class WriteRowsProgram implements WebGPUProgram {
  readonly variableNames = ['fresh', 'rows'];
  readonly shaderKey = 'cairnWriteRows';
  readonly workgroupSize: [number, number, number] = [64, 1, 1];
  readonly dispatchLayout = { x: [0, 1] };
  outputShape: number[];
  dispatch: [number, number, number];

  constructor(shape: number[], [count = 0, width = 0]: number[]) {
    this.outputShape = shape;
    this.dispatch = [Math.ceil((count * width) / this.workgroupSize[0]), 1, 1];
  }

  getUserCode(): string {
    return `
      fn main(index : i32) {
        let width = uniforms.outShape[1];
        if (index < uniforms.freshShape[0] * width) {
          setOutputAtIndex(rows[index / width] * width + index % width, fresh[index]);
        }
      }
    `;
  }
}
