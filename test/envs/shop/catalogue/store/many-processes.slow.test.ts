// Slow: makes catalogues in many processes at once.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const jiti = join(
  dirname(createRequire(import.meta.url).resolve('jiti/package.json')),
  'lib',
  'jiti-cli.mjs',
);
const maker = new URL('../../../../support/make-catalogue.ts', import.meta.url).pathname;

let cacheFolder = '';
const children: ChildProcess[] = [];

beforeEach(async () => {
  cacheFolder = await mkdtemp(join(tmpdir(), 'cairn-processes-'));
});

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(cacheFolder, { recursive: true, force: true });
});

/** Starts a process that opens the catalogue. */
function start(): {
  readonly child: ChildProcess;
  readonly said: Promise<string>;
  readonly started: Promise<unknown>;
} {
  const child = spawn(process.execPath, [jiti, maker, cacheFolder], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => void (text += part));
  const started = child.stdout === null ? Promise.resolve() : once(child.stdout, 'data');
  return { child, started, said: once(child, 'close').then(() => text) };
}

const answer = '{"fingerprint":"sha256:[0-9a-f]{64}","size":3000,"last":"floor lamp 2999","desks":50}\n';

it('processes that make the same catalogue at once all succeed', async () => {
  const said = await Promise.all([start(), start(), start()].map((process) => process.said));
  for (const text of said) expect(text).toMatch(new RegExp(`^started\\n${answer}$`));
  expect(new Set(said).size).toBe(1);
  expect(await start().said).toMatch(new RegExp(`^${answer}$`)); // the catalogue exists now
});

it('a process killed in the middle does not disturb the next one', async () => {
  const { child, started, said } = start();
  await started;
  child.kill('SIGKILL');
  await said;
  const [folder = ''] = await readdir(cacheFolder);
  expect((await readdir(join(cacheFolder, folder))).every((name) => name.startsWith('.'))).toBe(true);
  expect(await start().said).toMatch(new RegExp(`^started\\n${answer}$`));
});
