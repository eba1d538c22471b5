import type { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';

type BufferManager = WebGPUBackend['bufferManager'];
type Buffer = ReturnType<BufferManager['acquireBuffer']>;

/** What is allocated at most, as a multiple of what was in use at most of late. */
const mostTimes = 2;
/** Buffers asked for in that time, and in the time before it: some steps of training, some dozen passes of generation. */
const ofLate = 10_000;
/** Below it nothing is given back, in bytes. */
const littleEnough = 64 * 2 ** 20;

/** Buffers of so many bytes or less are made as they are asked for. */
const small = 4_096;
/** From one size that is made to the next, as a part of the power of two below. */
const parts = 16;

/** The bytes of the buffer that is made for so many: few sizes, so that what one batch freed fits the next, and at most a sixteenth more than is asked for. @param limit of the device */
export function bufferSize(bytes: number, limit = Number.POSITIVE_INFINITY): number {
  if (bytes <= small) return bytes;
  const grain = 2 ** Math.floor(Math.log2(bytes)) / parts;
  const made = Math.ceil(bytes / grain) * grain;
  return made > limit ? bytes : made;
}

/**
 * Makes the manager of a backend give buffers back to the driver. By itself it keeps each that was freed for the next of its very size, so
 * that where batches are of many sizes a GPU's memory fills up with buffers that nobody asks for again, and each batch waits for new ones. From
 * now on there are few sizes, and the buffers freed longest ago go once twice as much is allocated as was in use of late. What is read back can
 * be longer than its tensor. To be called before the backend makes its first buffer.
 */
export function reuseBuffers(manager: BufferManager, device: WebGPUBackend['device']): void {
  const used = new Set<Buffer>();
  const free = new Map<string, Buffer[]>(); // by size and usage
  const inOrder = new Set<Buffer>(); // all that are free, those freed longest ago first
  let [mostUsed, mostBefore, asked] = [0, 0, 0]; // bytes, bytes in the time before, buffers
  const largest = Math.min(device.limits.maxBufferSize, device.limits.maxStorageBufferBindingSize);
  const keyOf = (size: number, usage: number): string => `${size} ${usage}`;

  const takeFree = (size: number, usage: number): Buffer | undefined => {
    const buffer = free.get(keyOf(size, usage))?.pop();
    if (buffer !== undefined) inOrder.delete(buffer);
    return buffer;
  };
  const destroy = (buffer: Buffer): void => {
    buffer.destroy();
    manager.numBytesAllocated -= buffer.size;
  };
  /** @param wanted bytes that are about to be allocated */
  const giveBackOldest = (wanted: number): void => {
    const mostInUse = Math.max(mostUsed, mostBefore, manager.numBytesUsed + wanted);
    for (const buffer of inOrder) {
      if (manager.numBytesAllocated + wanted <= Math.max(littleEnough, mostTimes * mostInUse)) return;
      const key = keyOf(buffer.size, buffer.usage);
      const rest = (free.get(key) ?? []).filter((other) => other !== buffer);
      if (rest.length === 0) free.delete(key);
      else free.set(key, rest);
      inOrder.delete(buffer);
      destroy(buffer);
    }
  };

  manager.acquireBuffer = (bytes, usage, mappedAtCreation = false, reuse = true) => {
    const size = bufferSize(bytes, largest);
    let buffer = reuse ? takeFree(size, usage) : undefined;
    if (buffer === undefined) {
      giveBackOldest(size);
      buffer = device.createBuffer({ size, usage, mappedAtCreation });
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
    const key = keyOf(buffer.size, buffer.usage);
    const others = free.get(key);
    if (others === undefined) free.set(key, [buffer]);
    else others.push(buffer);
    inOrder.add(buffer);
    giveBackOldest(0);
  };
  manager.getNumUsedBuffers = () => used.size;
  manager.getNumFreeBuffers = () => inOrder.size;
  manager.dispose = () => {
    for (const buffer of [...used, ...inOrder]) buffer.destroy();
    for (const held of [used, free, inOrder]) held.clear();
    manager.numBytesUsed = 0;
    manager.numBytesAllocated = 0;
  };
}
