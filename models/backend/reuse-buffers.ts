import type { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';
import { FreeBuffers } from './free-buffers.ts';

type BufferManager = WebGPUBackend['bufferManager'];
type Buffer = ReturnType<BufferManager['acquireBuffer']>;

/** What is allocated at most, as a multiple of what was in use at most of late. */
const mostTimes = 2;
/** Buffers asked for in that time, and in the time before it: some steps of training, some dozen passes of generation. */
const ofLate = 10_000;
/** Below it nothing is given back, in bytes. */
const littleEnough = 128 * 2 ** 20;

/** Buffers of so many bytes or less are made as large as a power of two. */
const small = 2 ** 20;
const fewest = 64;
/** From one size that is made to the next, as a part of the power of two below. */
const parts = 16;

/**
 * The size of the buffer for a request, in bytes. There are few sizes, so that the buffers freed by one batch
 * fit the next. A large buffer is at most a sixteenth larger than requested. A small one is up to twice as
 * large. Small ones belong to passes whose number of tokens varies a little.
 *
 * @param limit of the device
 */
export function bufferSize(bytes: number, limit = Number.POSITIVE_INFINITY): number {
  if (bytes <= small) return Math.max(fewest, 2 ** Math.ceil(Math.log2(bytes)));
  const grain = 2 ** Math.floor(Math.log2(bytes)) / parts;
  const made = Math.ceil(bytes / grain) * grain;
  return made > limit ? bytes : made;
}

/**
 * Makes the manager of a backend return buffers to the driver. By default it keeps each freed buffer for the
 * next request of exactly its size. With batches of many sizes, unused buffers then fill a GPU's memory, and
 * each batch waits for new ones. From now on there are few sizes. The buffers freed longest ago are returned
 * once twice as much is allocated as was in use recently. A buffer that is read back can be longer than its
 * tensor. Call it before the backend makes its first buffer.
 */
export function reuseBuffers(manager: BufferManager, device: WebGPUBackend['device']): void {
  const used = new Set<Buffer>();
  const free = new FreeBuffers<Buffer>();
  let [mostUsed, mostBefore, asked] = [0, 0, 0]; // bytes, bytes in the time before, buffers
  const largest = Math.min(device.limits.maxBufferSize, device.limits.maxStorageBufferBindingSize);

  const destroy = (buffer: Buffer): void => {
    buffer.destroy();
    manager.numBytesAllocated -= buffer.size;
  };
  /** @param wanted bytes that are about to be allocated */
  const giveBackOldest = (wanted: number): void => {
    const mostInUse = Math.max(mostUsed, mostBefore, manager.numBytesUsed + wanted);
    for (const buffer of free) {
      if (manager.numBytesAllocated + wanted <= Math.max(littleEnough, mostTimes * mostInUse)) return;
      free.drop(buffer);
      destroy(buffer);
    }
  };

  manager.acquireBuffer = (bytes, usage, mappedAtCreation = false, reuse = true) => {
    const size = bufferSize(bytes, largest);
    let buffer = reuse ? free.take(size, usage) : undefined;
    if (buffer === undefined) {
      giveBackOldest(size);
      buffer = device.createBuffer({ size, usage, mappedAtCreation });
      free.number(buffer);
      manager.numBytesAllocated += size;
    }
    used.add(buffer);
    manager.numBytesUsed += size;
    mostUsed = Math.max(mostUsed, manager.numBytesUsed);
    asked += 1;
    if (asked % ofLate === 0) [mostUsed, mostBefore] = [manager.numBytesUsed, mostUsed];
    return buffer;
  };
  manager.releaseBuffer = (buffer, reuse = true) => {
    if (!used.delete(buffer)) return; // after dispose
    manager.numBytesUsed -= buffer.size;
    if (!reuse) {
      destroy(buffer);
      return;
    }
    free.add(buffer);
    giveBackOldest(0);
  };
  manager.getNumUsedBuffers = () => used.size;
  manager.getNumFreeBuffers = () => free.count;
  manager.dispose = () => {
    for (const buffer of [...used, ...free]) buffer.destroy();
    used.clear();
    free.clear();
    manager.numBytesUsed = 0;
    manager.numBytesAllocated = 0;
  };
}
