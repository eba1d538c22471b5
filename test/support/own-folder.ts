import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** Makes a folder for the tests of a file that is removed after them. Gives paths in it, once tests run. */
export function useFolder(): (...parts: readonly string[]) => string {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'))));
  afterAll(() => rm(folder, { recursive: true }));
  return (...parts) => path.join(folder, ...parts);
}
