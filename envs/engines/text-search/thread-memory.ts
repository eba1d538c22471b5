/** Bytes in memory that worker threads can share: a number of zeros, or a copy. */
export function sharedBytes(from: number | ArrayLike<number>): Uint8Array<SharedArrayBuffer> {
  const array = new Uint8Array(new SharedArrayBuffer(sizeOf(from)));
  if (typeof from !== 'number') array.set(from);
  return array;
}

/** The same for unsigned 32-bit numbers. */
export function sharedWords(from: number | ArrayLike<number>): Uint32Array<SharedArrayBuffer> {
  const array = new Uint32Array(new SharedArrayBuffer(sizeOf(from) * Uint32Array.BYTES_PER_ELEMENT));
  if (typeof from !== 'number') array.set(from);
  return array;
}

/** The same for single-precision numbers. */
export function sharedFloats(from: number | ArrayLike<number>): Float32Array<SharedArrayBuffer> {
  const array = new Float32Array(new SharedArrayBuffer(sizeOf(from) * Float32Array.BYTES_PER_ELEMENT));
  if (typeof from !== 'number') array.set(from);
  return array;
}

const sizeOf = (from: number | ArrayLike<number>): number => (typeof from === 'number' ? from : from.length);
