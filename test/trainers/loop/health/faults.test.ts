import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTrajectories } from '../../../../agents/rollout/store/read-store.ts';
import type { AnyEnvDefinition } from '../../../../envs/core/env.ts';
import { RunError } from '../../../../envs/core/errors.ts';
import { lightsOutEnv } from '../../../../envs/puzzle/lights-out.ts';
import { metricsLineSchema, type MetricsLine } from '../../../../trainers/run/metrics-schema.ts';
import { readJsonl } from '../../../../files/read-jsonl.ts';
import { temporaryFolder } from '../../run/make-run.ts';
import { resumeSmall, trainSmall } from '../small-training.ts';
import { itInAll } from '../../../support/thorough.ts';

const root = temporaryFolder();
const inRoot = (...parts: readonly string[]): string => join(root.path, ...parts);
beforeAll(async () => void (await trainSmall(inRoot('whole'))));
afterAll(() => root[Symbol.dispose]());

const sound: AnyEnvDefinition = lightsOutEnv;

/** Lights Out, but for episodes that the world fails in their first step. */
const failing = (fails: (path: string) => boolean): AnyEnvDefinition => ({
  ...sound,
  open: async (config, context) => {
    const host = await sound.open(config, context);
    return {
      panels: host.panels,
      ...(host.experts === undefined ? {} : { experts: host.experts }),
      describeTask: (task) => host.describeTask(task),
      close: () => host.close(),
      create: async () => {
        const env = await host.create();
        return {
          reset: (task, episode) => env.reset(task, episode),
          step: (action, step) =>
            fails(step.path) ? Promise.reject(new Error('the fuse blew')) : env.step(action, step),
          close: () => env.close(),
        };
      },
    };
  },
});

const linesOf = async (name: string): Promise<readonly MetricsLine[]> =>
  (await readJsonl(inRoot(name, 'metrics.jsonl'), metricsLineSchema)).lines;

/** Trains to the end and collects what was warned of. */
async function trainWarned(name: string, fails: (path: string) => boolean, config: object = {}) {
  const warnings: string[] = [];
  const outcome = await trainSmall(inRoot(name), {
    definition: failing(fails),
    config,
    onProgress: ({ warning }) => void (warning !== undefined && warnings.push(warning)),
  });
  return { outcome, warnings };
}

describe('faults in training', () => {
  it('cause one warning above 1 %, appear in the metrics, and count as excessive', async () => {
    const { outcome, warnings } = await trainWarned(
      'some',
      (path) => path.includes('/iteration-2/') && path.endsWith('member-0'),
    );
    expect(warnings).toEqual([
      expect.stringMatching(
        /^3 of 12 training episodes \(25\.0 %\) have faulted so far; .*lights-out-v1\.step: the fuse blew; they teach nothing$/,
      ),
    ]);
    expect(outcome.faults).toEqual({
      training: { episodes: 18, count: 3, share: 3 / 18 },
      dev: { share: 0 },
      final: [],
      excessive: true,
    });
    const figures = (await linesOf('some')).flatMap((line) =>
      line.kind === 'iteration' ? [line.figures] : [],
    );
    expect(
      figures.map((each) => [each['faults/share'], each['faults/count'], each['faults/share-so-far']]),
    ).toEqual([
      [0, undefined, undefined],
      [0.5, 3, 0.25],
      [0, undefined, 3 / 18],
    ]);
    const resumed = await resumeSmall(inRoot('some'));
    expect(resumed.faults).toEqual(outcome.faults);
  });

  it('count separately when a retry fixes them, and not as excessive', async () => {
    const { outcome, warnings } = await trainWarned(
      'retried',
      (path) => path.endsWith('/iteration-2/member-0'),
      { faultRetries: 1 },
    );
    expect(warnings).toEqual([]);
    expect(outcome.faults.excessive).toBe(false);
    const second = (await linesOf('retried')).find(
      (line) => line.kind === 'iteration' && line.iteration === 2,
    );
    expect(second?.figures).toMatchObject({ 'faults/share': 0, 'faults/retried': 3 });
    expect(second?.figures).not.toHaveProperty('faults/count');
  });

  it('stop the run when every episode of an iteration faults, and it resumes once the env works', async () => {
    const error: unknown = await trainWarned('all', (path) => path.includes('/iteration-3/')).catch(
      (thrown: unknown) => thrown,
    );
    expect(RunError.is(error)).toBe(true);
    expect(String(error)).toContain(
      `iteration 3 of 3 of ${inRoot('all')}: all 6 episodes faulted; in the first the environment crashed in lights-out-v1.step: the fuse blew.`,
    );
    expect(String(error)).toContain(
      `\`npx cairn-gym inspect ${inRoot('all')} --store faulted --group 0 --member 0\` shows it. Fix the environment, then resume with \`npx cairn-gym train --resume ${inRoot('all')}\``,
    );
    expect(readdirSync(inRoot('all', 'checkpoints'))).toContain('iteration-00002');
    const stored: string[] = [];
    for await (const { members } of readTrajectories(inRoot('all', 'trajectories'), 'faulted', {
      onTornTail: () => undefined,
    }))
      stored.push(...members.map(({ stop }) => stop.kind));
    expect(stored).toEqual(Array.from({ length: 6 }, () => 'faulted'));
    await resumeSmall(inRoot('all'));
    expect(readFileSync(inRoot('all', 'metrics.jsonl'), 'utf8')).toBe(
      readFileSync(inRoot('whole', 'metrics.jsonl'), 'utf8'),
    );
  });

  itInAll('leave a checkpoint of the previous iteration, even when checkpoints are rare', async () => {
    const fails = (path: string): boolean => path.includes('/iteration-3/');
    await expect(
      trainWarned('rare', fails, { checkpoints: { every: 3 }, evaluation: { tasks: 6, every: 3 } }),
    ).rejects.toThrow(/all 6 episodes faulted/);
    expect(readdirSync(inRoot('rare', 'checkpoints'))).toContain('iteration-00002');
  });

  it('do not blame the searcher when every demonstration faults', async () => {
    await expect(trainWarned('demonstrations', (path) => path.includes('/demonstration/'))).rejects.toThrow(
      /^demonstrations of .*: all 3 episodes faulted; in the first the environment crashed/,
    );
  });
});

describe('faults on dev', () => {
  it.each([
    ['cloning', 'dev-cloning-4', 'cloning-4'],
    ['training', 'dev-iteration-2', 'iteration-2'],
  ])(
    'cause a warning above 1 % in %s, appear in the metrics, and count as excessive',
    async (name, path, label) => {
      const { outcome, warnings } = await trainWarned(
        name,
        (episode) => episode.includes(path) && episode.includes('dev/1/'),
      );
      expect(warnings).toEqual([
        `1 of 6 episodes (16.7 %) faulted on dev[0..6), ${label} (env-crashed); they count as failures`,
      ]);
      expect(outcome.faults).toEqual({
        training: { episodes: 18, count: 0, share: 0 },
        dev: { share: 1 / 6 },
        final: [],
        excessive: true,
      });
      const shares = (await linesOf(name)).flatMap((line) =>
        line.figures?.['faults/count'] === undefined ? [] : [line.figures['faults/share']],
      );
      expect(shares).toEqual([1 / 6]);
      expect((await resumeSmall(inRoot(name))).faults).toEqual(outcome.faults);
    },
  );

  it('stop the run when every episode of an evaluation faults, and it resumes once the env works', async () => {
    const error: unknown = await trainWarned('all-dev', (path) => path.includes('dev-iteration-2')).catch(
      (thrown: unknown) => thrown,
    );
    expect(RunError.is(error)).toBe(true);
    expect(String(error)).toMatch(
      /^RunError: evaluation on dev\[0\.\.6\), iteration-2, of .*: all 6 episodes faulted; in the first the environment crashed .* --store faulted --group 0 --member 0/,
    );
    expect(readdirSync(inRoot('all-dev', 'checkpoints'))).toContain('iteration-00002');
    await resumeSmall(inRoot('all-dev'));
    expect(readFileSync(inRoot('all-dev', 'metrics.jsonl'), 'utf8')).toBe(
      readFileSync(inRoot('whole', 'metrics.jsonl'), 'utf8'),
    );
  });

  itInAll('count as excessive in the final evaluation, whose results are replayed', async () => {
    const config = { finalPanels: ['unseen'] };
    const { outcome } = await trainWarned('final', (path) => /unseen\/[0-4]\//.test(path), config);
    expect(outcome.results.filter(({ faults }) => !faults.excessive)).toEqual([]);
    expect(outcome.faults).toMatchObject({ training: { count: 0 }, dev: { share: 0 }, excessive: true });
    expect(outcome.faults.final).toEqual(
      outcome.results.map(({ agent, faults: { share } }) => ({ agent, panel: 'unseen', share })),
    );
    const fixed = await resumeSmall(inRoot('final'), { config });
    expect(fixed.faults.excessive).toBe(false);
  });
});
