import { mkdir, rmdir } from 'node:fs/promises';
import { codeOf, UsageError } from '../../../envs/core/errors.ts';
import { acquireLock, type FolderLock } from '../../../files/lock.ts';

/**
 * The right to write adapters into a file of presets of llama.cpp, by a folder beside it that goes with the lock. A router that reads its
 * presets again forgets those that came while it did, so one training at a time has it.
 * @throws UsageError while another process that lives has it, or where the folder cannot be made
 */
export async function lockPresets(file: string): Promise<AsyncDisposable> {
  const folder = `${file}.cairn`;
  const lock = await acquire(file, folder);
  return {
    [Symbol.asyncDispose]: async () => {
      await lock.release();
      await rmdir(folder).catch(() => undefined); // somebody else is waiting in it
    },
  };
}

async function acquire(file: string, folder: string): Promise<FolderLock> {
  const mend = `A llama.cpp samples for one training at a time: wait for the other, or start another router with a file of its own. Where nothing uses it, delete ${folder}.`;
  try {
    await mkdir(folder, { recursive: true });
    return await acquireLock(folder);
  } catch (thrown) {
    if (UsageError.is(thrown))
      throw new UsageError(
        { where: `policy.sampler.presets, ${file}`, what: thrown.parts.what, mend },
        { cause: thrown },
      );
    if (codeOf(thrown) !== 'ENOENT' && codeOf(thrown) !== 'EACCES') throw thrown;
    throw new UsageError(
      {
        where: `policy.sampler.presets, ${file}`,
        what: `nothing can be written beside it (${String(codeOf(thrown))}).`,
        mend: 'Name the file that llama-server was started with, in a folder that is there and writable.',
      },
      { cause: thrown },
    );
  }
}
