// Slow: every tool of the gates runs over the whole tree; `npm run check` runs them in daily work.
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root, run } from '../support/run-program.ts';

const tool = (name: string): string => path.join(root, 'node_modules', name);

describe('gates', () => {
  it('oxfmt finds every file formatted', async () => {
    const { code, out, err } = await run(process.execPath, [tool('oxfmt/bin/oxfmt'), '--check']);
    expect(code, out + err).toBe(0);
  });

  it('tsc finds no type error', async () => {
    const words = ['--incremental', '--tsBuildInfoFile', 'node_modules/.cache/tsconfig.tsbuildinfo']; // as `npm run check` does
    const { out, err } = await run(process.execPath, [
      tool('typescript/bin/tsc'),
      '-p',
      'tsconfig.json',
      ...words,
    ]);
    expect(out + err).toBe('');
  });

  it('oxlint finds nothing', async () => {
    const { code, out, err } = await run(process.execPath, [
      tool('oxlint/bin/oxlint'),
      '--type-aware',
      '--deny-warnings',
    ]);
    expect(code, out + err).toBe(0);
  });

  it('knip finds no unused code', async () => {
    const { code, out, err } = await run(process.execPath, [tool('knip/bin/knip.js'), '--no-progress']);
    expect(code, out + err).toBe(0);
  });

  it('words.mjs finds only plain technical English', async () => {
    const { code, out, err } = await run(process.execPath, [path.join(root, 'scripts/words.mjs')]);
    expect(code, out + err).toBe(0);
  });
});
