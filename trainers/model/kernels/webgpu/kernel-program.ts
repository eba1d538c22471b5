import type { WebGPUProgram } from '@tensorflow/tfjs-backend-webgpu';

/** A compute shader with one output. */
export interface ShaderOptions {
  /** Names the code: equal names must have equal code. */
  readonly name: string;
  /** The inputs, each an array in the code, with its shape as uniforms.NAMEShape. */
  readonly variables: readonly string[];
  readonly outputShape: number[];
  /** Threads that work together, 64 where each works for itself. */
  readonly threads?: number;
  /** Groups of threads; as many as one thread an output takes, where it is left out. */
  readonly groups?: number;
  /** Declarations of what else is given, such as `epsilon : f32,`. */
  readonly uniforms?: string;
  /** Declares `fn main(index : i32)`, with the number of the thread; threads beyond the last may run. May call `exponential` and `logarithm`. */
  readonly code: string;
}

/** In shaders, where they keep what is no number none: drivers need not. */
const careful = `
  fn exponential(x : f32) -> f32 { return select(exp(x), x, isnan(x)); }
  fn logarithm(x : f32) -> f32 { return select(log(x), x, isnan(x)); }`;

export class KernelProgram implements WebGPUProgram {
  readonly variableNames: string[];
  readonly size = true;
  readonly workgroupSize: [number, number, number];
  readonly dispatchLayout = { x: [0] };
  readonly uniforms: string;
  readonly #code: string;
  shaderKey: string; // the backend writes what else tells shaders apart into it
  outputShape: number[];
  dispatch: [number, number, number];

  constructor({ name, variables, outputShape, threads = 64, groups, uniforms = '', code }: ShaderOptions) {
    const outputs = outputShape.reduce((size, length) => size * length, 1);
    this.shaderKey = `cairn_${name}`;
    this.variableNames = [...variables];
    this.outputShape = outputShape;
    this.workgroupSize = [threads, 1, 1];
    this.dispatch = [groups ?? Math.ceil(outputs / threads), 1, 1];
    this.uniforms = uniforms;
    this.#code = code;
  }

  getUserCode(): string {
    return `${careful}\n${this.#code}`;
  }
}
