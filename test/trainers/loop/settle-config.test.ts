import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyEnvDefinition, Experts } from '../../../envs/core/env.ts';
import type { PanelInfo } from '../../../envs/core/task.ts';
import { lightsOutEnv } from '../../../envs/puzzle/lights-out.ts';
import { trainConfigSchema, type TrainConfigInput } from '../../../trainers/loop/config.ts';
import type { TrainProgress } from '../../../trainers/loop/progress.ts';
import { settleConfig, whyNoTable } from '../../../trainers/loop/settle-config.ts';
import { trainSmall } from './small-training.ts';

const panel = (name: string, purpose: PanelInfo['purpose']): PanelInfo => ({ name, size: 8, purpose, summary: '' });
const poor = { panels: [panel('train', 'train'), panel('dev', 'dev')] };
const experts: Experts<unknown, unknown> = { searcher: () => ({ act: () => 'go' }) };
const rich = { panels: [...poor.panels, panel('near', 'held-out'), panel('far', 'held-out')], experts };
const settled = (config: Partial<TrainConfigInput>, host: Parameters<typeof settleConfig>[1]) => {
  const { warmStart, finalPanels } = settleConfig(trainConfigSchema.parse({ env: 'lab/walk-v1', ...config }), host);
  return [warmStart.episodes, finalPanels];
};

describe('what a config leaves to the env', () => {
  it('is demonstrations where there is a searcher, and the first held-out panel where there is one', () => {
    expect(settled({}, rich)).toEqual([32, ['near']]);
    expect(settled({}, poor)).toEqual([0, []]);
    expect(settled({}, { ...poor, experts: { planner: () => [] } })).toEqual([0, []]);
  });

  it('is nothing that the config says itself', () => {
    expect(settled({ warmStart: { episodes: 0 }, finalPanels: [] }, rich)).toEqual([0, []]);
    expect(settled({ warmStart: { episodes: 5 }, finalPanels: ['far'] }, rich)).toEqual([5, ['far']]);
  });
});

describe('whyNoTable', () => {
  const why = (config: Partial<TrainConfigInput>, host: Parameters<typeof settleConfig>[1]) =>
    whyNoTable(settleConfig(trainConfigSchema.parse({ env: 'lab/walk-v1', ...config }), host), host);

  it('says in one line why there is no table of before and after, and how to get one', () => {
    expect(why({}, poor)).toBe(
      'No table of before and after: the environment has no held-out panel to play at the end. Give it a panel of purpose "held-out", or play dev: --final-panel dev.',
    );
    expect(why({ finalPanels: [] }, rich)).toBe('No table of before and after: finalPanels is empty. To get one: --final-panel near.');
    expect(why({}, rich)).toBeUndefined();
  });
});

describe('the share of shared anchors in the progress', () => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'))));
  afterAll(() => rm(folder, { recursive: true }));

  /** Boards with an information key of their own at each step, so that nothing is shared by it. */
  const lonely: AnyEnvDefinition = {
    ...lightsOutEnv,
    open: async (_config, context) => {
      const host = await lightsOutEnv.open({ size: 3 }, context);
      let keys = 0;
      return {
        panels: host.panels,
        describeTask: (task) => host.describeTask(task),
        create: async () => {
          const env = await host.create();
          return {
            reset: async (task, resetting) => ({ ...(await env.reset(task, resetting)), anchorKey: `key ${(keys += 1)}` }),
            step: async (action, stepping) => {
              const result = await env.step(lightsOutEnv.action.parse(action), stepping);
              return 'anchorKey' in result ? { ...result, anchorKey: `key ${(keys += 1)}` } : result;
            },
            close: () => env.close(),
          };
        },
        close: () => host.close(),
      };
    },
  };

  it.each([
    ['information', { kind: 'gigpo' }, 0],
    ['observation', { kind: 'gigpo', anchor: 'observation' }, expect.toSatisfy((share: number) => share > 0.2 && share < 1) as number],
    ['none', { kind: 'grpo' }, undefined],
  ] as const)('is that of the key in use: %s', async (name, credit, expected) => {
    const shares: TrainProgress['anchorShare'][] = [];
    const config = { credit, iterations: 1, warmStart: { episodes: 0 }, evaluation: { tasks: 1 }, finalPanels: [] };
    const onProgress = ({ phase, iteration, anchorShare }: TrainProgress): void => void (phase === 'training' && iteration === 1 && shares.push(anchorShare));
    await trainSmall(path.join(folder, name), { definition: lonely, config, onProgress });
    expect(shares).toEqual([expected]);
  });
});
