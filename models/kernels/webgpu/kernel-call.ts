import type { NamedAttrMap, NamedTensorInfoMap, TensorInfo } from '@tensorflow/tfjs-core';
import type { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';
import { kernelInput } from '../kernel-input.ts';
import { KernelProgram, type ShaderOptions } from './kernel-program.ts';

interface Given {
  /** Inputs by name that are not of the call. */
  readonly others?: Readonly<Record<string, TensorInfo>>;
  /** The shader's uniforms that are floats, in their order. */
  readonly numbers?: readonly number[];
  /** Those that are integers, which are declared behind them. */
  readonly integers?: readonly number[];
  readonly into?: TensorInfo;
}

/** What a kernel was called with, and how it runs shaders. */
export class KernelCall {
  readonly #inputs: NamedTensorInfoMap;
  readonly backend: WebGPUBackend;
  readonly attributes: NamedAttrMap | undefined;

  constructor(inputs: NamedTensorInfoMap, backend: WebGPUBackend, attributes: NamedAttrMap | undefined) {
    this.#inputs = inputs;
    this.backend = backend;
    this.attributes = attributes;
  }

  input(name: string): TensorInfo {
    return kernelInput(this.#inputs, name);
  }

  /** A side of an input matrix. */
  side(name: string, which: 0 | 1): number {
    return this.input(name).shape[which] as number;
  }

  number(name: string): number {
    const value = this.attributes?.[name];
    if (typeof value !== 'number') throw new TypeError(`the kernel needs the number ${name}`);
    return value;
  }

  flag(name: string): boolean {
    const value = this.attributes?.[name];
    if (typeof value !== 'boolean') throw new TypeError(`the kernel needs to know ${name}`);
    return value;
  }

  /** Runs a shader, whose output is a new tensor unless it goes into one that is there. */
  run(options: ShaderOptions, { others = {}, numbers = [], integers = [], into }: Given = {}): TensorInfo {
    const inputs = options.variables.map((name) => others[name] ?? this.input(name));
    const uniforms = [
      ...numbers.map((number) => ({ type: 'float32', data: [number] })),
      ...integers.map((integer) => ({ type: 'int32', data: [integer] })),
    ];
    return this.backend.runWebGPUProgram(new KernelProgram(options), inputs, 'float32', uniforms, into);
  }

  /** Frees what the call made for itself. */
  free(tensor: TensorInfo): void {
    this.backend.disposeData(tensor.dataId);
  }
}
