import type { TensorInfo } from '@tensorflow/tfjs-core';
import type { WebGPUBackend, WebGPUProgram } from '@tensorflow/tfjs-backend-webgpu';
import { UniformWords, type UniformField, type UniformSource } from './uniform-words.ts';

/** Groups of bindings that are kept at most: those of passes of a few hundred sizes. */
const mostKept = 16_384;
/** Calls that are submitted together, as many as the backend submits by itself. */
const callsTogether = 15;

/**
 * Makes a backend keep what it binds for a call of a shader, for the next one like it. By itself it fills a buffer with uniforms and makes a
 * group of bindings for each call, which is more than half of what a call costs the processor (bench/model/gpu). Here equal uniforms share a
 * buffer that is written once, and calls of one shader on the same buffers share a group. A pass of generation, or a step of training, as
 * large as one before it finds all its groups, since `reuseBuffers` gives buffers out in one order.
 *
 * @param most groups that are kept; beyond it all are made anew
 * @throws TypeError where the backend is of a version that works otherwise
 */
export function keepBindings(backend: WebGPUBackend, most = mostKept): void {
  const inner: object = backend;
  if (!isInner(inner)) throw new TypeError('@tensorflow/tfjs-backend-webgpu is of a version that keeps its calls otherwise');
  const recordByItself = inner.recordAndSubmit.bind(backend);
  const bindings = new Bindings(backend.device, most);

  inner.recordAndSubmit = (program, output, inputs, fields = []) => {
    const { pipeline, dispatch, pixelsOpType } = program;
    const tensors = [output, ...inputs];
    const buffers = tensors.map(({ dataId }) => backend.tensorMap.get(dataId).resource).filter((resource) => resource instanceof GPUBuffer);
    const isTimed = inner.activeTimers !== undefined && inner.activeTimers !== null;
    if (!(pipeline instanceof GPUComputePipeline) || buffers.length < tensors.length || pixelsOpType !== undefined || isTimed) {
      recordByItself(program, output, inputs, fields);
      return;
    }
    if (inner.dispatchCountInPass === 0) bindings.makeRoom();
    const group = bindings.of(pipeline, buffers, { shapes: [...inputs, output].map(({ shape }) => shape), size: sizeGiven(program), fields });
    for (const { dataId } of tensors) inner.commandQueueOwnedIds.add(dataId);
    const pass = openPass(backend, inner);
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(...dispatch);
    inner.dispatchCountInPass += 1;
    if (inner.dispatchCountInPass < callsTogether) return;
    backend.endComputePassEncoder();
    backend.submitQueue();
  };
}

/** What the backend has for itself alone. */
interface Inner {
  /** Tensors that commands use which are not submitted yet. */
  readonly commandQueueOwnedIds: WeakSet<object>;
  readonly commandEncoder: GPUCommandEncoder | null;
  computePassEncoder: GPUComputePassEncoder | null;
  /** Calls that are not submitted yet. */
  dispatchCountInPass: number;
  /** There where calls are timed. */
  readonly activeTimers?: unknown;
  recordAndSubmit: (program: WebGPUProgram, output: TensorInfo, inputs: TensorInfo[], fields?: UniformField[]) => void;
}

function isInner(backend: object): backend is Inner {
  const has = (name: string, isIt: (value: unknown) => boolean): boolean => isIt(Reflect.get(backend, name));
  const isClosed = (value: unknown): boolean => value === null; // as they are before the first call
  return (
    has('commandQueueOwnedIds', (value) => value instanceof WeakSet) &&
    has('dispatchCountInPass', (value) => value === 0) &&
    has('recordAndSubmit', (value) => typeof value === 'function') &&
    has('commandEncoder', isClosed) &&
    has('computePassEncoder', isClosed)
  );
}

function openPass(backend: WebGPUBackend, inner: Inner): GPUComputePassEncoder {
  backend.ensureCommandEncoderReady();
  const pass = inner.computePassEncoder ?? inner.commandEncoder?.beginComputePass();
  if (pass === undefined) throw new TypeError('the backend has no encoder of commands');
  inner.computePassEncoder = pass;
  return pass;
}

/** How many numbers, or vectors, the output has, where the shader asks. */
function sizeGiven({ size = false, outputShape, outputComponent = 1 }: WebGPUProgram): number | undefined {
  return size ? outputShape.reduce((product, side) => product * side, 1) / outputComponent : undefined;
}

class Bindings {
  readonly #device: WebGPUBackend['device'];
  readonly #most: number;
  readonly #words = new UniformWords();
  readonly #uniforms = new Map<string, GPUBuffer>();
  readonly #groups = new Map<string, GPUBindGroup>();
  readonly #numbers = new WeakMap<object, number>();
  #numbered = 0;

  constructor(device: WebGPUBackend['device'], most: number) {
    this.#device = device;
    this.#most = most;
  }

  /** To be called where all commands are submitted. */
  makeRoom(): void {
    if (this.#groups.size < this.#most) return;
    for (const buffer of this.#uniforms.values()) buffer.destroy();
    this.#uniforms.clear();
    this.#groups.clear();
  }

  /** @param buffers of the output, then of the inputs */
  of(pipeline: GPUComputePipeline, buffers: readonly GPUBuffer[], source: UniformSource): GPUBindGroup {
    const bound = [...buffers, this.#uniformsOf(source)];
    const key = [pipeline, ...bound].map((part) => this.#numberOf(part)).join(' ');
    const kept = this.#groups.get(key);
    if (kept !== undefined) return kept;
    const entries = bound.map((buffer, binding) => ({ binding, resource: { buffer } }));
    const group = this.#device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
    this.#groups.set(key, group);
    return group;
  }

  #uniformsOf(source: UniformSource): GPUBuffer {
    const { bytes } = this.#words;
    const length = this.#words.write(source);
    const key = bytes.toString('latin1', 0, length);
    const kept = this.#uniforms.get(key);
    if (kept !== undefined) return kept;
    const buffer = this.#device.createBuffer({ size: length, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST });
    this.#device.queue.writeBuffer(buffer, 0, bytes, 0, length);
    this.#uniforms.set(key, buffer);
    return buffer;
  }

  /** Buffers and pipelines have no name of their own. */
  #numberOf(part: object): number {
    const known = this.#numbers.get(part);
    if (known !== undefined) return known;
    this.#numbered += 1;
    this.#numbers.set(part, this.#numbered);
    return this.#numbered;
  }
}
