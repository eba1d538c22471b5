import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readChoiceState } from '../../../models/choice/choice-checkpoint.ts';
import { readRunDocument } from '../../../trainers/run/run-document.ts';
import type { TrainProgress } from '../../../trainers/loop/progress.ts';
import type { TrainOutcome } from '../../../trainers/loop/train.ts';
import { cairn } from '../../support/command-line.ts';
import { resumeSmall, smallConfig, stopped, trainSmall, type SmallTraining } from './small-training.ts';
import { itInAll } from '../../support/thorough.ts';

let folder = '';
let second: TrainOutcome;
const at = (...names: readonly string[]): string => path.join(folder, ...names);
const policyOf = (run: string, checkpoint: string): string => at(run, 'checkpoints', checkpoint, 'policy');

/** A training that begins from those weights. */
const from = (model: string, over: Partial<NonNullable<SmallTraining['config']>> = {}): SmallTraining => ({
  config: {
    policy: { ...smallConfig.policy, model },
    warmStart: { episodes: 0 },
    finalPanels: ['unseen'],
    evaluation: { tasks: 2 },
    iterations: 2,
    update: { zeroAdvantage: 'keep' },
    ...over,
  },
});

const stopWhere = (isThere: (progress: TrainProgress) => boolean): Pick<SmallTraining, 'onProgress'> => ({
  onProgress: (progress, stop) => void (isThere(progress) && stop()),
});

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'));
  await trainSmall(at('first'));
  second = await trainSmall(at('second'), from(at('first')));
});
afterAll(() => rm(folder, { recursive: true }));

describe('choice policy initialised from a run', () => {
  it('starts with its weights and a new optimiser, and records their origin', async () => {
    const [end, start] = [
      await readChoiceState(policyOf('first', 'iteration-00003')),
      await readChoiceState(policyOf('second', 'warm-start')),
    ];
    expect(start.value).toEqual(end.value);
    expect([end.version > 0, start.version, start.step]).toEqual([true, 0, 0]);
    const { config, versions } = await readRunDocument(at('second'));
    expect(config).toMatchObject({ policy: { model: policyOf('first', 'iteration-00003') } });
    expect(versions['start']).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(second.results.map(({ agent }) => agent)).toContain('as given');
    expect((await readChoiceState(policyOf('second', 'iteration-00002'))).value).not.toEqual(start.value);
    expect((await cairn(['inspect', at('second')])).out).toContain(
      `started from ${policyOf('first', 'iteration-00003')}  ${versions['start'] ?? ''}`,
    );
  });

  itInAll('may start from a checkpoint folder too', async () => {
    await trainSmall(at('third'), from(at('first', 'checkpoints', 'iteration-00002'), { iterations: 0 }));
    expect((await readChoiceState(policyOf('third', 'warm-start'))).value).toEqual(
      (await readChoiceState(policyOf('first', 'iteration-00002'))).value,
    );
  });

  itInAll('resumes to the numbers of an uninterrupted run after the first run was deleted', async () => {
    const settings = from(policyOf('first', 'iteration-00003'));
    await expect(
      trainSmall(at('fourth'), { ...settings, ...stopWhere(({ iteration }) => iteration === 1) }),
    ).rejects.toBe(stopped);
    await rename(at('first'), at('away'));
    const { results } = await resumeSmall(at('fourth'), { ...settings, begun: true });
    await rename(at('away'), at('first'));
    expect(await readFile(at('fourth', 'metrics.jsonl'), 'utf8')).toBe(
      await readFile(at('second', 'metrics.jsonl'), 'utf8'),
    );
    expect(results.map(({ versions }) => JSON.stringify(versions))).toEqual(
      second.results.map(({ versions }) => JSON.stringify(versions)),
    );
    await rename(at('first'), at('away'));
    expect(await cairn(['train', '--resume', at('fourth')])).toMatchObject({ code: 0 });
    await rename(at('away'), at('first'));
  });

  it('resumes before its first checkpoint only with the weights it started from', async () => {
    await cp(at('first'), at('changing'), { recursive: true });
    const settings = from(policyOf('changing', 'iteration-00003'));
    await expect(trainSmall(at('fifth'), { ...settings, ...stopWhere(() => true) })).rejects.toBe(stopped);
    await cp(policyOf('second', 'iteration-00002'), policyOf('changing', 'iteration-00003'), {
      recursive: true,
    });
    await expect(resumeSmall(at('fifth'), settings)).rejects.toThrow(
      /the folder of its initial weights has changed: the run was started with sha256:/,
    );
    await cp(policyOf('first', 'iteration-00003'), policyOf('changing', 'iteration-00003'), {
      recursive: true,
    });
    await resumeSmall(at('fifth'), settings);
    expect((await readChoiceState(policyOf('fifth', 'iteration-00002'))).value).toEqual(
      (await readChoiceState(policyOf('second', 'iteration-00002'))).value,
    );
  });

  it('needs the same network, and a run with a choice policy', async () => {
    const wider = { policy: { ...smallConfig.policy, width: 8, surroundings: true, model: at('first') } };
    await expect(trainSmall(at('sixth'), from(at('first'), wider))).rejects.toThrow(
      'its model has width 4 instead of 8, surroundings false instead of true. Use the values that the model was trained with: --with policy.width=4 --with policy.surroundings=false.',
    );
    await expect(trainSmall(at('sixth'), from(at('nothing')))).rejects.toThrow(
      'no choice policy was saved there. Name a run of `cairn-gym train`',
    );
  });

  it('needs a run that has finished its warm start', async () => {
    await expect(
      trainSmall(
        at('cloning'),
        stopWhere(({ label }) => label.startsWith('pass 3')),
      ),
    ).rejects.toBe(stopped);
    await expect(trainSmall(at('sixth'), from(at('cloning')))).rejects.toThrow(
      `the warm start of that run is not over, and its weights are temporary. Let it finish (\`npx cairn-gym train --resume ${at('cloning')}\` if`,
    );
  });

  it('needs weights of the same encoder', async () => {
    await cp(at('first'), at('foreign'), { recursive: true });
    const document = JSON.parse(await readFile(at('foreign', 'config.json'), 'utf8')) as {
      versions: Record<string, string>;
    };
    await writeFile(
      at('foreign', 'config.json'),
      JSON.stringify({
        ...document,
        versions: { ...document.versions, encoder: `sha256:${'0'.repeat(64)}` },
      }),
    );
    await expect(trainSmall(at('sixth'), from(at('foreign')))).rejects.toThrow(
      /the encoder of observations differs: the run was made with sha256:0+, and here it is sha256:/,
    );
  });
});
