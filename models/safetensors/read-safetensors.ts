import { open, type FileHandle } from 'node:fs/promises';
import { UsageError } from '../../envs/core/errors.ts';
import { decodeNumbers } from './decode-numbers.ts';
import {
  damaged,
  headerLength,
  isStoredType,
  parseHeader,
  prefixBytes,
  type SafetensorsLayout,
} from './layout.ts';

/** An open safetensors file: tensors are read one at a time, so it may be larger than memory. */
export interface SafetensorsFile extends SafetensorsLayout, AsyncDisposable {
  /** The tensor's numbers as float32; F16 and BF16 are widened, which is exact. */
  read(name: string): Promise<Float32Array>;
}

/** Bytes read at a time, below the bound of the operating system on one read. */
const chunkBytes = 1 << 26;

/** Opens a file and checks its header; throws a `UsageError` when it is missing, cut off, or something else. */
export async function openSafetensors(file: string): Promise<SafetensorsFile> {
  const handle = await openFile(file);
  try {
    const { size } = await handle.stat();
    const prefix = await readBytes(handle, { file, from: 0, to: Math.min(prefixBytes, size) });
    const header = await readBytes(handle, {
      file,
      from: prefixBytes,
      to: prefixBytes + headerLength(prefix, file, size),
    });
    const layout = parseHeader(header, file, size);
    return {
      ...layout,
      read: async (name) => readTensor(handle, layout, name, file),
      [Symbol.asyncDispose]: async () => handle.close(),
    };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

async function readTensor(
  handle: FileHandle,
  layout: SafetensorsLayout,
  name: string,
  file: string,
): Promise<Float32Array> {
  const tensor = layout.tensors.get(name);
  if (tensor === undefined) {
    throw new UsageError({
      where: file,
      what: `it holds no tensor "${name}".`,
      fix: `It holds ${[...layout.tensors.keys()].join(', ') || 'none'}: give the file that belongs to this model.`,
    });
  }
  if (!isStoredType(tensor.type)) {
    throw new UsageError({
      where: `${file}, tensor "${name}"`,
      what: `its numbers are ${tensor.type}, which is not read here.`,
      fix: 'Convert the file to F32, F16 or BF16.',
    });
  }
  return decodeNumbers(tensor.type, await readBytes(handle, { file, from: tensor.from, to: tensor.to }));
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r');
  } catch (thrown) {
    throw new UsageError(
      {
        where: file,
        what: 'the file cannot be opened.',
        fix: 'Give the path of a safetensors file that exists and can be read.',
      },
      { cause: thrown },
    );
  }
}

async function readBytes(
  handle: FileHandle,
  of: { readonly file: string; readonly from: number; readonly to: number },
): Promise<Uint8Array> {
  const bytes = new Uint8Array(of.to - of.from);
  for (let at = 0; at < bytes.length;) {
    const { bytesRead } = await handle.read(bytes, at, Math.min(chunkBytes, bytes.length - at), of.from + at);
    if (bytesRead === 0) throw damaged(of.file, `it was cut off at byte ${of.from + at} while it was read.`);
    at += bytesRead;
  }
  return bytes;
}
