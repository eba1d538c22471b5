import { describe, expect, it } from 'vitest';
import type { AnyEnvDefinition, EnvHost } from '../../../../envs/core/env.ts';
import { compareResults } from '../../../../trainers/results/compare.ts';
import type { EvaluationResult } from '../../../../trainers/results/result.ts';
import { compareWithStart } from '../../../../trainers/run/before-after.ts';
import type { TrainConfigInput } from '../../../../trainers/config/config.ts';
import { readTrajectories } from '../../../../agents/rollout/store/read-store.ts';
import { isSolved, type TrajectoryGroup } from '../../../../agents/rollout/trajectory.ts';
import { listStores } from '../../../../lab/read/trajectory-stores.ts';
import { runPaths } from '../../../../trainers/run/open-run.ts';
import { readRun } from '../../../../lab/read/read-run.ts';
import { corridor, corridorConfig, openCorridor } from '../../../support/corridor.ts';
import { temporaryFolder } from '../../run/make-run.ts';
import { resumeSmall, stopped, trainSmall } from '../small-training.ts';
import { itInAll } from '../../../support/thorough.ts';

const throwIt = (loss: object): never => {
  throw new Error(JSON.stringify(loss));
};

const rowsOf = (results: readonly EvaluationResult[]): readonly unknown[] =>
  results.map(({ agent, panel, shown }) => [agent, panel.name, shown.decoding.kind, shown.checkpoint]);

const train = async (
  folder: string,
  config: Partial<TrainConfigInput>,
): Promise<readonly EvaluationResult[]> =>
  (await trainSmall(folder, { config: { finalPanels: ['unseen'], ...config } })).results;

/** A corridor, which is soon learned, with corridors that are held out. */
const learnable: AnyEnvDefinition = {
  ...corridor,
  open: async (config) => {
    const host = openCorridor(corridorConfig.parse(config));
    const panels = [
      ...host.panels,
      ...['unseen', 'other'].map((name) => ({
        name,
        size: 20,
        purpose: 'held-out',
        summary: 'more corridors',
      })),
    ];
    return { ...host, panels } as EnvHost<unknown, unknown>;
  },
};

describe('final evaluation', () => {
  itInAll('plays the first tasks of a panel that `evaluation.finalTasks` bounds', async () => {
    using root = temporaryFolder();
    const results = await train(root.path, { evaluation: { finalTasks: 2 } });
    expect(results.map(({ panel }) => [panel.name, panel.tasks])).toEqual(
      results.map(() => ['unseen[0..2)', 2]),
    );
  });

  it('plays the final policy sampled and greedy, and its start, the random agent and the searcher', async () => {
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
    expect(stored.map(({ agent }) => agent)).toEqual([
      'cloned',
      'GiGPO',
      'GiGPO greedy',
      'random',
      'searcher',
    ]);
    expect(compareWithStart(stored)).toEqual(compareWithStart(results));
  });

  it('stores the episodes that the final policy failed, once even if it is interrupted', async () => {
    using root = temporaryFolder();
    const config = { finalPanels: ['unseen'], iterations: 1, warmStart: { episodes: 0 } };
    let finals = 0;
    const interrupted = trainSmall(root.path, {
      config,
      onProgress: ({ label }, stop) => {
        if (label === 'GiGPO on unseen' && (finals += 1) === 30) stop();
      },
    });
    await expect(interrupted).rejects.toThrow(stopped);
    const { results } = await resumeSmall(root.path, { config, begun: true });
    const folder = runPaths(root.path).trajectories;
    for (const [agent, name] of [
      ['GiGPO', 'failed-unseen-gigpo'],
      ['GiGPO greedy', 'failed-unseen-gigpo-greedy'],
    ] as const) {
      const failed = results
        .find((result) => result.agent === agent)
        ?.episodes.filter(({ outcome }) => outcome !== 'solved');
      const kept: TrajectoryGroup[] = [];
      for await (const group of readTrajectories(folder, name, { onTornTail: throwIt, onDamage: throwIt }))
        kept.push(group);
      expect(kept.map(({ task }) => task.index)).toEqual(failed?.map(({ index }) => index));
      expect(kept.length).toBeGreaterThan(0);
      expect(kept.every(({ members }) => members.every((member) => !isSolved(member)))).toBe(true);
    }
    expect(await listStores(folder)).toEqual(['failed-unseen-gigpo', 'failed-unseen-gigpo-greedy', 'train']);
  });

  itInAll('compares with the start played by the same decoding', async () => {
    using root = temporaryFolder();
    const results = await train(root.path, {
      iterations: 1,
      evaluation: { tasks: 6, decoding: 'greedy' },
      credit: { kind: 'grpo' },
    });
    expect(rowsOf(results).slice(1, 4)).toEqual([
      ['cloned', 'unseen', 'greedy', 'warm-start'],
      ['GRPO', 'unseen', 'greedy', 'iteration-00001'],
      ['GRPO sampled', 'unseen', 'sampled', 'iteration-00001'],
    ]);
    expect(compareWithStart(results).map(({ first, second }) => [first, second])).toEqual([
      ['GRPO', 'cloned'],
    ]);
  });

  itInAll('plays each row with the weights of its checkpoint, whatever was played before', async () => {
    using root = temporaryFolder();
    const config = {
      env: 'corridor-v1',
      envConfig: {},
      devPanel: 'train',
      groupSize: 6,
      warmStart: { episodes: 0 },
      update: { learningRate: 0.05 },
      evaluation: { tasks: 2, every: 9 },
    };
    const episodesOf = async (name: string, iterations: number): Promise<ReadonlyMap<string, unknown>> => {
      const { results } = await trainSmall(`${root.path}/${name}`, {
        definition: learnable,
        config: { ...config, iterations, finalPanels: ['unseen', 'other'] },
      });
      return new Map(results.map(({ agent, panel, episodes }) => [`${agent} on ${panel.name}`, episodes]));
    };
    const [before, after] = [await episodesOf('untrained', 0), await episodesOf('trained', 5)];
    for (const panel of ['unseen', 'other']) {
      expect(after.get(`untrained on ${panel}`)).toEqual(before.get(`untrained on ${panel}`));
      expect(after.get(`GiGPO on ${panel}`)).not.toEqual(before.get(`untrained on ${panel}`));
    }
  });

  itInAll('compares nothing without training by reward, and still plays both decodings', async () => {
    using root = temporaryFolder();
    const results = await train(root.path, { iterations: 0, warmStart: { episodes: 0 } });
    expect(rowsOf(results).slice(1, 3)).toEqual([
      ['untrained', 'unseen', 'sampled', 'warm-start'],
      ['untrained greedy', 'unseen', 'greedy', 'warm-start'],
    ]);
    expect(compareWithStart(results)).toEqual([]);
  });
});
