import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root, run, type Ran } from '../support/run-program.ts';

let clone = '';

/** A measurement that writes down that it ran. */
const measurement = (name: string): string => `
import { appendFileSync } from 'node:fs';
if (typeof globalThis.gc !== 'function') throw new Error('a measurement needs --expose-gc');
appendFileSync('ran.txt', '${name}\\n');
`;

beforeEach(async () => {
  clone = await mkdtemp(path.join(os.tmpdir(), 'cairn-perf-'));
  await cp(path.join(root, 'scripts'), path.join(clone, 'scripts'), { recursive: true });
  await writeFile(path.join(clone, 'package.json'), '{ "type": "module" }');
  const files = {
    'credit/rate.js': measurement('credit/rate'),
    'household/step-rate.js': `import {} from './worlds.js';${measurement('household/step-rate')}`,
    'household/worlds.js': '',
    'soak/main.js': measurement('soak'),
    'studies/household-methods.js': `import { sum } from './summary.js';${measurement('studies/household-methods')}`,
    'studies/summary.js': 'export const sum = 0;',
  };
  for (const [name, source] of Object.entries(files)) {
    const file = path.join(clone, 'dist', 'bench', name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, source);
  }
});
afterEach(() => rm(clone, { recursive: true }));

const perf = (...patterns: readonly string[]): Promise<Ran> =>
  run(process.execPath, [path.join(clone, 'scripts', 'perf.mjs'), ...patterns], { cwd: clone });
const ran = async (): Promise<readonly string[]> =>
  (await readFile(path.join(clone, 'ran.txt'), 'utf8').catch(() => '')).split('\n').slice(0, -1);

it.each([
  [[], ['credit/rate', 'household/step-rate']],
  [['credit'], ['credit/rate']],
  [['household'], ['household/step-rate']],
  [['studies'], ['studies/household-methods']],
  [
    ['studies/household-methods', 'credit'],
    ['credit/rate', 'studies/household-methods'],
  ],
] as const)(
  'npm run perf -- %j runs the named measurements, and a study only by its full name',
  async (patterns, expected) => {
    expect((await perf(...patterns)).code).toBe(0);
    expect(await ran()).toEqual(expected);
  },
);

it.each([
  [
    ['household-methods'],
    'perf: nothing fits household-methods. There are credit/rate, household/step-rate. Studies take hours and are named in full: studies/household-methods.\n',
  ],
  [
    ['credit', 'crdit'],
    'perf: nothing fits crdit. There are credit/rate, household/step-rate. Studies take hours and are named in full: studies/household-methods.\n',
  ],
] as const)('npm run perf -- %j runs nothing and lists what exists', async (patterns, message) => {
  expect(await perf(...patterns)).toEqual({ code: 2, out: '', err: message });
  expect(await ran()).toEqual([]);
});

it('npm run perf fails when a measurement fails, after the others have run', async () => {
  await writeFile(path.join(clone, 'dist', 'bench', 'credit', 'rate.js'), 'process.exit(3);');
  expect((await perf()).code).toBe(1);
  expect(await ran()).toEqual(['household/step-rate']);
});
