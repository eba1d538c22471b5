import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeConfigKeys } from '../../../envs/core/config-keys.ts';
import { trainFlags } from '../../../cli/training/options.ts';
import { configSchemasOf } from '../../../envs/core/plugin.ts';
import { builtInName, findNameProblem } from '../../../trainers/credit/credit-name.ts';
import { defineCreditEstimator } from '../../../trainers/credit/define-credit-estimator.ts';
import { creditEstimators } from '../../../trainers/credit/estimators/list.ts';
import { assertCreditEstimator } from '../../../trainers/credit/laws/check-credit-estimator.ts';
import { readRows } from '../../../trainers/credit/parts/batch-rows.ts';
import { episodeTerm } from '../../../trainers/credit/parts/credit-terms.ts';
import { splitColumns } from '../../../trainers/credit/parts/trajectory-columns.ts';
import { openEstimator } from '../../../trainers/credit/validation/open-estimator.ts';
import { group, walk } from './hand-made.ts';

/** What a new file of `estimators/` would export. */
const rloo = defineCreditEstimator({
  kind: 'added',
  name: 'Added',
  summary: 'the score above the mean of the others',
  paper: 'Ahmadian et al., 2024, arXiv:2402.14740',
  options: z
    .strictObject({
      scale: z.number().positive().default(1).describe('factor of the advantage'),
      limit: z.number().default(10).describe('largest scale'),
    })
    .refine(({ scale, limit }) => scale <= limit, { path: ['scale'], message: 'scale is above limit' }),
  create: ({ scale }) => ({
    assign(groups) {
      const rows = readRows(groups);
      const rule = {
        episodeWeighting: 'trajectories',
        invalidPenalty: 'own-step',
        normalise: 'mean',
        std: 'unbiased',
        epsilon: 1e-6,
        self: 'left-out',
      } as const;
      const episode = episodeTerm(rows, rule);
      const nothing = new Float64Array(rows.count);
      const advantage = episode.map((value) => scale * value);
      return { groups: splitColumns(rows, { advantage, episode, step: nothing, stepReturn: nothing }) };
    },
  }),
});

describe('estimator added to the list', () => {
  const schema = z.discriminatedUnion('kind', configSchemasOf([...creditEstimators, rloo]));

  test('becomes a kind of the config, with its options, defaults and refinements', () => {
    expect(schema.parse({ kind: 'added' })).toEqual({ kind: 'added', scale: 1, limit: 10 });
    expect(() => schema.parse({ kind: 'added', scale: 11 })).toThrow(/scale is above limit/);
    expect(() => schema.parse({ kind: 'added', scales: 1 })).toThrow(/scales/);
    expect(() => schema.parse({ kind: 'gigpo', grouping: { kind: 'similarity' } })).toThrow(/anchor/);
  });

  test('appears among the keys of the config, only with its kind', () => {
    const keys = new Map(describeConfigKeys(schema).map((key) => [key.name, key]));
    expect(keys.get('kind')?.type).toBe('"gigpo" | "grpo" | "added"');
    expect(keys.get('scale')).toMatchObject({
      default: 1,
      says: 'factor of the advantage',
      when: [{ key: 'kind', is: ['added'] }],
    });
  });

  test('keeps the laws and returns complete credit', () => {
    assertCreditEstimator(rloo);
    const { estimator, options } = openEstimator(rloo, { scale: 2 });
    expect(options).toEqual({ scale: 2, limit: 10 });
    const { groups, statistics } = estimator.assign([group(walk('A', 1), walk('AB', 0))]);
    expect(groups[0]?.map(({ advantage }) => [...advantage])).toEqual([[2], [-2, -2]]);
    expect(statistics).toMatchObject({ 'credit/groups': 1, 'credit/advantage-mean-abs': 2 });
  });
});

describe('list of built-in estimators', () => {
  test.each(creditEstimators.map((estimator) => [estimator.kind, estimator] as const))(
    '%s has a unique kind, name and source, and appears in the help of --credit',
    (kind, { name, paper, summary }) => {
      expect(summary.length).toBeGreaterThan(10);
      expect(kind).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(kind).not.toBe('module');
      expect(creditEstimators.filter((other) => other.kind === kind || other.name === name)).toHaveLength(1);
      expect(paper).toMatch(/, \d{4}, arXiv:\d{4}\.\d{5}$/);
      expect(builtInName(kind)).toBe(name);
      expect(findNameProblem(name)).toMatch(/used by another row of the tables/);
      expect(trainFlags.find(({ flags }) => flags.startsWith('--credit'))?.says).toContain(kind);
    },
  );

  test.each(creditEstimators.map((estimator) => [estimator.kind, estimator] as const))(
    '%s has options that parse their own output unchanged',
    (_kind, { options }) => {
      const parsed: unknown = options.parse({});
      expect(options.parse(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed);
    },
  );
});
