import { crc32c } from './crc32c.ts';

/*
 * TensorBoard's event files, written by hand: records of length, masked CRC-32C of the length, data, masked CRC-32C of the data
 * (tensorflow/core/lib/io/record_writer), the data being Event messages in protocol buffers (event.proto, summary.proto).
 */

/** A number at a step. */
export interface Scalar {
  readonly tag: string;
  /** Whole, from 0. */
  readonly step: number;
  readonly value: number;
  /** Seconds since 1970, or since the start: TensorBoard draws its "relative" and "wall" axes by it. */
  readonly wallTime: number;
}

/** An event file that holds the scalars, in order. */
export function encodeEventFile(scalars: readonly Scalar[]): Uint8Array {
  const version = concat([
    doubleField(1, scalars[0]?.wallTime ?? 0),
    bytesField(3, Buffer.from('brain.Event:2')),
  ]);
  return concat([record(version), ...scalars.map((scalar) => record(encodeEvent(scalar)))]);
}

/** Event: wall_time = 1, step = 2, summary = 5. Summary: value = 1. Summary.Value: tag = 1, simple_value = 2. */
function encodeEvent({ tag, step, value, wallTime }: Scalar): Uint8Array {
  const summaryValue = concat([bytesField(1, Buffer.from(tag)), floatField(2, value)]);
  return concat([
    doubleField(1, wallTime),
    integerField(2, step),
    bytesField(5, bytesField(1, summaryValue)),
  ]);
}

function record(data: Uint8Array): Uint8Array {
  const head = Buffer.alloc(12);
  head.writeBigUInt64LE(BigInt(data.byteLength), 0);
  head.writeUInt32LE(maskedCrc(head.subarray(0, 8)), 8);
  const tail = Buffer.alloc(4);
  tail.writeUInt32LE(maskedCrc(data), 0);
  return concat([head, data, tail]);
}

/** Rotated and shifted, because a CRC over data that holds CRCs is weak. */
function maskedCrc(bytes: Uint8Array): number {
  const crc = crc32c(bytes);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

const tagByte = (field: number, wireType: number): number => (field << 3) | wireType;

function integerField(field: number, value: number): Uint8Array {
  return concat([Uint8Array.of(tagByte(field, 0)), varint(value)]);
}

function doubleField(field: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(9);
  bytes.writeUInt8(tagByte(field, 1), 0);
  bytes.writeDoubleLE(value, 1);
  return bytes;
}

function floatField(field: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8(tagByte(field, 5), 0);
  bytes.writeFloatLE(value, 1);
  return bytes;
}

function bytesField(field: number, value: Uint8Array): Uint8Array {
  return concat([Uint8Array.of(tagByte(field, 2)), varint(value.byteLength), value]);
}

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

const concat = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);
