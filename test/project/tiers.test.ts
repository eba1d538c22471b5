import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { root, run } from '../support/run-program.ts';
import { isSlow, listTestFiles } from '../support/tiers.ts';

/** The files that vitest would run, sorted. A file that two projects run stands twice. */
async function filesOf(...words: readonly string[]): Promise<readonly string[]> {
  const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
  const { code, out, err } = await run(process.execPath, [vitest, 'list', '--filesOnly', '--json', ...words]);
  expect(code, err).toBe(0);
  return z
    .array(z.object({ file: z.string() }))
    .parse(JSON.parse(out))
    .map(({ file }) => path.relative(root, file).split(path.sep).join('/'))
    .sort();
}

describe('test tiers', () => {
  it('all runs each test file of the repository once', async () => {
    expect(await filesOf()).toEqual(listTestFiles());
  });

  it('quick runs each test file once that is not slow', async () => {
    expect(await filesOf('--mode', 'quick')).toEqual(listTestFiles().filter((file) => !isSlow(file)));
  });

  it('slow files state their reason in the first line', () => {
    const silent = listTestFiles()
      .filter(isSlow)
      .filter((file) => !/^\/\/ Slow: \w.{15,}\.\n/.test(readFileSync(path.join(root, file), 'utf8')));
    expect(silent).toEqual([]);
  });
});
