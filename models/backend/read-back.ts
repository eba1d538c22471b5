import { util } from '@tensorflow/tfjs-core';
import type { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';
import { waitGently } from './wait-gently.ts';

/**
 * Makes a backend read as many numbers as a tensor has: its buffer can be longer, as `reuseBuffers` makes them. For a driver that computes
 * on the processor it waits without taking a core from it.
 */
export function readBack(backend: WebGPUBackend, { isSoftware }: { readonly isSoftware: boolean }): void {
  const readBuffer = backend.read.bind(backend);
  backend.read = async (dataId) => {
    const size = util.sizeFromShape(backend.tensorMap.get(dataId).shape);
    const reading = readBuffer(dataId);
    const values = await (isSoftware ? waitGently(reading) : reading);
    if (
      !(values instanceof Float32Array || values instanceof Int32Array || values instanceof Uint8Array) ||
      values.length === size
    )
      return values;
    const ofTensor = values.subarray(0, size);
    if (backend.tensorMap.has(dataId)) backend.tensorMap.get(dataId).values = ofTensor; // which it keeps
    return ofTensor;
  };
}
