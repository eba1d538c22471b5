import type { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';

/** Bytes up to which an upload goes with the queue. */
const most = 64 * 1024;

/**
 * Makes a backend upload small tensors with the queue of commands. By itself it makes a buffer for each that the processor can write into, and
 * copies from that: 78 microseconds on an H200, where a write of the queue takes 3 (bench/model/gpu). What is written so comes before all commands that are not submitted yet, none
 * of which uses the buffer: a backend gives a buffer out again only once the commands that used it are submitted.
 */
export function uploadInLine(backend: WebGPUBackend): void {
  const uploadLarge = backend.uploadToGPU.bind(backend);
  backend.uploadToGPU = (dataId) => {
    const data = backend.tensorMap.get(dataId);
    const { values, resource } = data;
    const isSmall =
      (values instanceof Float32Array || values instanceof Int32Array) &&
      values.byteLength <= most &&
      values.byteLength > 0;
    if (!isSmall || (resource !== undefined && resource !== null) || !fitsType(values, data.dtype))
      return uploadLarge(dataId);
    const buffer = backend.bufferManager.acquireBuffer(
      values.byteLength,
      GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    );
    backend.queue.writeBuffer(buffer, 0, values.buffer, values.byteOffset, values.byteLength);
    data.resource = buffer;
    Reflect.deleteProperty(data, 'values');
  };
}

/** Whether the numbers stand in the buffer as they stand in the array. */
const fitsType = (values: Float32Array | Int32Array, type: string): boolean =>
  values instanceof Float32Array ? type === 'float32' : type === 'int32';
