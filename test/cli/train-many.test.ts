import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cairn } from '../support/command-line.ts';
import { temporaryFolder } from '../trainers/run/make-run.ts';

const root = temporaryFolder();
afterAll(() => root[Symbol.dispose]());
const at = (...parts: readonly string[]): string => join(root.path, ...parts);

const small =
  'lights-out --set size=3 --backend cpu --iterations 1 --groups 2 --group-size 2 --warm-start 0 --final-panel unseen --with evaluation.tasks=2 --with policy.buckets=64 --with policy.width=2 --with policy.hidden=2'.split(
    ' ',
  );

describe('plan of several trainings', () => {
  it('shows under --dry-run what would be trained, with every combination of a sweep', async () => {
    const { code, out, err } = await cairn([
      'train',
      ...small,
      '--sweep',
      'credit.kind=gigpo,grpo',
      '--sweep',
      'update.epochs=1,2',
      '--seeds',
      '3,4',
      '--run',
      at('none'),
      '--dry-run',
      '--json',
    ]);
    expect(code, err).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      dryRun: true,
      folder: at('none'),
      plan: {
        env: 'lights-out-v1',
        seeds: [3, 4],
        variants: {
          'kind-gigpo+epochs-1': { iterations: 1, credit: { kind: 'gigpo' }, update: { epochs: 1 } },
          'kind-gigpo+epochs-2': {},
          'kind-grpo+epochs-1': {},
          'kind-grpo+epochs-2': { credit: { kind: 'grpo' }, update: { epochs: 2 } },
        },
      },
    });
    expect(existsSync(at('none'))).toBe(false);
  });

  it.each([
    [['--seeds', '0..1', '--seed', '2'], /--seed and --seeds: both name seeds/],
    [['--jobs', '2'], /--jobs: there is only one training/],
    [['--seeds', '0..1', '--forecast'], /--forecast: it measures one training/],
    [['--sweep', 'update.epoch=1,2'], /unknown key "epoch"/],
    [['--sweep', 'update.epochs=1,-2'], /epochs/],
    [['--sweep', 'iterations=1,2'], /iterations: it is given twice/],
    [['--seeds', '0..1', '--keys'], /it only prints, and --seeds is given/],
  ])('refuses %j before anything is trained', async (words, says) => {
    const ran = await cairn([
      'train',
      ...small,
      ...words,
      ...(words.includes('--keys') ? [] : ['--run', at('no')]),
    ]);
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 2, err: expect.stringMatching(says) as string });
    expect(existsSync(at('no'))).toBe(false);
  });

  it('refuses a folder that holds something else', async () => {
    mkdirSync(at('run'));
    writeFileSync(at('run', 'config.json'), '{}');
    const ran = await cairn(['train', ...small, '--seeds', '0..1', '--run', at('run')]);
    expect(ran).toMatchObject({ code: 2, err: expect.stringMatching(/it contains a run already/) as string });
    expect(readdirSync(at('run'))).toEqual(['config.json']);
  });
});
