import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cairn } from '../support/command-line.ts';

/** A user's env whose author made one mistake, which `mistake` chooses; `step` makes it from the third step of task 3 on. */
const module = `
import { defineEnv, reward } from 'cairn-gym/envs';
import { z } from 'zod';
const turn = (steps) => ({ observation: 'door ' + steps, stateKey: 's' + steps, anchorKey: 'a' + steps, admissible: ['go', 'stay'], stepsLeft: undefined, seat: 0 });
const mistakes = {
  none: (result) => result,
  nothing: () => undefined,
  text: () => 'you are out',
  blind: ({ observation, ...result }) => result,
  nan: (result) => ({ ...result, reward: { total: NaN, terms: {} } }),
  kind: (result) => ({ ...result, kind: 'done' }),
  list: (result) => ({ ...result, admissible: 'go' }),
  empty: (result) => ({ ...result, admissible: [] }),
  promise: (result) => ({ ...result, reward: Promise.resolve(result.reward) }),
};
export const environments = [defineEnv({
  id: 'lab/walk-v1',
  summary: 'walks',
  config: z.strictObject({ mistake: z.enum(['open', 'reset', 'size', 'getter', ...Object.keys(mistakes)]).default('none') }),
  observation: z.string(),
  action: z.string(),
  deterministic: true,
  text: { observation: (seen) => seen, action: (act) => act, parse: (text) => ({ kind: 'action', action: text }) },
  turnLimit: () => 6,
  open: async ({ mistake }) => mistake === 'open' ? undefined : ({
    panels: [mistake === 'getter' ? { get name() { throw new Error('no name yet'); } } : { name: 'train', size: mistake === 'size' ? 1e13 : 8, purpose: 'train', summary: '' }, { name: 'dev', size: 8, purpose: 'dev', summary: '' }],
    describeTask: ({ panel, index }) => ({ family: 'walk', instruction: 'Walk.', content: { panel, index } }),
    create: async () => {
      let steps = 0;
      let task = 0;
      return {
        reset: async ({ index }) => {
          steps = 0;
          task = index;
          return mistake === 'reset' ? [] : { ...turn(0), instruction: 'Walk.' };
        },
        step: async (action) => {
          steps += 1;
          const result = { kind: 'ongoing', ...turn(steps), reward: reward({ way: 0.125 }), inadmissible: false };
          return task === 3 && steps >= 3 ? (mistakes[mistake] ?? mistakes.none)(result) : result;
        },
        close: async () => undefined,
      };
    },
    close: async () => undefined,
  }),
})];
`;

let folder = '';
let file = '';
let runs = 0;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  file = path.join(folder, 'walk.ts');
  await writeFile(file, module);
});
afterAll(() => rm(folder, { recursive: true }));

const small = ['evaluation.tasks=3', 'policy.buckets=64', 'policy.width=4', 'policy.hidden=4'].flatMap(
  (change) => ['--with', change],
);
const trainOf = (groups: number): readonly string[] => [
  ...`train lab/walk --backend cpu --iterations 2 --groups ${groups} --group-size 2 --warm-start 0`.split(
    ' ',
  ),
  ...small,
];
const train = trainOf(8);

const commands: Readonly<Record<string, readonly string[]>> = {
  train,
  eval: ['eval', 'lab/walk', '--agent', 'random'],
  bench: ['bench', 'lab/walk', '--agent', 'random', '--panel', 'dev'],
  play: ['play', 'lab/walk', '--task', '3'],
};

const ran = (words: readonly string[], mistake: string) =>
  cairn([...words, '--env-module', file, '--set', `mistake=${mistake}`, '--quiet'], {
    stdin: 'go\n'.repeat(9),
  });

const steps = [
  ['nothing', 'it returned undefined, but a step result must be an object'],
  ['text', 'it returned "you are out", but a step result must be an object'],
  ['blind', 'it has no observation'],
  ['nan', 'its reward.total must be a finite number, not NaN'],
  ['kind', 'its kind must be "ongoing", "terminated" or "truncated", not "done"'],
  ['list', 'its admissible actions must be an array, not "go"'],
  ['empty', 'its list of admissible actions is empty, but the episode goes on'],
  ['promise', 'its reward must be an object with total and terms, not a promise'],
] as const;
const hosts = [
  [
    'size',
    'panels[0] (train) has the size 10000000000000, but a panel is read as a whole and may have at most 10000000 tasks',
  ],
  ['getter', 'reading what it returned throws: no name yet'],
] as const;
const fix =
  'Fix the environment: `npx cairn-gym check lab/walk-v1` lists everything that breaks the contract.';

describe.each(Object.keys(commands))('cairn-gym %s on a user’s env', (name) => {
  const words = [...(commands[name] ?? [])];
  const runFolder = (): readonly string[] =>
    name === 'train' ? ['--run', path.join(folder, `run-${(runs += 1)}`)] : [];

  it('plays an env that keeps the contract', async () => {
    const { code, err } = await ran([...words, ...runFolder()], 'none');
    expect({ code, err }).toEqual({ code: 0, err: '' });
  });

  it.each(steps)('refuses in one paragraph a step with the mistake "%s"', async (mistake, what) => {
    const { code, err } = await ran([...words, ...runFolder()], mistake);
    const panel = name === 'train' ? 'train' : 'dev';
    expect({ code, err }).toEqual({
      code: 2,
      err: `error: lab/walk-v1, step 3 of task ${panel}/3: ${what}. ${fix}\n`,
    });
  });

  it('refuses a host and an opening that break the contract', async () => {
    expect(await ran([...words, ...runFolder()], 'open')).toMatchObject({
      code: 2,
      err: `error: lab/walk-v1, open: it returned undefined, but a host must be an object. ${fix}\n`,
    });
    for (const [mistake, what] of hosts) {
      expect(await ran([...words, ...runFolder()], mistake)).toEqual({
        code: 2,
        out: '',
        err: `error: lab/walk-v1, open: ${what}. ${fix}\n`,
      });
    }
    const { code, err } = await ran([...words, ...runFolder()], 'reset');
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(
        /^error: lab\/walk-v1, reset of task \w+\/\d: its instruction must be a string, not undefined\. Fix/,
      ) as string,
    });
  });
});

describe('training stopped by a faulty env', () => {
  it('keeps its checkpoints, and resumes once the env is fixed', async () => {
    const run = path.join(folder, 'kept');
    const words = [...trainOf(4), '--run', run];
    const broken = await ran(words, 'nan');
    expect(broken.code).toBe(2);
    expect(await readdir(path.join(run, 'checkpoints'))).toContain('warm-start');
    const fixed = path.join(folder, 'fixed.ts'); // another file: a process imports a file once
    await writeFile(fixed, module.replace('reward: { total: NaN, terms: {} }', 'reward: result.reward'));
    const resume = ['train', '--resume', run, '--env-module', fixed, '--quiet'];
    expect((await cairn(resume)).err).toMatch(/has changed: .*--accept-changed-env/);
    const { code, err } = await cairn([...resume, '--accept-changed-env']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(existsSync(path.join(run, 'report.html'))).toBe(true);
  });
});
