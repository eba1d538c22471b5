import { open, type FileHandle } from 'node:fs/promises';
import { UsageError } from '../../envs/core/errors.ts';
import { describeReadError } from '../../envs/core/user-file.ts';
import { ggmlTypes, type GgmlType } from './dequantise.ts';
import { needsMoreBytes, parseGguf, type GgufLayout, type GgufTensor } from './gguf-layout.ts';

/** An open GGUF file: tensors are read one at a time, so it may be larger than memory. */
export interface GgufFile extends GgufLayout, AsyncDisposable {
  readonly file: string;
  /** The tensor's numbers as float32, as ggml decodes them. */
  read(name: string): Promise<Float32Array>;
}

/** The beginning that is read first. Tokens and merges of a large vocabulary take some 10 MB. */
const firstBytes = 1 << 24;
const largestHeader = 1 << 29;
/** Bytes read at a time, below the bound of the operating system on one read. */
const chunkBytes = 1 << 26;

/**
 * Opens a file and checks its header and the place of every tensor.
 *
 * @throws UsageError where it is missing, cut off or damaged, and for types of tensors that are not decoded
 */
export async function openGguf(file: string): Promise<GgufFile> {
  const handle = await openFile(file);
  try {
    const { size } = await handle.stat();
    const layout = await readLayout(handle, { file, size });
    assertPlaces(layout, { file, size });
    return {
      ...layout,
      file,
      read: async (name) => readTensor(handle, { file, layout, name }),
      [Symbol.asyncDispose]: async () => handle.close(),
    };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file, 'r');
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (thrown) {
    throw new UsageError(
      { where: file, what: `${describeReadError(thrown)}.`, fix: 'Give the path of a .gguf file.' },
      { cause: thrown },
    );
  }
  throw new UsageError({ where: file, what: 'it is not a file.', fix: 'Give the path of a .gguf file.' });
}

async function readLayout(
  handle: FileHandle,
  of: { readonly file: string; readonly size: number },
): Promise<GgufLayout> {
  for (let length = firstBytes; ; length *= 2) {
    const bytes = await readBytes(handle, { file: of.file, from: 0, to: Math.min(length, of.size) });
    const layout = parseGguf(bytes, of);
    if (layout !== needsMoreBytes) return layout;
    if (length > largestHeader) throw damaged(of.file, `its header is longer than ${largestHeader} bytes.`);
  }
}

function damaged(file: string, what: string): UsageError {
  return new UsageError({ where: file, what, fix: 'The file is damaged: download it again.' });
}

/** Types of ggml that are not decoded here, by number. */
const otherTypes: ReadonlyMap<number, string> = new Map([
  [16, 'IQ2_XXS'],
  [17, 'IQ2_XS'],
  [18, 'IQ3_XXS'],
  [19, 'IQ1_S'],
  [21, 'IQ3_S'],
  [22, 'IQ2_S'],
  [23, 'IQ4_XS'],
  [24, 'I8'],
  [25, 'I16'],
  [26, 'I32'],
  [27, 'I64'],
  [28, 'F64'],
  [29, 'IQ1_M'],
  [34, 'TQ1_0'],
  [35, 'TQ2_0'],
  [39, 'MXFP4'],
]);

/** The type of a tensor. Throws a `UsageError` for those that are not decoded. */
function typeOf(file: string, name: string, { type }: GgufTensor): GgmlType {
  const known = ggmlTypes.get(type);
  if (known !== undefined) return known;
  throw new UsageError({
    where: `${file}, tensor "${name.slice(0, 100)}"`,
    what: `its numbers are of ggml's type ${otherTypes.get(type) ?? type}, which is not decoded here.`,
    fix: `Give a file with ${[...ggmlTypes.values()].map((each) => each.name).join(', ')}.`,
  });
}

function bytesOf({ shape }: GgufTensor, type: GgmlType): number {
  return (shape.reduce((product, length) => product * length, 1) / type.numbers) * type.bytes;
}

/** The tensors must follow each other in the order of the header, as ggml writes and requires. */
function assertPlaces(layout: GgufLayout, of: { readonly file: string; readonly size: number }): void {
  let expected = 0;
  for (const [name, tensor] of layout.tensors) {
    const type = typeOf(of.file, name, tensor);
    const row = tensor.shape.at(-1) ?? 0;
    const label = `its tensor "${name.slice(0, 100)}"`;
    if (row % type.numbers !== 0)
      throw damaged(
        of.file,
        `${label} has rows of ${row} numbers, but ${type.name} has blocks of ${type.numbers}.`,
      );
    if (tensor.offset !== expected)
      throw damaged(of.file, `${label} begins at offset ${tensor.offset}, but it must begin at ${expected}.`);
    const bytes = bytesOf(tensor, type);
    const end = layout.dataStart + tensor.offset + bytes;
    if (end > of.size)
      throw damaged(
        of.file,
        `${label} ends at byte ${end}, but the file has ${of.size} bytes: it is cut off.`,
      );
    expected += Math.ceil(bytes / layout.alignment) * layout.alignment;
  }
}

async function readTensor(
  handle: FileHandle,
  of: { readonly file: string; readonly layout: GgufLayout; readonly name: string },
): Promise<Float32Array> {
  const tensor = of.layout.tensors.get(of.name);
  if (tensor === undefined)
    throw new UsageError({
      where: of.file,
      what: `it has no tensor "${of.name}".`,
      fix: 'Give the whole model, not an adapter or a part of it.',
    });
  const type = typeOf(of.file, of.name, tensor);
  const from = of.layout.dataStart + tensor.offset;
  const bytes = await readBytes(handle, { file: of.file, from, to: from + bytesOf(tensor, type) });
  const out = new Float32Array(tensor.shape.reduce((product, length) => product * length, 1));
  type.decode(bytes, out);
  return out;
}

async function readBytes(
  handle: FileHandle,
  of: { readonly file: string; readonly from: number; readonly to: number },
): Promise<Buffer> {
  const bytes = Buffer.from(new ArrayBuffer(of.to - of.from)); // never of the shared pool: numbers must be aligned
  for (let at = 0; at < bytes.length;) {
    const { bytesRead } = await handle.read(bytes, at, Math.min(chunkBytes, bytes.length - at), of.from + at);
    if (bytesRead === 0) throw damaged(of.file, `it was cut off at byte ${of.from + at} while it was read.`);
    at += bytesRead;
  }
  return bytes;
}
