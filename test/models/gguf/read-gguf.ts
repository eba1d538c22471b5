import { readFileSync } from 'node:fs';

interface GgufContents {
  readonly keys: Readonly<Record<string, string | number>>;
  readonly tensors: Readonly<
    Record<string, { readonly lengths: readonly number[]; readonly values: Float32Array }>
  >;
}

const alignment = 32;
const padded = (bytes: number): number => Math.ceil(bytes / alignment) * alignment;

/**
 * Reads a GGUF file of texts, uint32, float32 and float32 tensors by the format's description, and asks for what llama.cpp's gguf.cpp asks for:
 * tensors without gaps but their padding, and a file that ends behind the last one's. Lengths are in the file's order, those of rows first.
 */
export function readGguf(file: string): GgufContents {
  const bytes = readFileSync(file);
  let at = 0;
  const take = (count: number): Buffer => bytes.subarray(at, (at += count));
  const uint32 = (): number => take(4).readUInt32LE();
  const uint64 = (): number => Number(take(8).readBigUInt64LE());
  const text = (): string => take(uint64()).toString();
  const value = (type: number): string | number => {
    if (type === 4) return uint32();
    if (type === 6) return take(4).readFloatLE();
    if (type === 8) return text();
    throw new Error(`values of type ${type} are not read`);
  };
  if (take(4).toString() !== 'GGUF' || uint32() !== 3) throw new Error('it is no GGUF file of version 3');
  const [tensorCount, keyCount] = [uint64(), uint64()];
  const keys = Object.fromEntries(Array.from({ length: keyCount }, () => [text(), value(uint32())]));
  const infos = Array.from({ length: tensorCount }, () => ({
    name: text(),
    lengths: Array.from({ length: uint32() }, uint64),
    type: uint32(),
    offset: uint64(),
  }));
  const numbersAt = padded(at);
  let expected = 0;
  const tensors = infos.map(({ name, lengths, type, offset }) => {
    if (type !== 0 || offset !== expected)
      throw new Error(`tensor ${name} is of type ${type} at ${offset}, not ${expected}`);
    const length = 4 * lengths.reduce((product, each) => product * each, 1);
    expected += padded(length);
    return [
      name,
      {
        lengths,
        values: new Float32Array(
          Uint8Array.from(bytes.subarray(numbersAt + offset, numbersAt + offset + length)).buffer,
        ),
      },
    ] as const;
  });
  if (bytes.length !== numbersAt + expected)
    throw new Error(`the file has ${bytes.length} bytes, not ${numbersAt + expected}`);
  return { keys, tensors: Object.fromEntries(tensors) };
}
