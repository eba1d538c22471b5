import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cairn } from '../support/command-line.ts';
import { useFolder } from '../support/own-folder.ts';
import { root } from '../support/run-program.ts';
import { resumeSmall, stopped, trainSmall } from '../trainers/loop/small-training.ts';

const inFolder = useFolder();
const example = (file: string): string => path.join(root, 'examples', file);
const small =
  '--backend cpu --iterations 2 --groups 3 --group-size 4 --final-panel dev --with policy.buckets=256 ' +
  '--with policy.width=4 --with policy.hidden=4 --with evaluation.tasks=2';

const metricsLine = z.looseObject({ figures: z.record(z.string(), z.number()).optional() });

/** Trains on the example of sorting with two iterations, by a plug-in of an example. */
async function train(name: string, words: readonly string[]) {
  const command = ['train', 'my-lab/sort', '--env-module', example('sort-env.ts'), ...small.split(' ')];
  const { code, out, err } = await cairn([...command, ...words, '--run', inFolder(name), '--quiet']);
  expect(code, err).toBe(0);
  const document: unknown = JSON.parse(await readFile(inFolder(name, 'config.json'), 'utf8'));
  const lines = (await readFile(inFolder(name, 'metrics.jsonl'), 'utf8')).trim().split('\n');
  const figures = lines.flatMap((line) => {
    const { figures: each } = metricsLine.parse(JSON.parse(line));
    return each === undefined ? [] : [each];
  });
  return { out, document, figures };
}

/** The assignments of `--with` for the file of a plug-in. */
const moduleAt = (key: string, file: string): readonly string[] => [
  '--with',
  `${key}.kind=module`,
  '--with',
  `${key}.file=${example(file)}`,
];

describe('the examples of plug-ins', () => {
  it('examples/time-baseline-credit.ts gives credit', async () => {
    const { out } = await train('credit', ['--credit', example('time-baseline-credit.ts')]);
    expect(out).toMatch(/^time baseline greedy /m);
  });

  it('examples/half-solved-curriculum.ts chooses tasks, and a checkpoint keeps its state', async () => {
    const { document } = await train('tasks', [
      ...moduleAt('taskSampling', 'half-solved-curriculum.ts'),
      '--with',
      'taskSampling.options.explore=0.3',
    ]);
    expect(document).toMatchObject({
      config: { taskSampling: { kind: 'module', options: { explore: 0.3 } } },
      versions: { 'curriculum-file': expect.stringMatching(/^sha256:/) as string },
    });
    const checkpoints = inFolder('tasks', 'checkpoints');
    const newest = (await readdir(checkpoints)).filter((name) => name.startsWith('iteration')).at(-1) ?? '';
    const files = await readdir(path.join(checkpoints, newest));
    const texts = await Promise.all(
      files
        .filter((file) => file.endsWith('.json'))
        .map((file) => readFile(path.join(checkpoints, newest, file), 'utf8')),
    );
    expect(texts.join('\n')).toMatch(/"solved":\s*\{\s*"\d+":/);
  });

  it('examples/tapered-objective.ts moves the policy', async () => {
    const { document, figures } = await train(
      'objective',
      moduleAt('update.objective', 'tapered-objective.ts'),
    );
    expect(document).toMatchObject({
      config: { update: { objective: { kind: 'module', options: { most: 1 } } } },
    });
    expect(figures.some((each) => (each['update/gradient-norm'] ?? 0) > 0)).toBe(true);
  });

  it('examples/novelty-bonus.ts counts decisions and rewards new ones', async () => {
    const file = example('novelty-bonus.ts');
    const { out, figures } = await train('novelty', [
      '--credit',
      file,
      '--with',
      `evidence=${JSON.stringify([{ kind: 'module', file }])}`,
    ]);
    expect(out).toMatch(/^novelty bonus greedy /m);
    const counts = figures.flatMap((each) => each['novelty/decisions'] ?? []);
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts[1]).toBeGreaterThan(counts[0] ?? 0);
  });

  it('examples/novelty-bonus.ts goes on from a checkpoint to the same numbers', async () => {
    const file = example('novelty-bonus.ts');
    const config = {
      credit: { kind: 'module' as const, file },
      evidence: [{ kind: 'module' as const, file }],
    };
    const whole = await trainSmall(inFolder('novelty-whole'), { config });
    const stopAt = (place: string): boolean => place.includes('/iteration-3/');
    await expect(trainSmall(inFolder('novelty-cut'), { config, stopAt })).rejects.toBe(stopped);
    expect(await resumeSmall(inFolder('novelty-cut'), { config, begun: true })).toEqual(whole);
    const metricsOf = (name: string) => readFile(inFolder(name, 'metrics.jsonl'), 'utf8');
    expect(await metricsOf('novelty-cut')).toBe(await metricsOf('novelty-whole'));
  });
});
