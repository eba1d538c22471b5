import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { bringBuild } from './command-line.ts';

/** Brings the build up to date before the tests of a file, and makes a folder for them that is removed after them. Gives paths in it, once tests run. */
export function useBuiltFolder(): (...parts: readonly string[]) => string {
  let folder = '';
  beforeAll(async () => {
    await bringBuild();
    folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true }));
  return (...parts) => path.join(folder, ...parts);
}
