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
  /** Whether arrays are of numbers or of vectors of four, into which their last sides must divide; of numbers where it is left out. */
  readonly components?: { readonly output: 1 | 4; readonly inputs: readonly (1 | 4)[] };
  /** Declares `fn main(index : i32)`, with the number of the thread; threads beyond the last may run. May call `exponential` and `logarithm`. */
  readonly code: string | (() => string); // long ones are put together only where no shader of that name was translated yet
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
  readonly #code: string | (() => string);
  shaderKey: string; // the backend appends other traits that distinguish shaders
  outputShape: number[];
  dispatch: [number, number, number];
  readonly outputComponent: number;
  readonly variableComponents: number[];

  constructor({
    name,
    variables,
    outputShape,
    threads = 64,
    groups,
    uniforms = '',
    components,
    code,
  }: ShaderOptions) {
    const outputs = outputShape.reduce((size, length) => size * length, 1);
    this.shaderKey = `cairn_${name}`;
    this.variableNames = [...variables];
    this.outputShape = outputShape;
    this.workgroupSize = [threads, 1, 1];
    this.dispatch = [groups ?? Math.ceil(outputs / threads), 1, 1];
    this.uniforms = uniforms;
    this.outputComponent = components?.output ?? 1;
    this.variableComponents = [...(components?.inputs ?? variables.map(() => 1))];
    this.#code = code;
  }

  getUserCode(): string {
    const code = this.#code;
    return `${careful}\n${typeof code === 'string' ? code : code()}`;
  }
}
