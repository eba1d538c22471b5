import { describe, expect, it } from 'vitest';
import { compareResults } from '../../../trainers/evaluate/compare.ts';
import type { EvaluationResult } from '../../../trainers/evaluate/result.ts';
import { compareWithStart } from '../../../trainers/loop/before-after.ts';
import type { TrainConfigInput } from '../../../trainers/loop/config.ts';
import { readRun } from '../../../trainers/report/read-run.ts';
import { temporaryFolder } from '../run-folder/make-run.ts';
import { trainSmall } from './small-training.ts';

const rowsOf = (results: readonly EvaluationResult[]): readonly unknown[] =>
  results.map(({ agent, panel, shown }) => [agent, panel.name, shown.decoding.kind, shown.checkpoint]);

const train = async (folder: string, config: Partial<TrainConfigInput>): Promise<readonly EvaluationResult[]> =>
  (await trainSmall(folder, { config: { finalPanels: ['unseen'], ...config } })).results;

describe('the final evaluation', () => {
  it('plays the final policy sampled and greedy, beside its start, the floor and the ceiling', async () => {
    using root = temporaryFolder();
    const results = await train(root.path, {});
    expect(rowsOf(results)).toEqual([
      ['random', 'unseen', 'none', undefined],
      ['cloned', 'unseen', 'sampled', 'warm-start'],
      ['GiGPO', 'unseen', 'sampled', 'iteration-00003'],
      ['GiGPO greedy', 'unseen', 'greedy', 'iteration-00003'],
      ['searcher', 'unseen', 'none', undefined],
    ]);
    const [, cloned, trained] = results as readonly [EvaluationResult, EvaluationResult, EvaluationResult];
    expect(compareWithStart(results)).toEqual([compareResults(trained, cloned)]);
    const stored = (await readRun(root.path)).results;
    expect(stored.map(({ agent }) => agent)).toEqual(['cloned', 'GiGPO', 'GiGPO greedy', 'random', 'searcher']);
    expect(compareWithStart(stored)).toEqual(compareWithStart(results));
  }, 60_000);

  it('compares with the start what is decoded like it', async () => {
    using root = temporaryFolder();
    const results = await train(root.path, { iterations: 1, evaluation: { tasks: 6, decoding: 'greedy' }, credit: { kind: 'grpo' } });
    expect(rowsOf(results).slice(1, 4)).toEqual([
      ['cloned', 'unseen', 'greedy', 'warm-start'],
      ['GRPO', 'unseen', 'greedy', 'iteration-00001'],
      ['GRPO sampled', 'unseen', 'sampled', 'iteration-00001'],
    ]);
    expect(compareWithStart(results).map(({ first, second }) => [first, second])).toEqual([['GRPO', 'cloned']]);
  }, 60_000);

  it('has nothing to compare where there was no training by reward, and still decodes both ways', async () => {
    using root = temporaryFolder();
    const results = await train(root.path, { iterations: 0, warmStart: { episodes: 0 } });
    expect(rowsOf(results).slice(1, 3)).toEqual([
      ['untrained', 'unseen', 'sampled', 'warm-start'],
      ['untrained greedy', 'unseen', 'greedy', 'warm-start'],
    ]);
    expect(compareWithStart(results)).toEqual([]);
  }, 60_000);
});
