import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyEnvDefinition, Env, EnvHost } from '../../../envs/core/env.ts';
import { readTrajectories } from '../../../agents/rollout/store/read-store.ts';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { storeName } from '../../../trainers/run/checkpoint-names.ts';
import { leaveOutStale, VersionLog } from '../../../trainers/loop/health/staleness.ts';
import { metricsLineSchema, type IterationLine } from '../../../trainers/run/metrics-schema.ts';
import { readJsonl } from '../../../files/read-jsonl.ts';
import { corridor, corridorConfig, openCorridor } from '../../support/corridor.ts';
import { temporaryFolder } from '../run/make-run.ts';
import { resumeSmall, stopped, trainSmall, type SmallTraining } from './small-training.ts';
import { itInAll } from '../../support/thorough.ts';

const root = temporaryFolder();
const inRoot = (...parts: readonly string[]): string => join(root.path, ...parts);
afterAll(() => root[Symbol.dispose]());

/** A corridor that answers late, as a browser or a server does. Each iteration is slower than the last, so that updates fall within it. */
const waiting: AnyEnvDefinition = {
  ...corridor,
  open: async (config) => {
    const host = openCorridor(corridorConfig.parse(config));
    const create = async (): Promise<Env<unknown, unknown>> => late(await host.create());
    return { ...host, create } as EnvHost<unknown, unknown>;
  },
};

function late(env: Env<unknown, unknown>): Env<unknown, unknown> {
  return {
    reset: (task, context) => env.reset(task, context),
    step: async (action, context) => {
      await new Promise((resolve) =>
        setTimeout(resolve, 3 * Number(/iteration-(\d)/.exec(context.path)?.[1] ?? 0)),
      );
      return env.step(action, context);
    },
    close: () => env.close(),
  };
}

const slow = (more: SmallTraining['config'] = {}): SmallTraining => ({
  definition: waiting,
  config: {
    env: 'corridor-v1',
    envConfig: {},
    devPanel: 'train',
    iterations: 5,
    groupSize: 6,
    concurrency: 64,
    async: 1,
    warmStart: { episodes: 0 },
    evaluation: { tasks: 2, every: 9 },
    ...more,
  },
});

const iterationsOf = async (name: string): Promise<readonly IterationLine[]> =>
  (await readJsonl(inRoot(name, 'metrics.jsonl'), metricsLineSchema)).lines.filter(
    (line) => line.kind === 'iteration',
  );

/** The tasks of each iteration, as they lie in the run folder. */
async function tasksOf(name: string): Promise<readonly string[]> {
  const tasks: string[] = [];
  for await (const { members } of readTrajectories(inRoot(name, 'trajectories'), storeName, {
    onTornTail: () => undefined,
  }))
    tasks.push(members.map(({ path }) => path).join(' '));
  return tasks;
}

describe('training with rollouts that run ahead', () => {
  const begun: string[] = [];
  beforeAll(async () => {
    await trainSmall(inRoot('together'), slow({ async: 0 }));
    await trainSmall(inRoot('ahead'), {
      ...slow(),
      onEvent: (path, { type }) =>
        void (type === 'episode-start' && begun.push(/iteration-\d+/.exec(path)?.[0] ?? '')),
      onProgress: ({ iteration, label }) => void begun.push(`learned ${iteration} ${label}`),
    });
  });

  it('starts an iteration before the update on the previous one, and never earlier', () => {
    const at = (what: string): number => begun.findIndex((entry) => entry.startsWith(what));
    for (const iteration of [2, 3, 4, 5]) {
      expect(at(`iteration-${iteration}`)).toBeLessThan(at(`learned ${iteration - 1} `));
      if (iteration > 2)
        expect(at(`iteration-${iteration}`)).toBeGreaterThan(at(`learned ${iteration - 2} `));
    }
  });

  it('plays the same episodes in each iteration as without running ahead', async () => {
    expect(await tasksOf('ahead')).toEqual(await tasksOf('together'));
  });

  it('reports the age of the weights and the groups with several versions', async () => {
    const lines = await iterationsOf('ahead');
    expect(lines).toHaveLength(5);
    expect(lines[0]?.figures).toMatchObject({
      'async/staleness-largest': 0,
      'async/groups-mixed': 0,
      'async/groups-dropped': 0,
    });
    const largest = lines.map(({ figures }) => figures['async/staleness-largest'] ?? Number.NaN);
    expect(Math.max(...largest)).toBe(1); // in an iteration after one that taught nothing it is 0: the weights are the same
    for (const { figures } of lines) expect(figures['async/groups-dropped']).toBe(0);
    expect(lines.some(({ figures }) => (figures['async/groups-mixed'] ?? 0) > 0)).toBe(true);
    expect(
      Object.keys((await iterationsOf('together'))[4]?.figures ?? {}).filter((name) =>
        name.startsWith('async'),
      ),
    ).toEqual([]);
  });

  it('keeps finished work when stopped, ends what runs ahead, and resumes', async () => {
    const open = new Set<string>();
    const stopping = trainSmall(inRoot('stopped'), {
      ...slow(),
      stopAt: (path, { type }) => {
        if (type === 'episode-start') open.add(path);
        if (type === 'episode-end') open.delete(path);
        return type === 'episode-start' && path.includes('/iteration-4/');
      },
    });
    await expect(stopping).rejects.toBe(stopped);
    expect(await readdir(inRoot('stopped', 'checkpoints'))).toContain('iteration-00002');
    await resumeSmall(inRoot('stopped'), slow());
    expect((await iterationsOf('stopped')).map(({ iteration }) => iteration)).toEqual([1, 2, 3, 4, 5]);
    expect(await tasksOf('stopped')).toEqual(await tasksOf('together'));
  });

  itInAll('draws tasks by the success known when an iteration starts', async () => {
    const { state } = await trainSmall(
      inRoot('drawn'),
      slow({ taskSampling: { kind: 'unsolved' }, iterations: 3 }),
    );
    expect(JSON.stringify(state.curriculum)).toMatch(/^{"success":\[\["/);
    expect(await tasksOf('drawn')).toHaveLength(9);
  });
});

describe('groups used for an update', () => {
  const played = (...members: readonly (readonly number[])[]): TrajectoryGroup =>
    ({
      task: { panel: 'train', index: 0 },
      members: members.map((versions) => ({ steps: versions.map((policyVersion) => ({ policyVersion })) })),
    }) as unknown as TrajectoryGroup;
  const versions = new VersionLog(4, 40);
  versions.note(5, 48);
  versions.note(6, 56);

  it('become as old as the iterations that their weights had not learned from', () => {
    expect([40, 47, 48, 55, 56, 60].map((version) => versions.iterationsOf(version))).toEqual([
      4, 4, 5, 5, 6, 6,
    ]);
    expect(versions.iterationsOf(3)).toBe(4);
  });

  it('drop out whole when one of their episodes started too long ago, whenever it ended', () => {
    const groups = [played([48, 56], [48]), played([47, 56, 56, 56], [48]), played([56], [50, 51])];
    const fresh = leaveOutStale(groups, { most: 1, learned: 6, versions });
    expect(fresh.groups).toEqual([groups[0], groups[2]]);
    expect(fresh.figures).toEqual({
      'async/staleness-mean': 4 / 6,
      'async/staleness-largest': 1,
      'async/groups-mixed': 2,
      'async/groups-dropped': 1,
    });
  });

  it('may have members without steps', () => {
    expect(leaveOutStale([played([], [])], { most: 1, learned: 6, versions })).toEqual({
      groups: [played([], [])],
      figures: {
        'async/staleness-mean': 0,
        'async/staleness-largest': 0,
        'async/groups-mixed': 0,
        'async/groups-dropped': 0,
      },
    });
  });
});
