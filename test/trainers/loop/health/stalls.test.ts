import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyEnvDefinition, Env } from '../../../../envs/core/env.ts';
import { reward } from '../../../../envs/core/step.ts';
import { lightsOutEnv } from '../../../../envs/puzzle/lights-out.ts';
import { trainConfigSchema } from '../../../../trainers/config/config.ts';
import { describeStall, findStalls, stallLength } from '../../../../trainers/loop/health/stalls.ts';
import { writeReport } from '../../../../lab/report/write-report.ts';
import type { IterationLine } from '../../../../trainers/run/metrics-schema.ts';
import { resumeSmall, stopped, trainSmall } from '../small-training.ts';
import { inAll } from '../../../support/thorough.ts';

interface Seen {
  readonly success?: number;
  /** Of 4 groups. */
  readonly zero?: number;
  readonly single?: number;
  readonly faulted?: number;
  readonly unpaid?: number;
}

/** A run of such iterations, 32 episodes each. */
const runOf = (...iterations: readonly Seen[]): readonly IterationLine[] =>
  iterations.map(({ success = 0, zero = 0, single = 0, faulted = 0, unpaid }, index) => ({
    kind: 'iteration',
    iteration: index + 1,
    environmentSteps: 100 * (index + 1),
    episodes: 32 * (index + 1),
    success,
    figures: {
      'credit/groups': 4,
      'credit/groups-zero-advantage': zero,
      'credit/groups-single-survivor': single,
      'credit/groups-all-faulted': faulted,
      ...(unpaid === undefined ? {} : { 'rollout/solved-unpaid': unpaid }),
    },
  }));
const times = (count: number, seen: Seen): readonly Seen[] => Array.from({ length: count }, () => seen);

describe('findStalls', () => {
  it('finds stretches of five or more iterations in which no group has an advantage', () => {
    const run = runOf(
      ...times(4, { zero: 4 }),
      { success: 0.1, zero: 3 },
      ...times(7, { zero: 4 }),
      { zero: 3 },
      ...times(5, { zero: 4, success: 1 }),
    );
    expect(findStalls(run)).toEqual([
      { kind: 'all-failed', first: 6, last: 12, episodes: 7 * 32, faulted: 0 },
      { kind: 'all-solved', first: 14, last: 18, episodes: 5 * 32, faulted: 0 },
    ]);
  });

  it.each([
    ['single-survivors', { single: 3, faulted: 1 }],
    ['alike', { zero: 4, success: 0.5 }],
    ['unpaid', { zero: 4, success: 0.5, unpaid: 16 }],
    ['all-failed', { zero: 3, faulted: 1 }],
  ] as const)('distinguishes the kinds of stall: %s', (kind, seen) => {
    expect(findStalls(runOf(...times(stallLength, seen)))).toEqual([
      { kind, first: 1, last: 5, episodes: 160, faulted: 0 },
    ]);
  });

  it('finds none in shorter stretches, nor where one group teaches', () => {
    expect(findStalls(runOf(...times(stallLength - 1, { zero: 4 })))).toEqual([]);
    expect(findStalls(runOf(...times(50, { zero: 3 })))).toEqual([]);
  });
});

describe('describeStall', () => {
  const config = (episodes: number | undefined) =>
    trainConfigSchema.parse({ env: 'x', warmStart: episodes === undefined ? {} : { episodes } });
  const stall = { kind: 'all-failed', first: 1, last: 5, episodes: 640, faulted: 0 } as const;

  it('describes the stall, and suggests only settings that are not in use', () => {
    const cold = describeStall(stall, config(0));
    expect(cold).toContain('iterations 1 to 5 taught nothing: all 640 episodes failed');
    for (const help of ['--warm-start 32', '--group-size 16', 'easier tasks', 'temperature=1.5'])
      expect(cold).toContain(help);
    expect(describeStall(stall, config(6))).toContain('more demonstrations (--warm-start 64)');
    expect(describeStall(stall, config(64))).not.toContain('--warm-start');
    expect(describeStall({ ...stall, kind: 'all-solved' }, config(0))).toMatch(
      /all 640 episodes were solved.*nothing left to learn/,
    );
    expect(describeStall({ ...stall, kind: 'single-survivors' }, config(0))).toContain(
      'at most one in each group',
    );
    expect(describeStall({ ...stall, kind: 'alike' }, config(0))).toContain('the same return');
    expect(describeStall({ ...stall, kind: 'all-solved', episodes: 159, faulted: 481 }, config(0))).toMatch(
      /all 159 episodes without a fault, and 481 that faulted, were solved.* Fix the environment first/,
    );
    expect(
      describeStall({ ...stall, kind: 'single-survivors', episodes: 9, faulted: 631 }, config(0)),
    ).toMatch(/of 640 episodes at most one in each group finished/);
    expect(describeStall({ ...stall, kind: 'unpaid' }, config(0))).toMatch(
      /of 640 episodes the solved ones earned no more than the failed ones\. What helps: in the environment, pay for the goal/,
    );
  });
});

describe('run in which nothing can be learned', () => {
  let folder = '';
  beforeAll(async () => void (folder = await mkdtemp(path.join(os.tmpdir(), 'cairn-test-'))));
  afterAll(() => rm(folder, { recursive: true }));
  // Boards of 49 lights, which chance never puts out.
  const config = {
    envConfig: { size: 7 },
    iterations: 8,
    groups: 2,
    warmStart: { episodes: 0 },
    evaluation: { tasks: 1, every: 100 },
    finalPanels: [],
  };
  const expected = expect.stringMatching(
    /^iterations 1 to 5 taught nothing: all 20 episodes failed/,
  ) as string;

  it('warns once even across a resume, and at its end and in its report', async () => {
    const warnings: string[] = [];
    const run = path.join(folder, 'whole');
    const outcome = await trainSmall(run, {
      config,
      onProgress: ({ warning }) => void (warning !== undefined && warnings.push(warning)),
    });
    expect(warnings).toEqual([expected]);
    expect(outcome.stalls).toEqual([{ kind: 'all-failed', first: 1, last: 8, episodes: 32, faulted: 0 }]);
    expect(await readFile(await writeReport(run), 'utf8')).toContain(
      '<b>Warning:</b> iterations 1 to 8 taught nothing: all 32 episodes failed',
    );
  });

  it.each([[6, []], ...inAll([[3, [expected]] as const])] as const)(
    'gives only the warning still due when it resumes after iteration %i',
    async (last, said) => {
      const run = path.join(folder, `stopped-${last}`);
      const stopping = trainSmall(run, {
        config,
        onProgress: ({ iteration }, stop) => void (iteration === last && stop()),
      });
      await expect(stopping).rejects.toBe(stopped);
      const warnings: string[] = [];
      const outcome = await resumeSmall(run, {
        config,
        onProgress: ({ warning }) => void (warning !== undefined && warnings.push(warning)),
      });
      expect(warnings).toEqual(said);
      expect(outcome.stalls).toMatchObject([{ first: 1, last: 8 }]);
    },
  );

  it('reports that reaching the goal pays nothing', async () => {
    const unpaid: AnyEnvDefinition = {
      ...(lightsOutEnv as AnyEnvDefinition),
      open: async (given, context) => {
        const host = await (lightsOutEnv as AnyEnvDefinition).open(given, context);
        const create = async (): Promise<Env<unknown, unknown>> => {
          const env = await host.create();
          const step: typeof env.step = async (action, at) => {
            const result = await env.step(action, at);
            return result.kind === 'terminated'
              ? { ...result, outcome: at.rng.int(2) === 0 ? 'solved' : 'failed', reward: reward({}) }
              : { ...result, reward: reward({}) };
          };
          return { reset: (task, at) => env.reset(task, at), step, close: () => env.close() };
        };
        return {
          panels: host.panels,
          describeTask: (task) => host.describeTask(task),
          close: () => host.close(),
          create,
        };
      },
    };
    const outcome = await trainSmall(path.join(folder, 'unpaid'), {
      definition: unpaid,
      config: { ...config, envConfig: { size: 3 }, iterations: 5, groups: 4, groupSize: 4 },
    });
    expect(outcome.stalls).toMatchObject([{ kind: 'unpaid', first: 1, last: 5 }]);
  });
});
