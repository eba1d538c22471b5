import { UsageError } from '../../envs/core/errors.ts';

/** What a key of the header holds. Whole numbers of 64 bits that a double cannot hold stay bigints. */
export type GgufKey = string | number | bigint | boolean | readonly GgufKey[];

export interface GgufTensor {
  /** Rows first, as safetensors have it: the file names the length of a row first. */
  readonly shape: readonly number[];
  /** The number of the format's type, such as 0 for F32 and 3 for Q4_1. */
  readonly type: number;
  /** Bytes from the begin of the tensors' part. */
  readonly offset: number;
}

export interface GgufLayout {
  readonly keys: ReadonlyMap<string, GgufKey>;
  readonly tensors: ReadonlyMap<string, GgufTensor>;
  /** The byte of the file where the tensors' part begins. */
  readonly dataStart: number;
  /** Every tensor begins at a multiple of so many bytes. */
  readonly alignment: number;
}

/** The bytes at hand end before the header does. */
export const needsMoreBytes = Symbol('needs more bytes');

const magic = 0x4655_4747; // GGUF
const supportedVersions = [2, 3];
const defaultAlignment = 32;
const largestText = 1 << 26;
const largestDimensions = 4;

const valueTypes = {
  array: 9,
  string: 8,
  bool: 7,
} as const;

/** Bytes of a value of fixed size, by the number of its type. */
const fixedBytes: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 4],
  [5, 4],
  [6, 4],
  [valueTypes.bool, 1],
  [10, 8],
  [11, 8],
  [12, 8],
]);
const leastStringBytes = 8;

/**
 * Parses the header of a GGUF file of version 2 or 3, little-endian.
 *
 * Source: docs/gguf.md of ggml.
 * @param bytes the file's beginning
 * @param of.size bytes of the whole file: counts that cannot fit into it are refused before anything is allocated
 * @returns {@link needsMoreBytes} where the header goes on behind `bytes`
 * @throws UsageError for a file that is cut off, damaged, or of another format or version
 */
export function parseGguf(
  bytes: Buffer,
  of: { readonly file: string; readonly size: number },
): GgufLayout | typeof needsMoreBytes {
  const reader = new HeaderReader(bytes, of);
  try {
    return parse(reader);
  } catch (thrown) {
    if (thrown === needsMoreBytes) return needsMoreBytes;
    throw thrown;
  }
}

function parse(reader: HeaderReader): GgufLayout {
  const { of } = reader;
  if (reader.uint32() !== magic)
    throw new UsageError({
      where: of.file,
      what: 'it is not a GGUF file: it does not begin with "GGUF".',
      fix: 'Give a .gguf file, or a wheel that contains one.',
    });
  const version = reader.uint32();
  if (!supportedVersions.includes(version))
    throw new UsageError({
      where: of.file,
      what: version >>> 16 === 0 ? `it is of GGUF version ${version}.` : 'its bytes are in big-endian order.',
      fix: 'Convert it to GGUF version 3, little-endian, with the tools of llama.cpp.',
    });
  const tensorCount = reader.count('tensors', 24);
  const keyCount = reader.count('keys', 13);
  const keys = new Map<string, GgufKey>();
  for (let at = 0; at < keyCount; at += 1) {
    const name = reader.text();
    if (keys.has(name)) throw reader.damaged(`it has the key "${name.slice(0, 100)}" twice.`);
    keys.set(name, reader.value(reader.uint32(), name));
  }
  const tensors = new Map<string, GgufTensor>();
  for (let at = 0; at < tensorCount; at += 1) {
    const name = reader.text();
    if (tensors.has(name)) throw reader.damaged(`it has the tensor "${name.slice(0, 100)}" twice.`);
    tensors.set(name, reader.tensor(name));
  }
  const alignment = keys.get('general.alignment') ?? defaultAlignment;
  if (typeof alignment !== 'number' || alignment < 8 || alignment % 8 !== 0)
    throw reader.damaged(
      `its general.alignment is ${String(alignment).slice(0, 40)}, which is no multiple of 8.`,
    );
  return { keys, tensors, alignment, dataStart: Math.ceil(reader.at / alignment) * alignment };
}

/** Reads the header's parts one after the other, and never further than the file can be. */
class HeaderReader {
  readonly of: { readonly file: string; readonly size: number };
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer, of: HeaderReader['of']) {
    this.#bytes = bytes;
    this.of = of;
  }

  get at(): number {
    return this.#at;
  }

  damaged(what: string): UsageError {
    return new UsageError({
      where: this.of.file,
      what,
      fix: 'The file is damaged: download it again.',
    });
  }

  /** Moves on by so many bytes, and returns where they begin. */
  #take(bytes: number): number {
    const from = this.#at;
    if (from + bytes > this.of.size) throw this.damaged(`its header is cut off at byte ${this.of.size}.`);
    if (from + bytes > this.#bytes.length) throw needsMoreBytes;
    this.#at = from + bytes;
    return from;
  }

  uint32(): number {
    return this.#bytes.readUInt32LE(this.#take(4));
  }

  /** A 64-bit count or length. Each thing counted takes at least so many bytes of the file. */
  count(what: string, leastBytes: number): number {
    const count = this.#bytes.readBigUInt64LE(this.#take(8));
    const most = BigInt(Math.floor((this.of.size - this.#at) / leastBytes));
    if (count > most)
      throw this.damaged(
        `it claims to have ${count} ${what}, which do not fit into its ${this.of.size} bytes.`,
      );
    return Number(count);
  }

  text(): string {
    const length = this.count('bytes of text', 1);
    if (length > largestText) throw this.damaged(`a text in its header has ${length} bytes.`);
    const from = this.#take(length);
    return this.#bytes.toString('utf8', from, from + length);
  }

  value(type: number, name: string): GgufKey {
    if (type === valueTypes.string) return this.text();
    if (type !== valueTypes.array) return this.#number(type, name);
    const inner = this.uint32();
    const count = this.count(
      `values of ${name.slice(0, 100)}`,
      inner === valueTypes.string ? leastStringBytes : (fixedBytes.get(inner) ?? 1),
    );
    if (inner === valueTypes.array)
      throw this.damaged(`its key "${name.slice(0, 100)}" holds lists of lists.`);
    return Array.from({ length: count }, () => this.value(inner, name));
  }

  #number(type: number, name: string): GgufKey {
    const bytes = fixedBytes.get(type);
    if (bytes === undefined)
      throw this.damaged(
        `its key "${name.slice(0, 100)}" is of type ${type}, which the format does not have.`,
      );
    const from = this.#take(bytes);
    switch (type) {
      case 0:
        return this.#bytes.readUInt8(from);
      case 1:
        return this.#bytes.readInt8(from);
      case 2:
        return this.#bytes.readUInt16LE(from);
      case 3:
        return this.#bytes.readInt16LE(from);
      case 4:
        return this.#bytes.readUInt32LE(from);
      case 5:
        return this.#bytes.readInt32LE(from);
      case 6:
        return this.#bytes.readFloatLE(from);
      case valueTypes.bool:
        return this.#bytes.readUInt8(from) !== 0;
      case 10:
        return narrowed(this.#bytes.readBigUInt64LE(from));
      case 11:
        return narrowed(this.#bytes.readBigInt64LE(from));
      default:
        return this.#bytes.readDoubleLE(from);
    }
  }

  tensor(name: string): GgufTensor {
    const dimensions = this.uint32();
    if (dimensions < 1 || dimensions > largestDimensions)
      throw this.damaged(`its tensor "${name.slice(0, 100)}" has ${dimensions} dimensions.`);
    const lengths = Array.from({ length: dimensions }, () => this.#safe(name, 'length'));
    const type = this.uint32();
    const offset = this.#safe(name, 'offset');
    const numbers = lengths.reduce((product, length) => product * length, 1);
    if (!Number.isSafeInteger(numbers) || lengths.includes(0))
      throw this.damaged(
        `its tensor "${name.slice(0, 100)}" has the shape [${lengths.toReversed().join(', ')}].`,
      );
    return { shape: lengths.toReversed(), type, offset };
  }

  #safe(name: string, what: string): number {
    const number = this.#bytes.readBigUInt64LE(this.#take(8));
    if (number <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(number);
    throw this.damaged(`its tensor "${name.slice(0, 100)}" has the ${what} ${number}.`);
  }
}

const narrowed = (value: bigint): number | bigint =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value;
