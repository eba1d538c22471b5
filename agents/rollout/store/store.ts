import * as diskFileSystem from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { codeOf, UsageError } from '../../../envs/core/errors.ts';
import { encodeGroup } from '../format/codec.ts';
import { frameGroup } from './group-frame.ts';
import {
  diskError,
  listStoreFiles,
  storeFile,
  type StoreFileSystem,
  type StorePosition,
} from './store-files.ts';
import type { TrajectoryGroup } from '../trajectory.ts';

/** Where trajectories are stored, and how many bytes are kept. */
export interface StoreOptions {
  readonly folder: string;
  /** Files are named `<name>-00001.jsonl.gz` and so on. One folder may have stores of several names. */
  readonly name: string;
  /** A file that a group would make longer than this is finished, and the next begins; 64 MiB by default. */
  readonly maxFileBytes?: number;
  /**
   * If all files together are longer than this, the oldest are removed, but never the newest; 4 GiB by
   * default.
   */
  readonly maxTotalBytes?: number;
  /** Truncate the store to this position and continue. Without it the store must be new. */
  readonly resumeAt?: StorePosition;
  /**
   * After truncation, leave the file of `resumeAt` unchanged and write to the next one. Positions of older
   * checkpoints in that file stay valid.
   */
  readonly inNextFile?: boolean;
  /**
   * What to do once the disk is writable again, as text for errors; `resume from the last checkpoint` by
   * default.
   */
  readonly goOn?: string | undefined;
  readonly fileSystem?: StoreFileSystem;
}

/**
 * Groups on disk, appended as one gzip member each, in the order of the calls.
 *
 * Data of `append` survives the end of this process. Data of `flush` survives a loss of power. A file is
 * flushed before the next one begins, so only the last can have a torn tail. After a failed write every
 * further call fails.
 */
export interface TrajectoryStore extends AsyncDisposable {
  /** Groups of one call are written together, as if appended one after the other. */
  append(...groups: readonly TrajectoryGroup[]): Promise<void>;
  /** Waits for the appends so far and flushes them to disk. */
  flush(): Promise<void>;
  /** Position after the last written group. Flush first to store it in a checkpoint. */
  readonly position: StorePosition;
  /** Removes everything after `position`. */
  truncateTo(position: StorePosition): Promise<void>;
  /** Flushes and closes. A second call does nothing. */
  close(): Promise<void>;
}

/**
 * Verifies that the files of a store reach back to a position. Changes nothing. @throws UsageError if they do
 * not
 */
async function assertStoreReaches(
  { folder, name, fileSystem = diskFileSystem }: Pick<StoreOptions, 'folder' | 'name' | 'fileSystem'>,
  position: StorePosition,
): Promise<void> {
  const short = await findShortFile({ folder, name, fileSystem }, position);
  if (short === undefined) return;
  throw new UsageError({
    where: short.path,
    what: describeShortFile(short, position),
    fix: 'Restore the file.',
  });
}

/** A store file that has become shorter. */
export interface ShortFile {
  readonly path: string;
  /** Undefined if the file is missing. */
  readonly bytes: number | undefined;
}

/**
 * The file of `position` if it no longer reaches it. Undefined if it does, or if it was removed to make room
 * for later files.
 */
export async function findShortFile(
  { folder, name, fileSystem = diskFileSystem }: Pick<StoreOptions, 'folder' | 'name' | 'fileSystem'>,
  position: StorePosition,
): Promise<ShortFile | undefined> {
  const files = await listStoreFiles(fileSystem, folder, name);
  const file = files.find(({ number }) => number === position.file);
  // The size cap removes the oldest files. A missing file was removed by the cap if all files before it are
  // missing and later ones exist. Any other missing file was lost.
  const madeRoom =
    files.some(({ number }) => number > position.file) && !files.some(({ number }) => number < position.file);
  if (file === undefined && (position.bytes === 0 || madeRoom)) return undefined;
  const bytes = file === undefined ? undefined : (await fileSystem.stat(file.path)).size;
  return bytes === undefined || bytes < position.bytes
    ? { path: storeFile(folder, name, position.file).path, bytes }
    : undefined;
}

/** `it has 20000 bytes, and the checkpoint was made when it had 38547.` */
export function describeShortFile({ bytes }: ShortFile, position: StorePosition): string {
  return bytes === undefined
    ? `it is missing, and the checkpoint was made when it had ${position.bytes} bytes.`
    : `it has ${bytes} bytes, and the checkpoint was made when it had ${position.bytes}.`;
}

/**
 * Opens a store for writing; there must be one writer at a time. Disk errors are `RunError`s. @throws
 * UsageError for a file that is shorter than `resumeAt` says
 */
export async function openTrajectoryStore(options: StoreOptions): Promise<TrajectoryStore> {
  const {
    folder,
    name,
    maxFileBytes = 64 * 2 ** 20,
    maxTotalBytes = 4 * 2 ** 30,
    goOn,
    fileSystem = diskFileSystem,
  } = options;
  assertCaps(maxFileBytes, maxTotalBytes);
  const existing = await listStoreFiles(fileSystem, folder, name);
  if (options.resumeAt === undefined && existing[0] !== undefined) {
    throw new UsageError({
      where: existing[0].path,
      what: 'it exists already, and a new store never overwrites an old one.',
      fix: 'Resume the run that wrote it, or choose another folder.',
    });
  }
  await fileSystem.mkdir(folder, { recursive: true }).catch((thrown: unknown) => {
    throw diskError(folder, thrown, goOn);
  });
  const store = new FileStore({ folder, name, maxFileBytes, maxTotalBytes, goOn, fileSystem });
  await store.truncateTo(options.resumeAt ?? { file: 1, bytes: 0 });
  if (options.inNextFile === true) await store.startNextFile();
  return store;
}

function assertCaps(maxFileBytes: number, maxTotalBytes: number): void {
  if (
    Number.isSafeInteger(maxFileBytes) &&
    maxFileBytes > 0 &&
    Number.isSafeInteger(maxTotalBytes) &&
    maxTotalBytes >= maxFileBytes
  )
    return;
  throw new UsageError({
    where: 'trajectory store, maxFileBytes and maxTotalBytes',
    what: `${maxFileBytes} and ${maxTotalBytes} are invalid.`,
    fix: 'They must be integers of at least 1 (bytes), and the total at least as large as one file.',
  });
}

type Settings = Required<Omit<StoreOptions, 'resumeAt' | 'inNextFile'>>;

class FileStore implements TrajectoryStore {
  readonly #settings: Settings;
  #position: StorePosition = { file: 1, bytes: 0 };
  #handle: FileHandle | undefined;
  /** Bytes of each finished file by number, oldest first. */
  readonly #ended = new Map<number, number>();
  #queue: Promise<void> = Promise.resolve();
  #failure: Error | undefined;
  #closed = false;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get position(): StorePosition {
    return this.#position;
  }

  async append(...groups: readonly TrajectoryGroup[]): Promise<void> {
    this.#assertOpen();
    // compressed in parallel with earlier writes, written after them
    const framed = Promise.all(groups.map((group) => frameGroup(encodeGroup(group))));
    framed.catch(() => undefined); // reported to the caller when its turn comes
    await this.#inTurn(async () => this.#write(await framed));
  }

  async flush(): Promise<void> {
    this.#assertOpen();
    await this.#inTurn(() => this.#sync());
  }

  async truncateTo(position: StorePosition): Promise<void> {
    this.#assertOpen();
    await this.#inTurn(() => this.#cutBack(position));
  }

  /** Finishes the file. If the file was lost, an empty one replaces it under its number. */
  async startNextFile(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#handle === undefined) await this.#openCurrent();
      await this.#startFile(this.#position.file + 1);
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    try {
      await this.#queue;
      if (this.#failure === undefined) await this.#inTurn(() => this.#sync());
    } finally {
      await this.#release();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #assertOpen(): void {
    if (!this.#closed) return;
    throw new UsageError({
      where: this.#current().path,
      what: 'it is closed.',
      fix: 'Close it after the last group.',
    });
  }

  /** Runs file operations one at a time, in the order of the calls. After a failure none runs. */
  async #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#queue.then(async () => {
      if (this.#failure !== undefined) throw this.#failure;
      try {
        await work();
      } catch (thrown) {
        this.#failure = diskError(this.#current().path, thrown, this.#settings.goOn);
        throw this.#failure;
      }
    });
    this.#queue = turn.catch(() => undefined);
    await turn;
  }

  /** One write for each file: each costs a turn of the event loop, and a busy trainer has few. */
  async #write(members: readonly Buffer[]): Promise<void> {
    let waiting: Buffer[] = [];
    let bytes = this.#position.bytes;
    for (const member of members) {
      if (bytes > 0 && bytes + member.length > this.#settings.maxFileBytes) {
        await this.#put(Buffer.concat(waiting));
        await this.#startFile(this.#position.file + 1);
        [waiting, bytes] = [[], 0];
      }
      waiting.push(member);
      bytes += member.length;
    }
    await this.#put(Buffer.concat(waiting));
    await this.#removeOldest();
  }

  async #put(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    const handle = this.#handle ?? (await this.#openCurrent());
    const start = this.#position.bytes;
    for (let written = 0; written < bytes.length;) {
      const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, start + written);
      written += bytesWritten;
    }
    this.#position = { file: this.#position.file, bytes: start + bytes.length };
  }

  async #startFile(number: number): Promise<void> {
    await this.#sync();
    await this.#release();
    this.#ended.set(this.#position.file, this.#position.bytes);
    this.#position = { file: number, bytes: 0 };
  }

  async #openCurrent(): Promise<FileHandle> {
    const { path } = this.#current();
    this.#handle = await this.#settings.fileSystem.open(path, this.#position.bytes === 0 ? 'w' : 'r+');
    if (this.#position.bytes === 0) await this.#syncFolder();
    return this.#handle;
  }

  async #removeOldest(): Promise<void> {
    let total = this.#position.bytes;
    for (const bytes of this.#ended.values()) total += bytes;
    for (const [number, bytes] of this.#ended) {
      if (total <= this.#settings.maxTotalBytes) return;
      await this.#settings.fileSystem.unlink(this.#file(number).path);
      this.#ended.delete(number);
      total -= bytes;
    }
  }

  async #cutBack(position: StorePosition): Promise<void> {
    await this.#release();
    const { fileSystem, folder, name } = this.#settings;
    await assertStoreReaches(this.#settings, position); // checked before anything is removed
    const files = await listStoreFiles(fileSystem, folder, name);
    const later = files.filter(({ number }) => number > position.file);
    const there = files.some(({ number }) => number === position.file);
    for (const { path } of later.toReversed()) await fileSystem.unlink(path);
    this.#ended.clear();
    for (const { number, path } of files) {
      if (number < position.file) this.#ended.set(number, (await fileSystem.stat(path)).size);
    }
    this.#position = { file: position.file, bytes: there ? position.bytes : 0 };
    if (there) await this.#cutFile(position.bytes);
    await this.#syncFolder();
  }

  async #cutFile(bytes: number): Promise<void> {
    this.#handle = await this.#settings.fileSystem.open(this.#current().path, 'r+');
    await this.#handle.truncate(bytes);
    await this.#handle.sync();
  }

  async #sync(): Promise<void> {
    await this.#handle?.sync();
  }

  /** Makes created and removed names survive a loss of power, if the system can open a folder. */
  async #syncFolder(): Promise<void> {
    try {
      const folder = await this.#settings.fileSystem.open(this.#settings.folder, 'r');
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    } catch (thrown) {
      if (!['EISDIR', 'EPERM', 'EINVAL'].includes(String(codeOf(thrown)))) throw thrown;
    }
  }

  async #release(): Promise<void> {
    const handle = this.#handle;
    this.#handle = undefined;
    await handle?.close();
  }

  #file(number: number): { readonly path: string } {
    return storeFile(this.#settings.folder, this.#settings.name, number);
  }

  #current(): { readonly path: string } {
    return this.#file(this.#position.file);
  }
}
