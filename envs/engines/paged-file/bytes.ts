/** The bytes of a typed array, without a copy. */
export const bytesOf = (array: ArrayBufferView): Buffer =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength);

/** Numbers in the byte order of a file, which is little-endian whatever the machine is. */
export function packWords(words: Uint32Array): Buffer {
  const packed = Buffer.from(bytesOf(words));
  return isLittle ? packed : packed.swap32();
}

/** Unpacks {@link packWords} into memory of its own. */
export function unpackWords(packed: Uint8Array): Uint32Array {
  const bytes = Buffer.from(packed);
  if (!isLittle) bytes.swap32();
  return new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

/** {@link packWords} for double precision, which holds whole numbers up to 2^53. */
export function packNumbers(numbers: Float64Array): Buffer {
  const packed = Buffer.from(bytesOf(numbers));
  return isLittle ? packed : packed.swap64();
}

/** Unpacks {@link packNumbers} into memory of its own. */
export function unpackNumbers(packed: Uint8Array): Float64Array {
  const bytes = Buffer.from(packed);
  if (!isLittle) bytes.swap64();
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

const isLittle = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
