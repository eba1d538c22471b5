import { mkdir, rmdir } from 'node:fs/promises';
import { codeOf, UsageError } from '../../../envs/core/errors.ts';
import { acquireLock, type FolderLock } from '../../../files/lock.ts';

/** A server's file that loading an adapter changes. */
export interface ServerFile {
  readonly path: string;
  /** Key of the training config that names it, for messages. */
  readonly key: string;
  /** Name of the server's kind, for messages. */
  readonly title: string;
}

/**
 * Locks a server's file for one training run, by a folder beside it. Two runs would lose each other's
 * adapters: a llama.cpp router that reloads its presets drops those that were added meanwhile.
 * @throws UsageError if another live process has the lock, or the folder cannot be created
 */
export async function lockServerFile(file: ServerFile): Promise<AsyncDisposable> {
  const folder = `${file.path}.cairn`;
  const lock = await acquire(file, folder);
  return {
    [Symbol.asyncDispose]: async () => {
      await lock.release();
      await rmdir(folder).catch(() => undefined); // another process is waiting in it
    },
  };
}

async function acquire({ path, key, title }: ServerFile, folder: string): Promise<FolderLock> {
  const where = `${key}, ${path}`;
  try {
    await mkdir(folder, { recursive: true });
    return await acquireLock(folder);
  } catch (thrown) {
    if (UsageError.is(thrown)) {
      const fix = `A ${title} samples for one training run at a time: wait for the other run, or start another server with its own file. If nothing uses it, delete ${folder}.`;
      throw new UsageError({ where, what: thrown.parts.what, fix }, { cause: thrown });
    }
    if (codeOf(thrown) !== 'ENOENT' && codeOf(thrown) !== 'EACCES') throw thrown;
    const what = `nothing can be written beside it (${String(codeOf(thrown))}).`;
    const fix = 'Name the file that the server was started with, in a folder that exists and is writable.';
    throw new UsageError({ where, what, fix }, { cause: thrown });
  }
}
