import { constants } from 'node:fs';
import { copyFile, link, rm } from 'node:fs/promises';
import { codeOf } from '../envs/core/errors.ts';

/** Gives `existing` a second name; false if that name is taken. Never overwrites a file. */
export async function linkNew(existing: string, path: string): Promise<boolean> {
  try {
    await link(existing, path);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error;
  }
  // A file system without links: exclusive, but briefly incomplete.
  try {
    await copyFile(existing, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    await rm(path, { force: true }); // it was created here and is incomplete
    throw error;
  }
}
