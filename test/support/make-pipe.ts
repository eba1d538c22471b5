import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

/** Puts a pipe, which nobody writes to, in the place of whatever stands at the path. */
export async function makePipe(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await promisify(execFile)('mkfifo', [path]);
}
