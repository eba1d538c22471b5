import { z } from 'zod';
import { describeIssues } from '../../envs/core/issues.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { findDuplicateKey } from '../../files/duplicate-key.ts';

/** Bytes of one number of each type that we read. */
export const bytesPerNumber = { F32: 4, F16: 2, BF16: 2 } as const;
export type StoredType = keyof typeof bytesPerNumber;

/** Where a tensor lies in a file. */
export interface StoredTensor {
  readonly type: string;
  readonly shape: readonly number[];
  /** From the beginning of the file. */
  readonly from: number;
  readonly to: number;
}

/** A safetensors file, without its numbers. */
export interface SafetensorsLayout {
  readonly metadata: Readonly<Record<string, string>>;
  readonly tensors: ReadonlyMap<string, StoredTensor>;
}

/** Bytes before the header: its length, little-endian. */
export const prefixBytes = 8;
/** The format's own bound on the header. */
const maxHeaderBytes = 100_000_000;

const size = z.number().int().min(0);
const entrySchema = z.strictObject({
  dtype: z.string(),
  shape: z.array(size),
  data_offsets: z.tuple([size, size]),
});
const headerSchema = z.record(z.string(), z.unknown());
const metadataSchema = z.record(z.string(), z.string());

/** The header's length from the first bytes of a file of `fileBytes`. */
export function headerLength(prefix: Uint8Array, file: string, fileBytes: number): number {
  if (prefix.length < prefixBytes)
    throw damaged(file, `it has ${prefix.length} bytes, fewer than the 8 that give the header's length.`);
  const length = new DataView(prefix.buffer, prefix.byteOffset, prefixBytes).getBigUint64(0, true);
  if (length > BigInt(maxHeaderBytes))
    throw damaged(
      file,
      `its first 8 bytes announce a header of ${length} bytes, above the format's bound of ${maxHeaderBytes}.`,
    );
  if (Number(length) > fileBytes - prefixBytes)
    throw damaged(file, `its header should have ${length} bytes, but the file ends before.`);
  return Number(length);
}

/**
 * Reads a header and checks it as the format asks: every tensor's size follows from type and shape, and the tensors fill the
 * rest of the file without gap or overlap.
 */
export function parseHeader(header: Uint8Array, file: string, fileBytes: number): SafetensorsLayout {
  const entries = headerSchema.safeParse(parseJson(header, file));
  if (!entries.success)
    throw damaged(file, `its header is no JSON object: ${describeIssues(entries.error)}.`);
  const { __metadata__: foreign = {}, ...rest } = entries.data;
  const metadata = metadataSchema.safeParse(foreign);
  if (!metadata.success)
    throw damaged(file, `its __metadata__ is not made of strings: ${describeIssues(metadata.error)}.`);
  const dataFrom = prefixBytes + header.length;
  const tensors = new Map<string, StoredTensor>();
  for (const [name, value] of Object.entries(rest))
    tensors.set(name, parseEntry(name, value, { file, dataFrom }));
  assertFilled(tensors, { file, dataFrom, fileBytes });
  return { metadata: metadata.data, tensors };
}

function parseJson(header: Uint8Array, file: string): unknown {
  let text: string;
  let json: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(header);
    json = JSON.parse(text);
  } catch (thrown) {
    throw damaged(file, 'its header is not JSON in UTF-8.', thrown);
  }
  const twice = findDuplicateKey(text);
  if (twice !== undefined)
    throw damaged(file, `its header has the key ${JSON.stringify(twice.slice(0, 100))} twice.`);
  return json;
}

function parseEntry(
  name: string,
  value: unknown,
  of: { readonly file: string; readonly dataFrom: number },
): StoredTensor {
  const entry = entrySchema.safeParse(value);
  if (!entry.success)
    throw damaged(of.file, `the entry of tensor "${name}" is malformed: ${describeIssues(entry.error)}.`);
  const [begin, end] = entry.data.data_offsets;
  const { dtype, shape } = entry.data;
  const count = shape.reduce((product, length) => product * length, 1);
  if (!Number.isSafeInteger(count))
    throw damaged(of.file, `tensor "${name}" has the impossible shape [${shape.join(', ')}].`);
  if (isStoredType(dtype) && count * bytesPerNumber[dtype] !== end - begin) {
    throw damaged(
      of.file,
      `tensor "${name}" of ${dtype} [${shape.join(', ')}] should have ${count * bytesPerNumber[dtype]} bytes, not ${end - begin}.`,
    );
  }
  return { type: dtype, shape, from: of.dataFrom + begin, to: of.dataFrom + end };
}

function assertFilled(
  tensors: ReadonlyMap<string, StoredTensor>,
  of: { readonly file: string; readonly dataFrom: number; readonly fileBytes: number },
): void {
  let at = of.dataFrom;
  for (const [name, tensor] of [...tensors].sort(([, a], [, b]) => a.from - b.from || a.to - b.to)) {
    if (tensor.from !== at || tensor.to < tensor.from) {
      throw damaged(
        of.file,
        `tensor "${name}" lies at bytes ${tensor.from} to ${tensor.to}, but the one before it ends at ${at}: a gap or an overlap.`,
      );
    }
    at = tensor.to;
  }
  if (at > of.fileBytes)
    throw damaged(of.file, `its tensors end at byte ${at}, but the file is cut off at ${of.fileBytes}.`);
  if (at < of.fileBytes)
    throw damaged(
      of.file,
      `its tensors end at byte ${at}, but ${of.fileBytes - at} bytes follow that belong to none.`,
    );
}

export function isStoredType(type: string): type is StoredType {
  return Object.hasOwn(bytesPerNumber, type);
}

/** The error for a file that is no sound safetensors file. */
export function damaged(file: string, what: string, cause?: unknown): UsageError {
  return new UsageError(
    {
      where: file,
      what,
      fix: 'Use a whole safetensors file: an earlier checkpoint, or a fresh copy of this one.',
    },
    cause === undefined ? {} : { cause },
  );
}
