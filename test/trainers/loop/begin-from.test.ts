import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChoiceState } from '../../../trainers/model/choice/choice-checkpoint.ts';
import { readRunDocument } from '../../../trainers/run-folder/run-document.ts';
import { resumeSmall, smallConfig, stopped, trainSmall, type SmallTraining } from './small-training.ts';

let folder = '';
const at = (...names: readonly string[]): string => path.join(folder, ...names);
const weightsOf = (run: string, checkpoint: string) => readChoiceState(at(run, 'checkpoints', checkpoint, 'policy'));

/** A training that begins from the first. */
const from = (model: string, over: Partial<NonNullable<SmallTraining['config']>> = {}): SmallTraining => ({
  config: { policy: { ...smallConfig.policy, model }, warmStart: { episodes: 0 }, finalPanels: ['unseen'], evaluation: { tasks: 2 }, iterations: 2, update: { zeroAdvantage: 'keep' }, ...over },
});

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  await trainSmall(at('first'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a choice policy that begins from a run', () => {
  it('has its weights, an optimiser that has learned nothing, and says whence they came', async () => {
    const { results } = await trainSmall(at('second'), from(at('first')));
    const [end, start] = [await weightsOf('first', 'iteration-00003'), await weightsOf('second', 'warm-start')];
    expect(start.value).toEqual(end.value);
    expect([end.version > 0, start.version, start.step]).toEqual([true, 0, 0]);
    const { config, versions } = await readRunDocument(at('second'));
    expect(config).toMatchObject({ policy: { model: at('first', 'checkpoints', 'iteration-00003', 'policy') } });
    expect(versions['start']).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(results.map(({ agent }) => agent)).toContain('as given');
    expect((await weightsOf('second', 'iteration-00002')).value).not.toEqual(start.value);
  });

  it('gives the numbers of a run that was never interrupted, and is told where the first run is no more', async () => {
    const interrupted = { ...from(at('first')), onProgress: (progress: { readonly iteration: number }, stop: () => void) => void (progress.iteration === 1 && stop()) };
    await expect(trainSmall(at('third'), interrupted)).rejects.toBe(stopped);
    await rename(at('first'), at('away'));
    await expect(resumeSmall(at('third'), from(at('first', 'checkpoints', 'iteration-00003', 'policy')))).rejects.toThrow('no choice policy was saved there.');
    await rename(at('away'), at('first'));
    await resumeSmall(at('third'), from(at('first', 'checkpoints', 'iteration-00003', 'policy')));
    expect(await readFile(at('third', 'metrics.jsonl'), 'utf8')).toBe(await readFile(at('second', 'metrics.jsonl'), 'utf8'));
  });

  it('is refused where the shape is another, and where nothing of its kind was saved', async () => {
    await expect(trainSmall(at('fourth'), from(at('first'), { policy: { ...smallConfig.policy, width: 8, model: at('first') } }))).rejects.toThrow('its model has width 4 instead of 8. Use the settings that the model was trained with: policy.width 4.');
    await expect(trainSmall(at('fourth'), from(at('nothing')))).rejects.toThrow('no choice policy was saved there. Name a run of `cairn train`');
  });
});
