import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bytesPerNumber, prefixBytes } from './layout.ts';

/** A tensor to store. */
export interface TensorValues {
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** The same, or what fetches its numbers when their turn comes, so that one tensor need be in memory at a time. */
export interface TensorSource {
  readonly shape: readonly number[];
  readonly values: Float32Array | (() => Promise<Float32Array>);
}

/** Bytes written at a time, below the bound of the operating system on one write. */
const chunkBytes = 1 << 26;

/**
 * Writes float32 tensors as a safetensors file of any size, in the order of the record. The file appears whole or not at all:
 * it is written beside its place, flushed, renamed, and the folder flushed.
 */
export async function writeSafetensors(
  file: string,
  tensors: Readonly<Record<string, TensorSource>>,
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  const unfinished = `${file}.unfinished`;
  const handle = await open(unfinished, 'w');
  try {
    await writeAll(handle, headerBytes(tensors, metadata));
    for (const [name, { shape, values }] of Object.entries(tensors)) {
      const fetched = typeof values === 'function' ? await values() : values;
      assertCount(name, shape, fetched);
      await writeAll(handle, littleEndianBytes(fetched));
    }
    await handle.sync();
  } catch (thrown) {
    await handle.close();
    await rm(unfinished, { force: true });
    throw thrown;
  }
  await handle.close();
  await rename(unfinished, file);
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function headerBytes(
  tensors: Readonly<Record<string, TensorSource>>,
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const header: Record<string, unknown> =
    Object.keys(metadata).length === 0 ? {} : { __metadata__: metadata };
  let at = 0;
  for (const [name, { shape }] of Object.entries(tensors)) {
    const count = countOf(shape);
    header[name] = { dtype: 'F32', shape, data_offsets: [at, at + count * bytesPerNumber.F32] };
    at += count * bytesPerNumber.F32;
  }
  const text = Buffer.from(JSON.stringify(header));
  const padded = Math.ceil(text.length / prefixBytes) * prefixBytes; // so that the numbers begin at a multiple of 8
  const bytes = Buffer.alloc(prefixBytes + padded, ' ');
  bytes.writeBigUInt64LE(BigInt(padded));
  text.copy(bytes, prefixBytes);
  return bytes;
}

function assertCount(name: string, shape: readonly number[], values: Float32Array): void {
  if (countOf(shape) !== values.length)
    throw new TypeError(`tensor ${name} of shape [${shape.join(', ')}] was given ${values.length} numbers`);
}

function countOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}

/** The values as the format stores them. Every platform that Node runs on and that tensor backends support is little-endian. */
function littleEndianBytes(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, at, Math.min(chunkBytes, bytes.length - at));
    at += bytesWritten;
  }
}
