import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import type { BatchCredit } from '../../../trainers/credit/estimator.ts';
import { createGigpo } from './built-in.ts';
import { isSimilar, prepareText, similarityRatio } from '../../../trainers/credit/parts/sequence-matcher.ts';
import { anchorOf, episode, group } from './hand-made.ts';

const folder = new URL('../../golden/credit/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

const numbers = z.array(z.number());
const caseSchema = z.strictObject({
  name: z.string(),
  seed: z.number(),
  config: z.strictObject({
    mode: z.enum(['mean_norm', 'mean_std_norm']),
    crossSteps: z.boolean(),
    gamma: z.number(),
    omega: z.number(),
    penalty: z.number(),
    similarity: z.number().nullable(),
    precision: z.enum(['double', 'single']),
  }),
  observations: z.array(z.json()),
  groups: z.array(z.array(z.strictObject({ observations: numbers, rewards: numbers, invalid: numbers }))),
  expected: z.strictObject({
    stepReturn: numbers,
    episode: numbers,
    step: numbers,
    advantage: numbers,
    anchor: numbers,
  }),
});
type GoldenCase = z.output<typeof caseSchema>;

const header = z.record(z.string(), z.unknown());
const { cases } = z
  .strictObject({ header, cases: z.array(caseSchema) })
  .parse(JSON.parse(read('gigpo.json')));
const pairSchema = z.strictObject({ a: z.string(), b: z.string(), ratio: z.number() });
const { pairs } = z
  .strictObject({ header, pairs: z.array(pairSchema) })
  .parse(JSON.parse(read('difflib.json')));

function batchOf({ groups, observations, config }: GoldenCase): TrajectoryGroup[] {
  return groups.map((members) =>
    group(
      ...members.map((member) =>
        episode(
          member.rewards.map((reward, place) => ({
            reward,
            observation: observations[member.observations[place] as number],
            penalty: member.invalid[place] === 1 ? config.penalty : undefined,
          })),
        ),
      ),
    ),
  );
}

function creditOf(golden: GoldenCase): BatchCredit {
  const { config } = golden;
  const estimator = createGigpo({
    anchor: 'observation',
    episodeWeighting: config.crossSteps ? 'rows' : 'trajectories',
    normalise: config.mode === 'mean_norm' ? 'mean' : 'mean-std',
    gamma: config.gamma,
    omega: config.omega,
    grouping:
      config.similarity === null ? { kind: 'exact' } : { kind: 'similarity', threshold: config.similarity },
  });
  return estimator.assign(batchOf(golden), {});
}

/**
 * The reference takes returns in single precision. At gamma 1/2 and rewards of eighths they are exact there, and the rest
 * was run in double; otherwise returns agree to 1e-6 of their size, which a small deviation magnifies.
 */
function toleranceOf({ config }: GoldenCase): number {
  if (config.gamma === 0.5) return 1e-10;
  return config.precision === 'double' ? 1e-6 : 1e-5;
}

function expectNear(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(actual.length).toBe(expected.length);
  actual.forEach((value, row) => {
    const wanted = expected[row] as number;
    expect(
      Math.abs(value - wanted) / Math.max(1, Math.abs(wanted)),
      `row ${row}: ${value} for ${wanted}`,
    ).toBeLessThanOrEqual(tolerance);
  });
}

const flat = (
  credit: BatchCredit,
  name: 'advantage' | 'episode' | 'step' | 'stepReturn' | 'anchor',
): number[] =>
  credit.groups.flat().flatMap((member) => [...(name === 'anchor' ? anchorOf(member) : member[name])]);

describe('golden numbers of the published GiGPO code', () => {
  const [agreeing, departures] = [
    cases.filter(({ name }) => !name.startsWith('departure')),
    cases.filter(({ name }) => name.startsWith('departure')),
  ];
  expect(agreeing.length).toBe(21);

  for (const golden of agreeing) {
    test(golden.name, () => {
      const credit = creditOf(golden);
      const tolerance = toleranceOf(golden);
      expect(flat(credit, 'anchor')).toEqual(golden.expected.anchor);
      for (const name of ['stepReturn', 'episode', 'step', 'advantage'] as const)
        expectNear(flat(credit, name), golden.expected[name], tolerance);
    });
  }

  test('depart from the reference: one weight per trajectory bounds a penalty, which the reference does not', () => {
    const [golden, ...others] = departures;
    expect(others).toEqual([]);
    if (golden === undefined) throw new Error('the departure is missing');
    const credit = creditOf(golden);
    // The reference takes the deviation over first rows; all equal, it leaves 1e-6 to divide a penalty of 1/8 by.
    expect(Math.min(...golden.expected.episode)).toBeLessThan(-1e5);
    expect(Math.max(...flat(credit, 'episode').map(Math.abs))).toBeLessThan(5);
    expectNear(flat(credit, 'step'), golden.expected.step, 1e-10);
  });
});

describe('golden ratios of difflib', () => {
  test('match to the last digit', () => {
    for (const { a, b, ratio } of pairs)
      expect(similarityRatio(prepareText(a), prepareText(b)), JSON.stringify([a, b])).toBe(ratio);
  });

  test('agree with every verdict taken from upper bounds', () => {
    for (const { a, b, ratio } of pairs) {
      for (const threshold of [0.5, 0.9, 0.95, ratio])
        expect(isSimilar(prepareText(a), prepareText(b), threshold)).toBe(ratio >= threshold);
    }
  });
});

test('the golden files have the digests in the README', () => {
  const vouched = [...read('README.md').matchAll(/^\| `(\w+\.json)` \| `([0-9a-f]{64})` \|$/gmu)].map(
    ([, name, hash]) => [name, hash],
  );
  const actual = ['gigpo.json', 'difflib.json'].map((name) => [
    name,
    createHash('sha256').update(read(name)).digest('hex'),
  ]);
  expect(vouched).toEqual(actual);
});
