// Slow: trains until something is learnt.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useFolder } from '../support/own-folder.ts';
import { spawnCairn } from '../support/run-program.ts';
import { moduleText } from '../support/module-text.ts';

const inFolder = useFolder();

const small = (...changes: readonly string[]): readonly string[] =>
  ['policy.width=16', 'policy.hidden=16', 'policy.buckets=1024', ...changes].flatMap((change) => [
    '--with',
    change,
  ]);

const ended = z.object({
  results: z.array(
    z.object({
      agent: z.string(),
      panel: z.object({ name: z.string() }),
      success: z.object({ rate: z.number() }),
    }),
  ),
  comparisons: z.tuple([z.object({ first: z.literal('GiGPO'), second: z.literal('untrained') })]),
});

describe('cairn-gym train on examples/sort-env.ts', () => {
  it('learns from reward alone, and prints success before and after on the held-out panel', async () => {
    const words = [
      'train',
      'my-lab/sort',
      '--env-module',
      'examples/sort-env.ts',
      '--iterations',
      '16',
      '--backend',
      'wasm',
      '--with',
      'evaluation.every=16',
    ];
    const ran = await spawnCairn([...words, '--run', inFolder('sort'), '--json']);
    expect(ran.code, ran.err).toBe(0);
    const { results } = ended.parse(JSON.parse(ran.out));
    expect(results.map(({ agent, panel }) => [agent, panel.name])).toEqual([
      ['random', 'unseen'],
      ['untrained', 'unseen'],
      ['GiGPO', 'unseen'],
      ['GiGPO greedy', 'unseen'],
    ]);
    const rateOf = (name: string): number =>
      results.find(({ agent }) => agent === name)?.success.rate ?? Number.NaN;
    expect(rateOf('untrained')).toBeLessThan(0.3);
    expect(rateOf('GiGPO')).toBeGreaterThan(rateOf('untrained') + 0.3);
    expect(ran.err).not.toContain('taught nothing');
  });
});

describe('cairn-gym train on an env where nothing is learned', () => {
  it('warns once during training and once at the end, in the document and in the report', async () => {
    const words =
      'train lights-out --backend wasm --warm-start 0 --iterations 7 --groups 2 --group-size 2'.split(' ');
    const ran = await spawnCairn([
      ...words,
      ...small('evaluation.tasks=1', 'finalPanels=[]'),
      '--run',
      inFolder('dark'),
      '--json',
    ]);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.err.match(/warning: iterations 1 to 5 taught nothing: all 20 episodes failed/g)).toHaveLength(
      1,
    );
    expect(ran.err.match(/taught nothing/g)).toHaveLength(1);
    const seven = 'iterations 1 to 7 taught nothing: all 28 episodes failed';
    expect(JSON.parse(ran.out)).toMatchObject({
      stalls: [
        {
          kind: 'all-failed',
          first: 1,
          last: 7,
          episodes: 28,
          says: expect.stringContaining(seven) as string,
        },
      ],
      noTable: 'No table of before and after: finalPanels is empty. To get one: --final-panel unseen.',
    });
    const report = await readFile(inFolder('dark', 'report.html'), 'utf8');
    expect(report).toContain(`<b>Warning:</b> ${seven}`);
    expect(report).toContain('No table of before and after');
  });

  it('shows the defaults from the env under --dry-run: demonstrations and a held-out panel', async () => {
    const ran = await spawnCairn([
      'train',
      'lights-out',
      '--backend',
      'wasm',
      '--groups',
      '2',
      '--group-size',
      '2',
      ...small(),
      '--dry-run',
      '--json',
      '--quiet',
    ]);
    expect(ran.code, ran.err).toBe(0);
    expect(JSON.parse(ran.out)).toMatchObject({
      config: { warmStart: { episodes: 32 }, finalPanels: ['unseen'] },
      panels: [{ name: 'train' }, { name: 'dev' }, { name: 'unseen' }],
    });
  });
});

describe('cairn-gym train on an env with two seats', () => {
  it('fails after its demonstrations, and leaves no folder', async () => {
    const module = inFolder('seats.ts');
    const inStep =
      "if (nth++ % 2 === 0) return { kind: 'ongoing', ...turn, seat: 1, reward: reward({}), inadmissible: false };";
    const text = moduleText('lab/seats-v1', { atImport: 'let nth = 0;', inStep });
    await writeFile(
      module,
      text.replace('describeTask:', "experts: { searcher: () => ({ act: () => 'go' }) },\n    describeTask:"),
    );
    const ran = await spawnCairn([
      'train',
      'lab/seats',
      '--env-module',
      module,
      '--backend',
      'wasm',
      '--iterations',
      '1',
      '--groups',
      '2',
      ...small(),
      '--run',
      inFolder('seats'),
      '--quiet',
    ]);
    expect(ran.err).toContain('several seats acted in it, and their rewards cannot be summed.');
    expect(ran.code).toBe(2);
    expect(existsSync(inFolder('seats'))).toBe(false);
  });
});
