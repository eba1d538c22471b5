/*
 * Messages in protocol buffers, written by hand: a field is a tag of its number and wire type, then its value
 * (protobuf.dev/programming-guides/encoding).
 */

const tagByte = (field: number, wireType: number): number => (field << 3) | wireType;

/** @throws RangeError for numbers that are not whole or below 0 */
export const integerField = (field: number, value: number): Uint8Array =>
  joinBytes([Uint8Array.of(tagByte(field, 0)), varint(value)]);

export function doubleField(field: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(9);
  bytes.writeUInt8(tagByte(field, 1), 0);
  bytes.writeDoubleLE(value, 1);
  return bytes;
}

export function floatField(field: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8(tagByte(field, 5), 0);
  bytes.writeFloatLE(value, 1);
  return bytes;
}

/** A field of bytes, such as a message within a message. */
export const bytesField = (field: number, value: Uint8Array): Uint8Array =>
  joinBytes([Uint8Array.of(tagByte(field, 2)), varint(value.byteLength), value]);

export const textField = (field: number, text: string): Uint8Array => bytesField(field, Buffer.from(text));

/** Seven bits a byte, the lowest first; the high bit says that more follow. */
function varint(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`an event file takes whole numbers from 0, not ${value}`);
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

export const joinBytes = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);
