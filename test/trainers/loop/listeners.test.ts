import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RecordedMetrics } from '../../../trainers/loop/progress.ts';
import { temporaryFolder } from '../run/make-run.ts';
import { resumeSmall, stopped, trainSmall } from './small-training.ts';

const linesOf = (folder: string, log: string): readonly unknown[] =>
  readFileSync(join(folder, log), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

it('onMetrics receives every line of both logs once it is written, also after a resumption', async () => {
  using root = temporaryFolder();
  const folder = join(root.path, 'run');
  const heard: RecordedMetrics[] = [];
  const onMetrics = (recorded: RecordedMetrics): void => {
    expect(linesOf(folder, 'metrics.jsonl').at(-1)).toEqual(recorded.line);
    heard.push(recorded);
  };
  await expect(
    trainSmall(folder, {
      onMetrics,
      onProgress: ({ iteration }, stop) => void (iteration === 2 && stop()),
    }),
  ).rejects.toBe(stopped);
  const before = heard.length;
  expect(heard.map(({ line }) => line.kind)).toContain('warm-start');
  await resumeSmall(folder, { onMetrics, begun: true });
  expect(heard.length).toBeGreaterThan(before);
  expect(heard.map(({ line }) => line)).toEqual(linesOf(folder, 'metrics.jsonl'));
  expect(heard.map(({ timing }) => timing)).toEqual(linesOf(folder, 'timings.jsonl'));
});

it('a listener that throws ends the run, which can be resumed', async () => {
  using root = temporaryFolder();
  const folder = join(root.path, 'run');
  const broken = new Error('the listener broke');
  const onMetrics = ({ line }: RecordedMetrics): void => {
    if (line.kind === 'iteration' && line.iteration === 2) throw broken;
  };
  await expect(trainSmall(folder, { onMetrics })).rejects.toBe(broken);
  expect(await resumeSmall(folder, { begun: true })).toMatchObject({ state: { iteration: 3 } });
});
