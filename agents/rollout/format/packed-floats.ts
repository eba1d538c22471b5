/*
 * Arrays of floats as text, bit by bit: base64 of their bytes, little-endian. Every platform that Node and the tensor backends support
 * is little-endian.
 */

/** The text of an array. Throws a `TypeError` that names `where` on any other value. */
export function packFloats(floats: unknown, where: string): string {
  if (!(floats instanceof Float64Array)) throw new TypeError(`${where} is not a Float64Array`);
  return Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength).toString('base64');
}

/** The floats of a text. Throws a `TypeError` that names `where` on a text that {@link packFloats} never writes. */
export function unpackFloats(base64: string, where: string): Float64Array {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length % Float64Array.BYTES_PER_ELEMENT !== 0 || bytes.toString('base64') !== base64)
    throw new TypeError(`${where} is not the base64 text of 64-bit floats`);
  const floats = new Float64Array(bytes.length / Float64Array.BYTES_PER_ELEMENT);
  bytes.copy(new Uint8Array(floats.buffer));
  return floats;
}
