import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyEnvDefinition } from '../../../envs/core/env.ts';
import { lightsOutEnv } from '../../../envs/puzzle/lights-out.ts';
import type { TrainProgress } from '../../../trainers/loop/progress.ts';
import { trainSmall } from './small-training.ts';

describe('progress of a training', () => {
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
            reset: async (task, resetting) => ({
              ...(await env.reset(task, resetting)),
              anchorKey: `key ${(keys += 1)}`,
            }),
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
    [
      'observation',
      { kind: 'gigpo', anchor: 'observation' },
      expect.toSatisfy((share: number) => share > 0.2 && share < 1) as number,
    ],
    ['none', { kind: 'grpo' }, undefined],
  ] as const)('reports the share of shared anchors by the key in use: %s', async (name, credit, expected) => {
    const shares: TrainProgress['anchorShare'][] = [];
    const config = {
      credit,
      iterations: 1,
      warmStart: { episodes: 0 },
      evaluation: { tasks: 1 },
      finalPanels: [],
    };
    const onProgress = ({ phase, iteration, anchorShare }: TrainProgress): void =>
      void (phase === 'training' && iteration === 1 && shares.push(anchorShare));
    await trainSmall(path.join(folder, name), { definition: lonely, config, onProgress });
    expect(shares).toEqual([expected]);
  });

  it('reaches its end with the last update, not with the last rollout', async () => {
    const told: (readonly [done: number, iteration: number])[] = [];
    const config = { iterations: 2, warmStart: { episodes: 0 }, evaluation: { tasks: 1 } };
    const onProgress = ({ phase, done, iteration }: TrainProgress): void =>
      void (phase === 'training' && told.push([done, iteration]));
    await trainSmall(path.join(folder, 'done'), { config, onProgress });
    expect(told.filter(([done]) => done >= 1)).toEqual([[1, 2]]);
    expect(told.map(([done]) => done)).toEqual(told.map(([done]) => done).toSorted((a, b) => a - b));
  });
});
