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

/** Where trajectories are kept, and how many of them. */
export interface StoreOptions {
  readonly folder: string;
  /** Files are called `<name>-00001.jsonl.gz` and so on; a folder may hold stores of several names. */
  readonly name: string;
  /** A file that a group would make longer is ended and the next begun; 64 MiB unless given. */
  readonly maxFileBytes?: number;
  /** When all files together are longer, the oldest are removed, the newest never; 4 GiB unless given. */
  readonly maxTotalBytes?: number;
  /** Cut back to here and go on. Without it the store must be new. */
  readonly resumeAt?: StorePosition;
  /** Leave the file of `resumeAt`, cut back, as it is, and write to the next: so the places that older checkpoints know in it stay what they were. */
  readonly inNextFile?: boolean;
  /** How one goes on once a disk can be written again, as errors say it; `resume from the last checkpoint` unless given. */
  readonly goOn?: string | undefined;
  readonly fileSystem?: StoreFileSystem;
}

/**
 * Groups on disk, appended one gzip member each. Appends are written in the order of the calls.
 *
 * What `append` has written survives the end of this process; what `flush` has written survives the end of power. A file is
 * flushed before the next is begun, so only the last can have a torn tail. After a failed write nothing more is taken.
 */
export interface TrajectoryStore extends AsyncDisposable {
  /** Groups that are given together are written together, as if one after the other. */
  append(...groups: readonly TrajectoryGroup[]): Promise<void>;
  /** Waits for the appends so far and forces them to the disk. */
  flush(): Promise<void>;
  /** Behind the last group written: with `flush` before it, what a checkpoint keeps. */
  readonly position: StorePosition;
  /** Removes everything behind `position`. */
  truncateTo(position: StorePosition): Promise<void>;
  /** Flushes and lets go. A second call does nothing. */
  close(): Promise<void>;
}

/** Refuses, with a `UsageError`, to go back to where the files of a store do not reach. Changes nothing. */
async function assertStoreReaches(
  { folder, name, fileSystem = diskFileSystem }: Pick<StoreOptions, 'folder' | 'name' | 'fileSystem'>,
  position: StorePosition,
): Promise<void> {
  const short = await findShortFile({ folder, name, fileSystem }, position);
  if (short === undefined) return;
  throw new UsageError({
    where: short.path,
    what: describeShortFile(short, position),
    fix: 'Put the file back as it was.',
  });
}

/** A file of a store that has fewer bytes than it had. */
export interface ShortFile {
  readonly path: string;
  /** Undefined where it is gone. */
  readonly bytes: number | undefined;
}

/** The file of `position` where it does not reach there any more; undefined where it does, or has made room for later ones. */
export async function findShortFile(
  { folder, name, fileSystem = diskFileSystem }: Pick<StoreOptions, 'folder' | 'name' | 'fileSystem'>,
  position: StorePosition,
): Promise<ShortFile | undefined> {
  const files = await listStoreFiles(fileSystem, folder, name);
  const file = files.find(({ number }) => number === position.file);
  // The cap removes the oldest: a file that is gone with all before it, where later ones are there, made room for those; any other was lost.
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
    ? `it is gone, and the checkpoint was made when it had ${position.bytes} bytes.`
    : `it has ${bytes} bytes, and the checkpoint was made when it had ${position.bytes}.`;
}

/** Opens a store for writing; there must be one writer at a time. Errors of the disk are `RunError`s, a file that is shorter than `resumeAt` says a `UsageError`. */
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
      what: 'it is there already, and a new store never writes over an old one.',
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
    what: `${maxFileBytes} and ${maxTotalBytes} will not do.`,
    fix: 'Give whole numbers of bytes above 0, the total no less than one file.',
  });
}

type Settings = Required<Omit<StoreOptions, 'resumeAt' | 'inNextFile'>>;

class FileStore implements TrajectoryStore {
  readonly #settings: Settings;
  #position: StorePosition = { file: 1, bytes: 0 };
  #handle: FileHandle | undefined;
  /** Bytes of each ended file by number, oldest first. */
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
    const framed = Promise.all(groups.map((group) => frameGroup(encodeGroup(group)))); // compressed beside earlier writes, written after them
    framed.catch(() => undefined); // told to the caller when its turn comes
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

  /** Ends the file; where it was lost, an empty one takes its place and its number. */
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
      what: 'the store was closed.',
      fix: 'Close it after the last group.',
    });
  }

  /** One operation on the files at a time, in the order of the calls; none after a failure. */
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

  /** One write a file: each costs a turn of the event loop, of which a busy trainer has few. */
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
    await assertStoreReaches(this.#settings, position); // before anything is removed
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

  /** Makes names that have come or gone survive the end of power, where the system lets one open a folder. */
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
