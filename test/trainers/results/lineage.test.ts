import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { canonicalJson, type Json } from '../../../envs/core/json.ts';
import type { Lineage } from '../../../trainers/results/lineage.ts';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import type { EvaluationResult } from '../../../trainers/results/result.ts';
import { poolSeeds, summarise } from '../../../trainers/results/summarise.ts';
import { describeShown } from '../../../trainers/results/table.ts';
import { tellApart } from '../../../trainers/results/tell-apart.ts';
import { trainConfigSchema } from '../../../trainers/config/config.ts';
import { lineageOf, readSettings, type TrainedBy } from '../../../trainers/run/lineage.ts';
import { makeFacts, makeGroups } from '../evaluate/make-trajectories.ts';

const digest = (letter: string): string => `sha256:${letter.repeat(64)}`;
const lineage = (run: Partial<Lineage['runs'][number]> = {}, over: Partial<Lineage> = {}): Lineage => ({
  method: 'GiGPO by information',
  settings: digest('a'),
  runs: [{ name: 'g-0', seed: 0, checkpoint: 'iteration-40', iteration: 40, ...run }],
  ...over,
});
const resultOf = (training: Lineage | undefined, seed = 0): EvaluationResult =>
  summarise(
    [{ seed, groups: makeGroups([['solved'], ['failed'], ['solved']]) }],
    makeFacts(3, { agent: 'GiGPO', ...(training === undefined ? {} : { training }) }),
  );
const reread = (result: object): EvaluationResult =>
  parseResult(JSON.parse(JSON.stringify(result)), 'file.json');

describe('lineage of an agent in a result', () => {
  it('appears in the file, and files without it can still be read', () => {
    expect(reread(resultOf(lineage())).training).toEqual(lineage());
    expect(reread(resultOf(undefined))).not.toHaveProperty('training');
    expect(() => reread({ ...resultOf(lineage()), training: { method: 'GiGPO' } })).toThrow(
      /training\.settings/,
    );
  });

  it('distinguishes two agents of one name by method, run, settings or seed', () => {
    const other = lineage({ name: 'r-0' }, { method: 'GRPO', settings: digest('b') });
    expect(tellApart([resultOf(lineage()), resultOf(other)])).toEqual([
      'GiGPO (GiGPO by information, run g-0, settings aaaaaaaa)',
      'GiGPO (GRPO, run r-0, settings bbbbbbbb)',
    ]);
    expect(tellApart([resultOf(lineage()), resultOf(lineage({}, { settings: digest('b') }))])).toEqual([
      'GiGPO (settings aaaaaaaa)',
      'GiGPO (settings bbbbbbbb)',
    ]);
    expect(tellApart([resultOf(lineage()), resultOf(lineage({ seed: 4 }))])).toEqual([
      'GiGPO (seed 0)',
      'GiGPO (trained with seed 4; played with seed 0)',
    ]);
  });

  it('shows the seeds of training and play when they differ', () => {
    expect(describeShown(resultOf(lineage({ seed: 3 }), 3))).toContain('; seed 3; one episode');
    expect(describeShown(resultOf(lineage({ seed: 3 }), 0))).toContain(
      '; trained with seed 3; played with seed 0; one episode',
    );
  });

  it('appears in pooled results, and names the checkpoints that played', () => {
    const pool = (second: Partial<Lineage['runs'][number]>): EvaluationResult =>
      poolSeeds(
        [
          { seed: 2, result: resultOf(lineage({ seed: 2, name: 'g-2', ...second })) },
          { seed: 0, result: resultOf(lineage()) },
        ],
        { agent: 'pooled' },
      );
    expect(pool({}).training?.runs.map(({ name, seed }) => [name, seed])).toEqual([
      ['g-0', 0],
      ['g-2', 2],
    ]);
    expect(describeShown(pool({}))).toContain(
      'checkpoint: iteration-40 of each; trained with seeds 0, 2; one episode',
    );
    expect(describeShown(pool({ checkpoint: 'iteration-30' }))).toContain(
      'checkpoint: iteration-40 (seed 0), iteration-30 (seed 2); trained with seeds 0, 2;',
    );
    expect(reread(pool({}))).toEqual(pool({}));
    const { training: _its, ...older } = pool({});
    expect(describeShown(older)).toContain('checkpoint: one for each seed; seeds 0, 2;');
    const strange = {
      ...pool({}),
      training: lineage({}, { runs: [...lineage().runs, ...lineage({ seed: 7 }).runs] }),
    };
    expect(() => reread(strange)).toThrow('they have seeds 0, 2, and the trainings 0, 7');
  });

  it('prevents trainings with different settings from being pooled', () => {
    const pool = (second: Lineage | undefined) => () =>
      poolSeeds(
        [
          { seed: 0, result: resultOf(lineage()) },
          { seed: 1, result: resultOf(second) },
        ],
        { agent: 'pooled' },
      );
    expect(pool(lineage({ seed: 1 }, { settings: digest('b') }))).toThrow(
      'they were trained with settings that differ in more than the seed: GiGPO by information with settings aaaaaaaa, and GiGPO by information with settings bbbbbbbb.',
    );
    expect(pool(undefined)()).not.toHaveProperty('training');
  });
});

/** Where the values of a config stand that are no objects. */
const pathsOf = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? [path]
    : Object.entries(value).flatMap(([key, part]) => pathsOf(part, [...path, key]));

/** Env modules are a list of paths; any other list may become a text. */
const other = (value: Json): Json => (Array.isArray(value) && value.length === 0 ? ['other'] : 'other');

/** The config with another value at a path. */
const changed = (value: Json, [key, ...rest]: readonly string[]): Json =>
  key === undefined
    ? other(value)
    : {
        ...z.record(z.string(), z.json()).parse(value),
        [key]: changed(z.record(z.string(), z.json()).parse(value)[key] ?? {}, rest),
      };

const of = (config: Json): TrainedBy => ({ config, versions: {} });

describe('lineage of a run', () => {
  it('includes every config key except the seed, paths of weights and keys without effect on numbers', () => {
    for (const policy of [
      { kind: 'choice' },
      { kind: 'choice', model: '/a/first' },
      { kind: 'token', model: '/a/sft-0', adapter: { from: '/a/adapter' }, slots: 8 },
    ] as const) {
      const whole = z
        .json()
        .parse(JSON.parse(JSON.stringify(trainConfigSchema.parse({ env: 'maze-v1', policy })))) as Json;
      const before = readSettings(of(whole), 'here').settings;
      const others = pathsOf(whole).filter(([first]) => first !== 'seed');
      const unseen = others
        .filter(
          (path) =>
            canonicalJson(readSettings(of(changed(whole, path)), 'here').settings) === canonicalJson(before),
        )
        .map((path) => path.join('.'));
      const places =
        Object.keys(policy).length === 1
          ? []
          : policy.kind === 'choice'
            ? ['policy.model']
            : ['policy.adapter.from', 'policy.model', 'policy.slots', 'policy.tokensAtOnce'];
      const withoutEffect = [
        'concurrency',
        'checkpoints.every',
        'checkpoints.keep',
        'trajectories.every',
        'trajectories.maxMegabytes',
      ];
      expect(others.length).toBeGreaterThan(40);
      expect(unseen.toSorted()).toEqual([...withoutEffect, ...places].toSorted());
    }
  });

  const config = {
    env: 'maze-v1',
    seed: 3,
    credit: { kind: 'gigpo', anchor: 'state' },
    update: { learningRate: 0.01 },
  };
  const run = { name: 'm', seed: 3, checkpoint: 'iteration-2', iteration: 2 };

  it('yields one digest for all seeds of a method, and another for any other change', () => {
    const settings = (over: object): string => lineageOf(of({ ...config, ...over }), run).settings;
    expect(settings({ seed: 9 })).toBe(settings({}));
    expect(settings({ iterations: 40 })).toBe(settings({})); // the default, which a config of an older version may lack
    for (const over of [{ credit: { kind: 'grpo' } }, { update: { learningRate: 0.02 } }, { iterations: 7 }])
      expect(settings(over), JSON.stringify(over)).not.toBe(settings({}));
    expect(lineageOf(of(config), run).method).toBe('GiGPO by state');
    expect(lineageOf(of({ ...config, warmStart: { episodes: 6 } }), { ...run, iteration: 0 }).method).toBe(
      'cloned',
    );
  });

  it('identifies a user’s estimator by its name and content, not its path', () => {
    const own = (file: string, content: string) =>
      lineageOf(
        {
          config: { ...config, credit: { kind: 'module', file } },
          versions: { 'credit-estimator': 'time baseline', 'credit-file': content },
        },
        run,
      );
    expect(own('/a/mine.ts', 'sha256:1')).toEqual(own('/b/mine.ts', 'sha256:1'));
    expect(own('/a/mine.ts', 'sha256:1').settings).not.toBe(own('/a/mine.ts', 'sha256:2').settings);
    expect(own('/a/mine.ts', 'sha256:1').method).toBe('time baseline');
  });

  it('excludes the paths of initial weights from its settings, and lists them separately', () => {
    const token = (model: string) =>
      readSettings(of({ ...config, policy: { kind: 'token', model } }), 'here');
    expect(token('/a/sft-0').settings).toEqual(token('/a/sft-1').settings);
    expect(token('/a/sft-0').begins).toEqual({ folders: ['/a/sft-0'], digest: undefined });
    expect(JSON.stringify(token('/a/sft-0').settings)).not.toContain('sft-0');
  });

  it('includes whether a choice policy started from given weights, and names it so', () => {
    const given = { ...config, policy: { model: '/a/first' } };
    expect(readSettings(of(given), 'here').settings).not.toEqual(readSettings(of(config), 'here').settings);
    expect(readSettings({ config: given, versions: { start: 'sha256:1' } }, 'here').begins).toEqual({
      folders: ['/a/first'],
      digest: 'sha256:1',
    });
    expect(lineageOf(of(given), run).method).toBe('GiGPO by state, from given weights');
    expect(lineageOf(of(given), { ...run, iteration: 0 }).method).toBe('as given');
  });

  it('includes the number of concurrent episodes when rollouts run ahead', () => {
    const at = (async: number, concurrency: number) =>
      readSettings(of({ ...config, async, concurrency }), 'here').settings;
    expect(at(0, 1)).toEqual(at(0, 2));
    expect(at(1, 1)).not.toEqual(at(1, 2));
  });

  it('requires a training config', () => {
    expect(() => readSettings(of({ env: 'maze-v1', seed: 'x' }), 'config of here')).toThrow(
      /config of here: it is not a training config: seed/,
    );
  });
});
