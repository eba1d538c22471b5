import { writeFileAtomically } from '../../files/atomic-write.ts';
import type { TensorValues } from '../safetensors/write-safetensors.ts';

/** What a key holds: a text, or a number, which is stored as float32. */
export type GgufValue = string | number;

const version = 3;
/** Bytes of which the beginning of every tensor is a multiple. It is the format's default, so no key says it. */
const alignment = 32;
/** Numbers of the format for the types that are written here. */
const valueTypes = { float32: 6, string: 8 } as const;
const tensorTypes = { float32: 0 } as const;

/**
 * Writes float32 tensors as a GGUF file, little-endian, keys and tensors in the order of their records. The file appears whole or not at all.
 * Throws a `TypeError` where a tensor's shape and count of numbers disagree, a `RunError` where the file cannot be written.
 * Source: docs/gguf.md of ggml.
 * @param tensors with shapes as safetensors have them, rows first; GGUF names the length of a row first
 */
export async function writeGguf(
  file: string,
  keys: Readonly<Record<string, GgufValue>>,
  tensors: Readonly<Record<string, TensorValues>>,
): Promise<void> {
  const numbers = Object.entries(tensors).map(([name, tensor]) => littleEndianBytes(name, tensor));
  await writeFileAtomically(
    file,
    [headerBytes(keys, tensors), ...numbers].flatMap((bytes) => [
      bytes,
      new Uint8Array(paddingBehind(bytes.byteLength)),
    ]),
  );
}

function headerBytes(
  keys: Readonly<Record<string, GgufValue>>,
  tensors: Readonly<Record<string, TensorValues>>,
): Uint8Array {
  const [keyEntries, tensorEntries] = [Object.entries(keys), Object.entries(tensors)];
  const pieces = [
    Buffer.from('GGUF'),
    uint32(version),
    uint64(tensorEntries.length),
    uint64(keyEntries.length),
  ];
  for (const [key, value] of keyEntries)
    pieces.push(
      text(key),
      ...(typeof value === 'string'
        ? [uint32(valueTypes.string), text(value)]
        : [uint32(valueTypes.float32), float32(value)]),
    );
  let offset = 0; // from where the numbers begin
  for (const [name, { shape, values }] of tensorEntries) {
    pieces.push(
      text(name),
      uint32(shape.length),
      ...shape.toReversed().map(uint64),
      uint32(tensorTypes.float32),
      uint64(offset),
    );
    offset += values.byteLength + paddingBehind(values.byteLength);
  }
  return Buffer.concat(pieces);
}

function paddingBehind(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment - bytes;
}

/** The values as the format stores them. Every platform that Node runs on and that tensor backends support is little-endian. */
function littleEndianBytes(name: string, { shape, values }: TensorValues): Uint8Array {
  const count = shape.reduce((product, length) => product * length, 1);
  if (count !== values.length)
    throw new TypeError(`tensor ${name} of shape [${shape.join(', ')}] was given ${values.length} numbers`);
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64(bytes.byteLength), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}
