// Slow: trains with the files that the README shows.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { root, spawnCairn, type Ran } from '../support/run-program.ts';

let folder = '';
let readme = '';

/** Saves each snippet under the name that the sentence after it gives. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-readme-'));
  readme = await readFile(path.join(root, 'README.md'), 'utf8');
  const blocks = readme.matchAll(/^```ts\n([\s\S]*?)^```\n+(?:Save it as `([\w-]+\.ts)`)?/gm);
  for (const [, code = '', file] of blocks)
    if (file !== undefined) await writeFile(path.join(folder, file), code);
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the command of the README that begins so, as it is written, with flags that make it shorter. */
async function asWritten(begin: string, more: readonly string[] = []): Promise<Ran> {
  const line = readme.split('`').find((text) => text.startsWith(`npx cairn-gym ${begin}`)) ?? '';
  return spawnCairn([...line.split(' ').slice(2), ...more], { cwd: folder });
}

const outcome = z.object({
  results: z.array(z.object({ agent: z.string(), success: z.object({ rate: z.number() }) })),
});
const small = ['--iterations', '2', '--groups', '2', '--group-size', '2', '--with', 'evaluation.tasks=2'];

it('the environment of the README has no findings', async () => {
  const { code, out, err } = await asWritten('check my-lab/halve');
  expect(code, err).toBe(0);
  expect(out).toContain('my-lab/halve-v1: no findings');
});

it('the environment of the README is learned by reward alone', async () => {
  const { code, out, err } = await asWritten('train my-lab/halve', ['--json']);
  expect(code, err).toBe(0);
  const { results } = outcome.parse(JSON.parse(out));
  const rateOf = (agent: string) => results.find((result) => result.agent === agent)?.success.rate;
  expect(rateOf('untrained')).toBeLessThan(0.3);
  expect(rateOf('GiGPO')).toBeGreaterThan(0.9);
});

it('the estimator of the README trains', async () => {
  const { code, out, err } = await asWritten('train my-lab/halve --env-module halve-env.ts --credit', small);
  expect(code, err).toBe(0);
  expect(out).toMatch(/^above the mean greedy /m);
});
