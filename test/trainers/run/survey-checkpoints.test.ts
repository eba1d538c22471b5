import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestConfig, type CheckpointFacts } from '../../../trainers/run/checkpoint-manifest.ts';
import {
  markBest,
  newestCheckpoint,
  readBest,
  removeLaterCheckpoints,
} from '../../../trainers/run/checkpoint-store.ts';
import { surveyCheckpoints } from '../../../trainers/run/survey-checkpoints.ts';
import { writeCheckpoint } from '../../../trainers/run/write-checkpoint.ts';
import { fingerprint, temporaryFolder } from './make-run.ts';

const configDigest = digestConfig({ env: 'maze-v1' });
const factsOf = (iteration: number, others: Partial<CheckpointFacts> = {}): CheckpointFacts => ({
  version: '0.1.0',
  iteration,
  seed: 5,
  counters: {},
  states: {},
  panels: { dev: fingerprint },
  configDigest,
  logs: { metrics: 10, timings: 20 },
  trajectories: {},
  ...others,
});

/** The checkpoints of a run of three iterations. */
async function withCheckpoints(work: (checkpoints: string) => Promise<void>): Promise<void> {
  using root = temporaryFolder();
  const fill = async (folder: string): Promise<void> =>
    writeFileSync(join(folder, 'weights'), 'twelve bytes');
  for (const [name, iteration] of [
    ['warm-start', 0],
    ['iteration-1', 1],
    ['iteration-2', 2],
    ['iteration-3', 3],
  ] as const) {
    await writeCheckpoint(root.path, name, { facts: factsOf(iteration), fill });
  }
  await work(root.path);
}

async function surveyed(checkpoints: string): Promise<unknown> {
  const { newest, unusable } = await surveyCheckpoints(checkpoints, {
    configDigest,
    panels: { dev: fingerprint },
  });
  return {
    newest: newest?.name,
    unusable: unusable.map(({ folder, error }) => [folder.slice(checkpoints.length + 1), error.parts.what]),
  };
}

const damageManifest = (checkpoints: string, name: string): void =>
  truncateSync(join(checkpoints, name, 'checkpoint.json'), 40);

describe('survey of checkpoints', () => {
  it('finds the newest undamaged one, and reports what is wrong with newer ones', () =>
    withCheckpoints(async (checkpoints) => {
      expect(await surveyed(checkpoints)).toEqual({ newest: 'iteration-3', unusable: [] });
      truncateSync(join(checkpoints, 'iteration-3', 'weights'), 5);
      damageManifest(checkpoints, 'iteration-2');
      expect(await surveyed(checkpoints)).toEqual({
        newest: 'iteration-1',
        unusable: [
          ['iteration-3', 'its file weights has 5 bytes and should have 12.'],
          ['iteration-2', 'its checkpoint.json is damaged: it is not JSON.'],
        ],
      });
    }));

  it('reports one of another run under a newer name', () =>
    withCheckpoints(async (checkpoints) => {
      const other = {
        facts: factsOf(1, { configDigest: digestConfig({ env: 'other-v1' }) }),
        fill: async () => undefined,
      };
      await writeCheckpoint(checkpoints, 'iteration-9', other);
      expect(await surveyed(checkpoints)).toMatchObject({
        newest: 'iteration-3',
        unusable: [['iteration-9', expect.stringContaining('another configuration')]],
      });
    }));

  it('ignores damage in older ones', () =>
    withCheckpoints(async (checkpoints) => {
      damageManifest(checkpoints, 'iteration-1');
      damageManifest(checkpoints, 'warm-start');
      expect(await surveyed(checkpoints)).toEqual({ newest: 'iteration-3', unusable: [] });
    }));

  it('reports one of another run, whatever its number', () =>
    withCheckpoints(async (checkpoints) => {
      await writeCheckpoint(checkpoints, 'copied', {
        facts: factsOf(9, { configDigest: digestConfig({ env: 'other-v1' }) }),
        fill: async () => undefined,
      });
      expect(await surveyed(checkpoints)).toMatchObject({
        newest: 'iteration-3',
        unusable: [['copied', expect.stringMatching(/another configuration/)]],
      });
    }));

  it('finds none when all are damaged or none exist', () =>
    withCheckpoints(async (checkpoints) => {
      for (const name of readdirSync(checkpoints)) damageManifest(checkpoints, name);
      expect(await surveyed(checkpoints)).toMatchObject({
        newest: undefined,
        unusable: [['iteration-3'], ['iteration-2'], ['iteration-1'], ['warm-start']].map(([name]) => [
          name,
          expect.any(String),
        ]),
      });
      expect(await newestCheckpoint(checkpoints)).toBeUndefined();
      expect(await surveyed(join(checkpoints, 'missing'))).toEqual({ newest: undefined, unusable: [] });
    }));
});

it('the best checkpoint is forgotten when its checkpoint is gone, and otherwise kept', () =>
  withCheckpoints(async (checkpoints) => {
    const best = { name: 'iteration-2', panel: 'dev', fingerprint, rate: 0.5 };
    await markBest(checkpoints, best);
    await removeLaterCheckpoints(checkpoints, 2);
    expect(await readBest(checkpoints)).toEqual(best);
    rmSync(join(checkpoints, 'iteration-2'), { recursive: true });
    await removeLaterCheckpoints(checkpoints, 1);
    expect(await readBest(checkpoints)).toBeUndefined();
  }));
