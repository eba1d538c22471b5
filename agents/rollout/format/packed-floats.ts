/*
 * Stores float arrays exactly: base64 of their little-endian bytes. Every platform that Node and the tensor
 * backends support is little-endian.
 */

/** Encodes an array. @throws TypeError that names `where` for any other value */
export function packFloats(floats: unknown, where: string): string {
  if (!(floats instanceof Float64Array)) throw new TypeError(`${where} is not a Float64Array`);
  return Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength).toString('base64');
}

/** Decodes a text. @throws TypeError that names `where` for a text that {@link packFloats} never writes */
export function unpackFloats(base64: string, where: string): Float64Array {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length % Float64Array.BYTES_PER_ELEMENT !== 0 || bytes.toString('base64') !== base64)
    throw new TypeError(`${where} is not the base64 text of 64-bit floats`);
  const floats = new Float64Array(bytes.length / Float64Array.BYTES_PER_ELEMENT);
  bytes.copy(new Uint8Array(floats.buffer));
  return floats;
}
