import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EvaluationResult } from '../../../trainers/results/result.ts';
import { summarise } from '../../../trainers/results/summarise.ts';
import { FinalResults } from '../../../trainers/run/final-results.ts';
import { createRun, type RunFolder } from '../../../trainers/run/open-run.ts';
import { makeFacts, makeGroups } from '../evaluate/make-trajectories.ts';
import { makeRunFacts, temporaryFolder } from './make-run.ts';

const resultOf = (agent: string): EvaluationResult =>
  summarise([{ seed: 0, groups: makeGroups([['solved'], ['failed']]) }], makeFacts(2, { agent }));

const writeFinal = (run: RunFolder, weights: string): Promise<unknown> =>
  run.saveCheckpoint('final', {
    facts: { iteration: 3, seed: 3, counters: {}, states: {}, trajectories: {} },
    fill: async (folder) => writeFileSync(join(folder, 'weights'), weights),
  });

/** A run whose results of `one` and `two` are kept, of the checkpoint `final`. */
async function withResults(work: (run: RunFolder) => Promise<void>): Promise<void> {
  using root = temporaryFolder();
  await using run = await createRun(join(root.path, 'run'), makeRunFacts());
  await writeFinal(run, 'trained');
  const results = await FinalResults.open(run, 'final');
  expect(await results.find('one')).toBeUndefined();
  await results.save('one', resultOf('one'));
  await results.save('two', resultOf('two'));
  await work(run);
}

describe('results of the final checkpoint', () => {
  it('can be found by name', () =>
    withResults(async (run) => {
      const results = await FinalResults.open(run, 'final');
      expect(await results.find('one')).toEqual(resultOf('one'));
      expect(await results.find('two')).toEqual(resultOf('two'));
      expect(await results.find('three')).toBeUndefined();
    }));

  it('stop counting one by one when changed or missing', () =>
    withResults(async (run) => {
      await run.saveResult('one', resultOf('another'));
      expect(await (await FinalResults.open(run, 'final')).find('one')).toBeUndefined();
      expect(await (await FinalResults.open(run, 'final')).find('two')).toEqual(resultOf('two'));
      rmSync(join(run.paths.results, 'two.json'));
      expect(await (await FinalResults.open(run, 'final')).find('two')).toBeUndefined();
    }));

  it('stop counting when the checkpoint changes, even beside its new results', () =>
    withResults(async (run) => {
      await writeFinal(run, 'trained otherwise');
      await (await FinalResults.open(run, 'final')).save('two', resultOf('two'));
      const results = await FinalResults.open(run, 'final');
      expect(await results.find('one')).toBeUndefined();
      expect(await results.find('two')).toEqual(resultOf('two'));
    }));

  it('stop counting when their record is damaged', () =>
    withResults(async (run) => {
      writeFileSync(join(run.paths.checkpoints, 'final.json'), '{"checkpoint":');
      expect(await (await FinalResults.open(run, 'final')).find('one')).toBeUndefined();
    }));
});
