import { env, type TensorInfo } from '@tensorflow/tfjs-core';
import type { WebGPUBackend, WebGPUProgram } from '@tensorflow/tfjs-backend-webgpu';
import { Bindings } from './bindings.ts';
import type { UniformField } from './uniform-words.ts';

/** Groups of bindings that are kept at most, five to eight kilobytes of the processor's memory each: 130 MB of it. */
const mostKept = 16_384;

/**
 * Makes a backend keep the bindings of a shader call for the next equal call. By default it fills a buffer
 * with uniforms and makes a group of bindings for each call. This is two fifths of the processor time of a
 * call (bench/model/webgpu-calls). Here calls of one shader on the same buffers share a group, and its
 * uniforms are written again only if they change. Passes of generation and steps of training of similar size
 * find their groups, because `reuseBuffers` gives out buffers of few sizes in one order.
 *
 * @param most the number of kept groups; beyond it the least recently used are released
 * @throws TypeError if the backend is of a version that works differently
 */
export function keepBindings(backend: WebGPUBackend, most = mostKept): void {
  const inner: object = backend;
  if (!isInner(inner))
    throw new TypeError('@tensorflow/tfjs-backend-webgpu is of a version that keeps its calls otherwise');
  const recordByItself = inner.recordAndSubmit.bind(backend);
  const bindings = new Bindings(backend.device, most);

  inner.recordAndSubmit = (program, output, inputs, given) => {
    const { pipeline, dispatch, pixelsOpType } = program;
    const tensors = [output, ...inputs];
    const buffers = tensors
      .map(({ dataId }) => backend.tensorMap.get(dataId).resource)
      .filter((resource) => resource instanceof GPUBuffer);
    const isTimed = inner.activeTimers !== undefined && inner.activeTimers !== null;
    if (
      !(pipeline instanceof GPUComputePipeline) ||
      buffers.length < tensors.length ||
      pixelsOpType !== undefined ||
      isTimed
    ) {
      recordByItself(program, output, inputs, given);
      return;
    }
    if (inner.dispatchCountInPass === 0) bindings.beginBatch();
    const group = bindings.of(pipeline, buffers, {
      shapes: [...inputs, output].map(({ shape }) => shape),
      size: sizeGiven(program),
      fields: given ?? [],
    });
    for (const { dataId } of tensors) inner.commandQueueOwnedIds.add(dataId);
    const pass = openPass(backend, inner);
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(...dispatch);
    inner.dispatchCountInPass += 1;
    if (inner.dispatchCountInPass < env().getNumber('WEBGPU_DEFERRED_SUBMIT_BATCH_SIZE')) return;
    backend.endComputePassEncoder();
    backend.submitQueue();
  };
  const disposeByItself = backend.dispose.bind(backend);
  backend.dispose = () => {
    bindings.dispose();
    disposeByItself();
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
  recordAndSubmit: (
    program: WebGPUProgram,
    output: TensorInfo,
    inputs: TensorInfo[],
    fields?: UniformField[] | null,
  ) => void;
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
