// Slow: trains in four processes of their own.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cairn } from '../support/command-line.ts';
import { spawnCairn } from '../support/run-program.ts';
import { temporaryFolder } from '../trainers/run/make-run.ts';

const root = temporaryFolder();
afterAll(() => root[Symbol.dispose]());
const at = (...parts: readonly string[]): string => join(root.path, ...parts);

const small =
  'lights-out --set size=3 --backend cpu --iterations 1 --groups 2 --group-size 2 --warm-start 0 --final-panel unseen --with evaluation.tasks=2 --with evaluation.finalTasks=4 --with policy.buckets=64 --with policy.width=2 --with policy.hidden=2'.split(
    ' ',
  );

it('cairn-gym train --seeds trains each seed in one folder, summarises them, and resumes what is missing', async () => {
  const folder = at('seeds');
  const ran = await spawnCairn([
    'train',
    ...small,
    '--seeds',
    '0..1',
    '--jobs',
    '2',
    '--tensorboard',
    '--run',
    folder,
  ]);
  expect(ran.code, ran.err).toBe(0);
  expect(ran.out).toMatch(/^ {2}gigpo: seed 0 \d+\.\d, seed 1 \d+\.\d$/m);
  expect(ran.out).toContain('gigpo: no interval worth showing below three seeds.');
  expect(readdirSync(folder).toSorted()).toEqual(['configs', 'gigpo-0', 'gigpo-1', 'study.json']);
  const first = readdirSync(join(folder, 'gigpo-0'));
  expect(first.filter((name) => name.includes('tfevents'))).toHaveLength(1);
  expect(first).toContain('report.html');
  const before = statSync(join(folder, 'gigpo-0', 'metrics.jsonl')).mtimeMs;
  rmSync(join(folder, 'gigpo-1'), { recursive: true });
  const again = await spawnCairn(['train', '--resume', folder, '--json']);
  expect(again.code, again.err).toBe(0);
  expect(JSON.parse(again.out)).toMatchObject({
    folders: { gigpo: [join(folder, 'gigpo-0'), join(folder, 'gigpo-1')] },
    methods: [{ name: 'gigpo', bySeed: [{ seed: 0 }, { seed: 1 }] }],
  });
  expect(statSync(join(folder, 'gigpo-0', 'metrics.jsonl')).mtimeMs).toBe(before);
  const other = await cairn(['train', ...small, '--seeds', '0..2', '--run', folder]);
  expect(other).toMatchObject({
    code: 2,
    err: expect.stringMatching(/started with other settings, variants or seeds/) as string,
  });
});
