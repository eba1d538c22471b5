import { open, type FileHandle } from 'node:fs/promises';
import type { z } from 'zod';
import { canonicalJson } from '../envs/core/json.ts';
import { codeOf, UsageError } from '../envs/core/errors.ts';
import { describeIssues } from '../envs/core/issues.ts';
import { writeFully } from './atomic-write.ts';
import { nameWriteError } from './free-space.ts';
import { assertLineEnd, digestUpTo, endOfLastLine } from './line-end.ts';

/**
 * An append-only JSON Lines file whose length is known, so that a checkpoint can store it and a resumed run can cut back to
 * it. Lines are written one after the other, keys sorted, so that equal lines have equal bytes.
 */
export class JsonlLog<Schema extends z.ZodType> implements AsyncDisposable {
  readonly path: string;
  readonly #schema: Schema;
  /** Undefined where there is no file yet. */
  #handle: FileHandle | undefined;
  #offset: number;
  /** Whether the file ends in the midst of a line. */
  #torn: boolean;
  #last: Promise<void> = Promise.resolve();

  private constructor(
    path: string,
    schema: Schema,
    found: { readonly handle: FileHandle | undefined; readonly offset: number; readonly torn: boolean },
  ) {
    this.path = path;
    this.#schema = schema;
    this.#handle = found.handle;
    this.#offset = found.offset;
    this.#torn = found.torn;
  }

  /**
   * Opens the file for appending. Until something is written to it or cut off, all stays as it was: only then is a file made where there
   * is none, and a torn line cut off at the end of one.
   */
  static async open<Schema extends z.ZodType>(path: string, schema: Schema): Promise<JsonlLog<Schema>> {
    const handle = await openExisting(path);
    if (handle === undefined) return new JsonlLog(path, schema, { handle, offset: 0, torn: false });
    try {
      const { size } = await handle.stat();
      const offset = await endOfLastLine(handle, size);
      return new JsonlLog(path, schema, { handle, offset, torn: offset < size });
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
      const handle = await this.#writable();
      try {
        await writeFully(handle, bytes, this.#offset);
      } catch (error) {
        await handle.truncate(this.#offset).catch(() => undefined); // readers accept a torn end anyway
        throw nameWriteError(error, this.path);
      }
      this.#offset += bytes.byteLength;
    });
  }

  /** Waits until all lines so far are on the disk. */
  flush(): Promise<void> {
    return this.#inTurn(async () => {
      const handle = await this.#writable();
      try {
        await handle.sync();
      } catch (error) {
        throw nameWriteError(error, this.path);
      }
    });
  }

  /** Cuts back to an offset that this log once had. */
  truncateTo(offset: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.assertLineEnd(offset);
      const handle = await this.#writable();
      await handle.truncate(offset);
      await handle.sync();
      this.#offset = offset;
    });
  }

  /** Refuses, with a `UsageError`, an offset at which no line ends, or up to which the file is not as the digest says. */
  assertLineEnd(offset: number, digest?: string): Promise<void> {
    return assertLineEnd({ path: this.path, handle: this.#handle, end: this.#offset }, offset, digest);
  }

  /** SHA-256 of the lines that were written so far, in hexadecimal digits. Flush first. */
  digest(): Promise<string> {
    return digestUpTo(this.#handle, this.#offset);
  }

  /** Waits for what is being written and closes the file. A second call does nothing. */
  close(): Promise<void> {
    return this.#inTurn(async () => this.#handle?.close());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined); // reported to who asked for it; the next line may fare better
    return done;
  }

  /** The file, made where there was none and without a torn line at its end. */
  async #writable(): Promise<FileHandle> {
    this.#handle ??= await make(this.path);
    if (this.#torn) await this.#handle.truncate(this.#offset);
    this.#torn = false;
    return this.#handle;
  }

  #check(line: z.input<Schema>): z.output<Schema> {
    const parsed = this.#schema.safeParse(line);
    if (parsed.success) return parsed.data;
    throw new UsageError({
      where: `a line for ${this.path}`,
      what: `${describeIssues(parsed.error)}.`,
      fix: 'Fix what writes it: a line that cannot be read back must not be written.',
    });
  }
}

/** Without the keys that hold undefined, which mean the same as absent ones. */
function withoutUndefined(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r+');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw nameWriteError(error, path);
  }
}

const make = (path: string): Promise<FileHandle> =>
  open(path, 'wx+').catch((error: unknown) => {
    throw nameWriteError(error, path);
  });
