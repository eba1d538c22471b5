import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import { cairn } from '../../support/command-line.ts';

let folder = '';
beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'))));
afterAll(() => rm(folder, { recursive: true }));

describe('cairn-gym eval', () => {
  it('reports the result of a panel, the same at any concurrency', async () => {
    const results = [];
    for (const concurrency of ['1', '64']) {
      const { code, out } = await cairn([
        'eval',
        'lights-out',
        '--agent',
        'random',
        '--tasks',
        '6',
        '--episodes',
        '2',
        '--concurrency',
        concurrency,
        '--json',
        '--quiet',
      ]);
      expect(code).toBe(0);
      results.push({ ...parseResult(JSON.parse(out), 'stdout'), seconds: 0 });
    }
    expect(results[0]).toMatchObject({
      env: 'lights-out-v1',
      agent: 'random',
      panel: { tasks: 6 },
      episodesPerTask: 2,
      versions: { 'cairn-gym': '9.9.9' },
    });
    expect(results[1]).toEqual(results[0]);
  });

  it('plays only the named tasks, whose result compare can read', async () => {
    const file = path.join(folder, 'some.json');
    const words = ['eval', 'lights-out', '--agent', 'random', '--quiet'];
    const { code, err } = await cairn([...words, '--task', '17,3,60..62,4', '--out', file]);
    expect(code, err).toBe(0);
    const result = parseResult(JSON.parse(await readFile(file, 'utf8')), 'file');
    expect(result.panel).toMatchObject({
      name: 'dev[3,4,17,60..62]',
      tasks: 6,
      indices: [3, 4, 17, 60, 61, 62],
    });
    const whole = path.join(folder, 'all-tasks.json');
    await cairn([...words, '--out', whole]);
    const all = parseResult(JSON.parse(await readFile(whole, 'utf8')), 'file');
    expect(result.episodes).toEqual(
      all.episodes.filter(({ index }) => result.panel.indices?.includes(index) === true),
    );
    expect((await cairn(['compare', file, file])).out).toContain('dev[3,4,17,60..62]');
    const damaged = { ...result, panel: { ...result.panel, indices: [3, 4, 17, 60, 61, 63] } };
    expect(() => parseResult(damaged, 'file')).toThrow(/one is of task 62/);
  });

  it.each([
    ['17,x', /--task: must be indices such as 17,42 or 60\.\.64/],
    ['5..3', /--task: must be indices/],
    ['', /--task: must be indices/],
    ['-1', /--task: must be indices/],
    ['4,2..5', /task 4 is named twice\. Name each task once/],
    [
      '99999',
      /task 99999 of panel "dev" of lights-out-v1: this task does not exist\. Choose an integer from 0/,
    ],
  ])('refuses --task=%s', async (value, message) => {
    const { code, err } = await cairn(['eval', 'lights-out', '--agent', 'random', `--task=${value}`]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) as string });
  });

  it('refuses --task beside --tasks', async () => {
    const words = ['eval', 'lights-out', '--agent', 'random', '--task', '1', '--tasks', '2'];
    expect((await cairn(words)).err).toMatch(/--task and --tasks: .*Give one of the two/);
  });

  it('writes a result that compare can read', async () => {
    const file = (agent: string): string => path.join(folder, `${agent}.json`);
    for (const agent of ['random', 'searcher']) {
      const { code, out } = await cairn([
        'eval',
        'lights-out',
        '--set',
        'size=3',
        '--agent',
        agent,
        '--out',
        file(agent),
        '--quiet',
      ]);
      expect(code).toBe(0);
      expect(out).toContain('Scripted agents: not trained');
    }
    const { out } = await cairn(['compare', file('searcher'), file('random')]);
    expect(out).toContain('count as failures. Turns are means per episode without a fault.');
    expect(out).toMatch(/searcher against random: \+\d+\.\d points of success .* McNemar p = /);
    const { code, err } = await cairn(['eval', 'lights-out', '--agent', 'random', '--out', file('random')]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/exists already, and nothing is overwritten/) as string,
    });
    expect(parseResult(JSON.parse(await readFile(file('random'), 'utf8')), 'file').config).toEqual({
      size: 3,
    });
  });

  it('refuses to compare different panels', async () => {
    const other = path.join(folder, 'other.json');
    await cairn(['eval', 'lights-out', '--agent', 'random', '--tasks', '2', '--out', other, '--quiet']);
    const { code, err } = await cairn(['compare', other, path.join(folder, 'random.json')]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/they are of different panels/) as string,
    });
  });

  it('compares every result of a document with several', async () => {
    const several = path.join(folder, 'several.json');
    const bench = await cairn([
      'bench',
      'lights-out',
      '--agent',
      'random',
      '--tasks',
      '2',
      '--json',
      '--quiet',
    ]);
    await writeFile(several, bench.out);
    const { code, err } = await cairn(['compare', several]);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/it needs at least two results/) as string,
    });
    const two = path.join(folder, 'two.json');
    await writeFile(two, (await cairn(['bench', 'lights-out', '--tasks', '2', '--json', '--quiet'])).out);
    expect((await cairn(['compare', two])).out).toMatch(/^random against searcher: /m);
  });

  it.each([
    [['eval', 'lights-out'], /no player is named/],
    [['eval', 'lights-out', '--agent', 'random', '--run', 'x'], /two players are named/],
    [['eval', '--agent', 'random'], /no environment is named/],
    [
      ['eval', 'lights-out', '--agent', 'clever'],
      /cairn-gym eval, --agent: "clever" is no agent\. Give random, expert, searcher, planner, noisy:SHARE, baseline:NAME, your AGENT\.ts, the folder of a run or a checkpoint, the folder of a language model, or openai:MODEL@URL/,
    ],
    [['eval', '--run', 'nowhere'], /there is no run here/],
    [['eval', 'lights-out', '--agent', 'sercher'], /Did you mean searcher\?/],
    [
      ['eval', 'lights-out', '--agent', 'random', '--panel', 'unsen'],
      /Did you mean unseen\? Choose one of train, dev, unseen\./,
    ],
    [
      ['eval', 'lights-out', '--agent', 'random', '--tasks', '99999'],
      /panel "dev" of lights-out-v1: 99999 tasks were requested, but the panel has 100\./,
    ],
    [
      ['bench', 'lights-out', '--tasks', '101', '--dry-run'],
      /panel "unseen" of lights-out-v1: 101 tasks were requested, but the panel has 100\./,
    ],
    [
      ['eval', 'lights-out', '--agent', 'random', '--set', 'size.rows=3'],
      /config of lights-out-v1: size: \{"rows":3\} is given where integer 3 to 7 is wanted/,
    ],
    [['bench', 'lights-out', '--pool', 'GiGPO'], /there are fewer than two runs to pool/],
    [
      ['eval', 'lights-out', '--agent', 'random', '--checkpoint', 'nope'],
      /--checkpoint: it applies to the policy of a run, and no run plays\. Remove it, or add --run FOLDER\./,
    ],
    [['bench', 'lights-out', '--checkpoint', 'last'], /--checkpoint: it applies to the policy of a run/],
    [
      ['eval', 'lights-out', '--agent', 'random', '--decoding', 'greedy'],
      /--decoding: it applies to the policy of a run/,
    ],
    [
      ['eval', 'lights-out', '--agent', 'openai:gpt@http://127.0.0.1:1', '--decoding', 'greedy'],
      /--decoding: it applies to the policy of a run/,
    ],
    [
      ['eval', 'lights-out', '--agent', 'random', '--backend', 'cpu'],
      /--backend: it applies to the policy of a run/,
    ],
    [
      ['eval', 'lights-out', '--agent', 'random', '--temperature', '0.5'],
      /--temperature: it applies to the policy of a run and to language models, and none plays/,
    ],
    [
      ['eval', 'lights-out', '--agent', 'random', '--temperature', 'default'],
      /--temperature: it applies to the policy of a run and to language models/,
    ],
    [
      ['eval', 'lights-out', '--agent', 'openai:gpt@http://127.0.0.1:1', '--top-p', '0.9'],
      /--top-p: it applies to the policy of a run, and no run plays/,
    ],
    [
      ['compare', 'test', 'test'],
      /test: it is a folder, and that of a run or the file of a result is wanted\. Of episodes that --keep wrote: repeat the `cairn-gym eval`/,
    ],
    [
      ['bench', 'shop', '--catalogue', '2000'],
      /use --catalogue\.products 2000 or --catalogue\.seed 2000, or --set with catalogue\.kind/,
    ],
    [['compare', 'one.json'], /one\.json: there is no such file\. Give the folder of a run, or a file/],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await cairn([...words, '--quiet']);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(message) as string });
  });

  it('only plans under --dry-run', async () => {
    const { code, out } = await cairn(['bench', 'lights-out', '--dry-run', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      dryRun: true,
      panel: { name: 'unseen', tasks: 100 },
      agents: ['random', 'searcher'],
      episodes: 200,
    });
  });
});
