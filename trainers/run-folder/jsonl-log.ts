import { open, type FileHandle } from 'node:fs/promises';
import type { z } from 'zod';
import { canonicalJson } from '../../envs/core/json.ts';
import { codeOf, UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { writeFully } from './atomic-write.ts';
import { nameWriteError } from './free-space.ts';

const lineFeed = 10;

/**
 * An append-only JSON Lines file whose length is known, so that a checkpoint can store it and a resumed run can cut back to
 * it. Lines are written one after the other, keys sorted, so that equal lines have equal bytes.
 */
export class JsonlLog<Schema extends z.ZodType> implements AsyncDisposable {
  readonly path: string;
  readonly #schema: Schema;
  readonly #handle: FileHandle;
  #offset: number;
  #last: Promise<void> = Promise.resolve();

  private constructor(path: string, schema: Schema, handle: FileHandle, offset: number) {
    this.path = path;
    this.#schema = schema;
    this.#handle = handle;
    this.#offset = offset;
  }

  /** Opens the file for appending, makes it when there is none, and cuts off a torn line at its end. */
  static async open<Schema extends z.ZodType>(path: string, schema: Schema): Promise<JsonlLog<Schema>> {
    const handle = await openOrMake(path);
    try {
      const { size } = await handle.stat();
      const offset = await endOfLastLine(handle, size);
      if (offset < size) await handle.truncate(offset);
      return new JsonlLog(path, schema, handle, offset);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Bytes of whole lines that were written. What is still being written does not count. */
  get offset(): number {
    return this.#offset;
  }

  /** Writes a line after those given before. Refuses, with a `UsageError`, what readers would refuse. */
  append(line: z.input<Schema>): Promise<void> {
    const bytes = Buffer.from(`${canonicalJson(withoutUndefined(this.#check(line)))}\n`);
    return this.#inTurn(async () => {
      try {
        await writeFully(this.#handle, bytes, this.#offset);
      } catch (error) {
        await this.#handle.truncate(this.#offset).catch(() => undefined); // readers accept a torn end anyway
        throw nameWriteError(error, this.path);
      }
      this.#offset += bytes.byteLength;
    });
  }

  /** Waits until all lines so far are on the disk. */
  flush(): Promise<void> {
    return this.#inTurn(async () => {
      try {
        await this.#handle.sync();
      } catch (error) {
        throw nameWriteError(error, this.path);
      }
    });
  }

  /** Cuts back to an offset that this log once had. */
  truncateTo(offset: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.#assertLineEnd(offset);
      await this.#handle.truncate(offset);
      await this.#handle.sync();
      this.#offset = offset;
    });
  }

  /** Waits for what is being written and closes the file. A second call does nothing. */
  close(): Promise<void> {
    return this.#inTurn(() => this.#handle.close());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined); // reported to who asked for it; the next line may fare better
    return done;
  }

  #check(line: z.input<Schema>): z.output<Schema> {
    const parsed = this.#schema.safeParse(line);
    if (parsed.success) return parsed.data;
    throw new UsageError({
      where: `a line for ${this.path}`,
      what: `${describeIssues(parsed.error)}.`,
      mend: 'Mend what writes it: a line that cannot be read back must not be written.',
    });
  }

  async #assertLineEnd(offset: number): Promise<void> {
    const isInside = Number.isInteger(offset) && offset >= 0 && offset <= this.#offset;
    if (isInside && (offset === 0 || (await byteAt(this.#handle, offset - 1)) === lineFeed)) return;
    throw new UsageError({
      where: this.path,
      what: `it has ${this.#offset} bytes and no line ends at byte ${offset}, where the checkpoint wants to go on.`,
      mend: 'The file was changed since: restore it, or resume from another checkpoint.',
    });
  }
}

/** Without the keys that hold undefined, which mean the same as absent ones. */
function withoutUndefined(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}

async function openOrMake(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r+');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw nameWriteError(error, path);
  }
  return open(path, 'wx+').catch((error: unknown) => {
    throw nameWriteError(error, path);
  });
}

/** Place after the last line feed; 0 when there is none. */
async function endOfLastLine(handle: FileHandle, size: number): Promise<number> {
  const chunk = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - chunk.byteLength);
    const { bytesRead } = await handle.read(chunk, 0, end - start, start);
    if (bytesRead === 0) return 0; // cut by someone else meanwhile
    const found = chunk.subarray(0, bytesRead).lastIndexOf(lineFeed);
    if (found >= 0) return start + found + 1;
    end = start;
  }
  return 0;
}

async function byteAt(handle: FileHandle, position: number): Promise<number | undefined> {
  const byte = Buffer.alloc(1);
  const { bytesRead } = await handle.read(byte, 0, 1, position);
  return bytesRead === 1 ? byte[0] : undefined;
}
