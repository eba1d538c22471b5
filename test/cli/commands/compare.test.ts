import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import type { EvaluationResult } from '../../../trainers/results/result.ts';
import { cairn } from '../../support/command-line.ts';
import { tinyPolicy } from '../../support/tiny-policy.ts';

let folder = '';
const at = (...names: readonly string[]): string => names.map((name) => path.join(folder, name)).join(',');

/** Runs that all tests here share, and none changes. */
async function train(name: string, words: readonly string[]): Promise<void> {
  const small =
    'train lights-out --iterations 1 --groups 2 --group-size 2 --warm-start 2 --set size=3 --with evaluation.tasks=4 --with warmStart.epochs=1 --backend cpu --quiet'.split(
      ' ',
    );
  const { code, err } = await cairn([...small, ...tinyPolicy, '--run', path.join(folder, name), ...words]);
  expect(code, err).toBe(0);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  await train('g-0', ['--seed', '0']);
  await train('g-1', ['--seed', '1']);
  await train('r-0', ['--seed', '0', '--credit', 'grpo']);
  await train('r-1', ['--seed', '1', '--credit', 'grpo']);
});
afterAll(() => rm(folder, { recursive: true }));

const compare = async (words: readonly string[], code = 0): Promise<string> => {
  const ran = await cairn(['compare', ...words, '--quiet']);
  expect(ran.code, ran.err).toBe(code);
  return code === 0 ? ran.out : ran.err;
};

interface Document {
  readonly comparisons: readonly {
    readonly success: { readonly low: number; readonly high: number };
    readonly pairs: { readonly kind: string };
  }[];
  readonly methods: readonly {
    readonly name: string;
    readonly bySeed: readonly { readonly seed: number; readonly run: string; readonly success: number }[];
  }[];
  readonly settings: readonly { readonly differences: readonly { readonly key: string }[] }[];
  readonly stepsToThreshold: { readonly sides: readonly { readonly name: string; readonly runs: number }[] };
}

describe('cairn-gym compare of runs', () => {
  it('pools the seeds of each side from the runs, and reports the difference between the methods', async () => {
    const sides = [`gigpo=${at('g-0', 'g-1')}`, `grpo=${at('r-0', 'r-1')}`];
    const text = await compare([...sides, '--threshold', '0']);
    expect(text).toMatch(/^gigpo +\d.*\ngrpo +\d/m);
    expect(text).toContain(
      'checkpoint: iteration-00001 of each; trained with seeds 0, 1; one episode a task',
    );
    expect(text).toMatch(
      /Each seed, success in %:\n {2}gigpo: seed 0 \d+\.\d, seed 1 \d+\.\d\n {2}grpo: seed 0 /,
    );
    expect(text).toMatch(
      /^gigpo against grpo: [+-]\d+\.\d points of success \[–\]; no interval worth showing below three seeds\.$/m,
    );
    expect(text).toContain(
      'gigpo and grpo were trained with settings that differ in credit.kind gigpo and grpo.',
    );
    expect(text).toMatch(
      /Environment steps to a success of 0\.0 % on dev\[0\.\.4\):\n {2}gigpo: median 0 \[0, 0\], which holds it with 50 %; 2 of 2 seeds came there: seed 0 0, seed 1 0\n/,
    );
    expect(text).not.toContain('one training');
    const document = JSON.parse(await compare([...sides, '--threshold', '0', '--json'])) as Document;
    expect(
      document.methods.map(({ name, bySeed }) => [name, bySeed.map(({ seed, run }) => [seed, run])]),
    ).toEqual([
      [
        'gigpo',
        [
          [0, 'g-0'],
          [1, 'g-1'],
        ],
      ],
      [
        'grpo',
        [
          [0, 'r-0'],
          [1, 'r-1'],
        ],
      ],
    ]);
    const stored = JSON.parse(
      await readFile(path.join(folder, 'g-1', 'results', 'unseen-gigpo.json'), 'utf8'),
    ) as EvaluationResult;
    expect(document.methods[0]?.bySeed[1]?.success).toBeCloseTo(stored.success.rate, 12);
    expect(document.comparisons[0]?.pairs.kind).toBe('bootstrap');
    expect(document.settings[0]?.differences.map(({ key }) => key)).toEqual([
      'credit.kind',
      'credit.anchor',
      'credit.omega',
      'credit.gamma',
      'credit.grouping.kind',
      'credit.visits',
    ]);
    expect(document.stepsToThreshold.sides.map(({ name, runs }) => [name, runs])).toEqual([
      ['gigpo', 2],
      ['grpo', 2],
    ]);
  });

  it('writes a page, and a file that compare can read again', async () => {
    const [out, page] = [path.join(folder, 'compared.json'), path.join(folder, 'compared.html')];
    const first = await compare([
      `gigpo=${at('g-0', 'g-1')}`,
      `grpo=${at('r-0', 'r-1')}`,
      '--out',
      out,
      '--page',
      page,
    ]);
    const html = await readFile(page, 'utf8');
    expect(html).toContain('<h1>gigpo against grpo</h1>');
    expect(html.split('data-chart=')).toHaveLength(3);
    const again = await compare([out]);
    const line = /^gigpo against grpo: .*$/m;
    expect(line.exec(again)?.[0]).toBe(line.exec(first)?.[0]);
    expect(again).toMatch(
      /gigpo was trained by GiGPO by information with settings [0-9a-f]{8}, grpo by GRPO with settings [0-9a-f]{8};/,
    );
    expect(await compare([`gigpo=${out}`, `other=${at('r-0', 'r-1')}`])).toContain('gigpo against other: ');
    expect(await compare([`nobody=${out}`, at('g-0')], 2)).toMatch(
      /it holds several results, and none is called nobody: gigpo, grpo\./,
    );
    expect(await compare([at('g-0'), at('g-1'), '--page', page], 2)).toMatch(/it exists already/);
  });

  it('warns that single seeds show no difference of methods', async () => {
    const text = await compare([at('g-0'), at('g-1')]);
    expect(text).toMatch(/^g-0 against g-1: .* McNemar p = /m);
    expect(text).toContain(
      'This compares only these two checkpoints on these tasks, not the methods: each side is one training run, and the variation between training runs is not in the interval or in p.',
    );
    expect(text).toContain('g-0 and g-1 were trained with the same settings but for their seeds.');
    const mixed = await compare([`gigpo=${at('g-0', 'g-1')}`, at('r-0'), at('r-1')]);
    expect(mixed).toContain(
      'r-0, r-1 are one training run each: this covers only those checkpoints on these tasks, and the variation between training runs is not in the intervals.',
    );
    expect(mixed).toMatch(/^gigpo +\d+\.\d \[–\]/m);
    expect(mixed.match(/the variation between/g)).toHaveLength(1);
    const singles = await compare([at('g-0'), at('g-1'), at('r-0')]);
    expect(singles.match(/the variation between/g)).toHaveLength(1);
    expect(singles).toContain('These compare only checkpoints on these tasks, not the methods: each side is');
    expect(await compare([at('g-0'), at('g-1'), at('r-0')])).toMatch(
      /McNemar p [=<] [^ ]+ \(p [=<] [^ ]+ adjusted by Holm\)\.[^]*2 comparisons: p is given unadjusted and adjusted for their number;/,
    );
  });

  it.each([
    ['patterns', () => [`gigpo=${path.join(folder, 'g-*')}`, `grpo=${path.join(folder, 'r-[01]')}`]],
    ['a folder whose runs it sorts by their settings', () => [path.join(folder, 'study')]],
    ['one pattern for all', () => [path.join(folder, 'study', '*')]],
  ])('pools the runs of %s', async (_name, words) => {
    await mkdir(path.join(folder, 'study', 'configs'), { recursive: true });
    for (const [from, to] of [
      ['g-0', 'gigpo-0'],
      ['g-1', 'gigpo-1'],
      ['r-0', 'grpo-0'],
      ['r-1', 'grpo-1'],
    ] as const)
      await cp(path.join(folder, from), path.join(folder, 'study', to), { recursive: true });
    const text = await compare(words());
    expect(text).toMatch(/\n {2}gigpo: seed 0 \d+\.\d, seed 1 \d+\.\d\n {2}grpo: seed 0 \d+\.\d, seed 1 /);
    expect(text).toMatch(/^gigpo against grpo: /m);
  });

  it('summarises the seeds of one method, and notes the runs of a folder that are not finished', async () => {
    const seeds = path.join(folder, 'seeds');
    for (const name of ['g-0', 'g-1'])
      await cp(path.join(folder, name), path.join(seeds, name), { recursive: true });
    await cp(path.join(folder, 'g-1'), path.join(seeds, 'g-2'), { recursive: true });
    await rm(path.join(seeds, 'g-2', 'results'), { recursive: true });
    const text = await compare([seeds]);
    expect(text).toMatch(/^ {2}g: seed 0 \d+\.\d, seed 1 \d+\.\d$/m);
    expect(text).toMatch(/^left out: .*g-2: it holds no result of its final checkpoint/m);
    await rm(path.join(seeds, 'g-1', 'results'), { recursive: true });
    expect(await compare([seeds], 2)).toMatch(/it needs at least two results/);
    await rm(path.join(seeds, 'g-0', 'results'), { recursive: true });
    expect(await compare([seeds], 2)).toMatch(/g-0: it holds no result of its final checkpoint/);
    expect(await compare([path.join(folder, 'nobody-*')], 2)).toMatch(/nothing matches this pattern/);
  });

  it('uses the requested panel and decoding', async () => {
    expect(await compare([at('g-0'), at('g-1'), '--decoding', 'greedy', '--panel', 'unseen'])).toContain(
      'decoding: greedy',
    );
    expect(await compare([at('g-0'), at('g-1'), '--panel', 'seen'], 2)).toMatch(
      /g-0: it holds no result of its final checkpoint, iteration-00001, on seen, sampled; it holds unseen sampled, unseen greedy\. Name a --panel and a --decoding that it holds\./,
    );
  });

  it('refuses to pool runs that are not seeds of one method', async () => {
    expect(await compare([`gigpo=${at('g-0', 'r-1')}`, at('g-1')], 2)).toMatch(
      /gigpo: .*g-0 and .*r-1: they were trained with settings that differ in more than the seed: credit\.kind gigpo and grpo\./,
    );
    expect(await compare([`gigpo=${at('g-0', 'g-0')}`, at('g-1')], 2)).toMatch(
      /gigpo: .*g-0 and .*g-0: seed 0 comes twice\./,
    );
    expect(await compare([`=${at('g-0')}`, at('g-1')], 2)).toMatch(/it has no name before the =/);
    expect(await compare([`a=${at('g-0')},`, at('g-1')], 2)).toMatch(/it has an empty place/);
  });

  it('reads older runs whose results lack their training, and reports changed results', async () => {
    const older = path.join(folder, 'older');
    await cp(path.join(folder, 'g-1'), older, { recursive: true });
    for (const name of await readdir(path.join(older, 'results'))) {
      const file = path.join(older, 'results', name);
      const { training: _its, ...result } = JSON.parse(await readFile(file, 'utf8')) as EvaluationResult;
      await writeFile(file, JSON.stringify(result));
    }
    const text = await compare([`gigpo=${at('g-0', 'older')}`, `grpo=${at('r-0', 'r-1')}`]);
    expect(text).toContain('trained with seeds 0, 1;');
    expect(text).toMatch(/unseen-gigpo\.json: it was changed since the run wrote it\./);
    expect(
      await compare([`gigpo=${path.join(older, 'results', 'unseen-gigpo.json')},${at('g-0')}`, at('r-0')], 2),
    ).toMatch(/unseen-gigpo\.json: its result does not say what was trained/);
  });

  it('refuses a run that has not finished', async () => {
    const cut = path.join(folder, 'cut');
    await cp(path.join(folder, 'g-1'), cut, { recursive: true });
    await rm(path.join(cut, 'results'), { recursive: true });
    expect(await compare([cut, at('g-0')], 2)).toMatch(
      /cut: it holds no result of its final checkpoint, iteration-00001, sampled\. Let it come to its end \(`npx cairn-gym train --resume .*cut`\)/,
    );
  });
});

describe('results of runs', () => {
  it('describe their training in the folder of a run and of an evaluation, except for untrained agents', async () => {
    const read = async (name: string): Promise<EvaluationResult> =>
      parseResult(
        JSON.parse(await readFile(path.join(folder, 'g-1', 'results', `${name}.json`), 'utf8')),
        name,
      );
    const { training } = await read('unseen-gigpo');
    expect(training).toEqual({
      method: 'GiGPO by information',
      settings: expect.stringMatching(/^sha256:/) as string,
      runs: [{ name: 'g-1', seed: 1, checkpoint: 'iteration-00001', iteration: 1 }],
    });
    expect((await read('unseen-cloned')).training).toMatchObject({
      method: 'cloned',
      runs: [{ checkpoint: 'warm-start', iteration: 0 }],
    });
    expect(await read('unseen-random')).not.toHaveProperty('training');
    const { out } = await cairn([
      'eval',
      '--run',
      path.join(folder, 'g-1'),
      '--backend',
      'cpu',
      '--tasks',
      '2',
      '--json',
      '--quiet',
    ]);
    expect(parseResult(JSON.parse(out), 'stdout').training).toEqual(training);
  });
});

describe('cairn-gym bench --pool', () => {
  const bench = (words: readonly string[]): ReturnType<typeof cairn> =>
    cairn(['bench', '--agent', 'random', '--backend', 'cpu', '--tasks', '3', '--quiet', ...words]);

  it('names the checkpoints that played, and writes a file for compare', async () => {
    const out = path.join(folder, 'bench.json');
    const {
      code,
      out: text,
      err,
    } = await bench(['--run', at('g-0'), '--run', at('g-1'), '--pool', 'GiGPO', '--out', out]);
    expect(code, err).toBe(0);
    expect(text).toContain(
      'checkpoint: iteration-00001 of each; trained with seeds 0, 1; one episode a task',
    );
    expect(await compare([out])).toMatch(
      /^random against GiGPO: .* \[–\]; no interval worth showing below three seeds\.$/m,
    );
    const other = await bench(['--run', at('r-0'), '--run', at('r-1'), '--pool', 'GRPO', '--json']);
    const document = path.join(folder, 'other.json');
    await writeFile(document, other.out);
    expect(await compare([`GiGPO=${out}`, `GRPO=${document}`])).toMatch(/^GiGPO against GRPO: /m);
    const taken = await bench(['--out', out, '--run', at('g-0')]);
    expect({ code: taken.code, err: taken.err }).toEqual({
      code: 2,
      err: expect.stringMatching(/it exists already/) as string,
    });
  });

  it('refuses runs whose training differs in more than the seed, before any episode', async () => {
    const { code, err, out } = await bench([
      '--run',
      at('g-0'),
      '--run',
      at('r-1'),
      '--pool',
      'GiGPO',
      '--dry-run',
    ]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(
      /GiGPO: g-0 and r-1: they were trained with settings that differ in more than the seed: credit\.kind gigpo and grpo\./,
    );
  });
});
