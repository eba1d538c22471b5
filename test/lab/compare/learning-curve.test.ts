import { describe, expect, it } from 'vitest';
import {
  meanCurve,
  panelOfCurves,
  stepsToThreshold,
  thresholdSteps,
} from '../../../lab/compare/learning-curve.ts';
import type { Member, Side } from '../../../lab/compare/side.ts';
import { describeSteps } from '../../../lab/compare/describe-sides.ts';
import { studentInterval, wilsonInterval } from '../../../trainers/results/intervals.ts';
import { summarise } from '../../../trainers/results/summarise.ts';
import type { EvaluationLine } from '../../../trainers/run/metrics-schema.ts';
import { makeFacts, makeGroups } from '../../trainers/evaluate/make-trajectories.ts';
import { fingerprint } from '../../trainers/run/make-run.ts';

const line = (iteration: number, environmentSteps: number, solved: number): EvaluationLine => ({
  kind: 'evaluation',
  iteration,
  environmentSteps,
  panel: 'dev',
  fingerprint,
  agent: 'policy',
  decoding: { kind: 'greedy' },
  success: wilsonInterval(solved, 20),
  score: { mean: solved / 20 },
  byFamily: {},
});
const result = summarise([{ seed: 0, groups: makeGroups([['solved']]) }], makeFacts(1));
const member = (seed: number, evaluations: readonly EvaluationLine[]): Member => ({
  where: `runs/${seed}`,
  name: `${seed}`,
  result,
  settings: { seed, settings: {}, begins: { folders: [], digest: undefined } },
  evaluations,
  notes: [],
});
const side = (name: string, ...members: readonly Member[]): Side => ({ name, members, result });

describe('steps to a threshold', () => {
  const slow = [line(0, 0, 2), line(1, 100, 10), line(2, 200, 17), line(3, 300, 16)];

  it('equal those of the first evaluation that reaches it, if any', () => {
    expect([0.1, 0.5, 0.85, 0.86].map((threshold) => stepsToThreshold(slow, threshold))).toEqual([
      0,
      100,
      200,
      undefined,
    ]);
  });

  it('get a median over seeds that counts those that never reached it', () => {
    const never = slow.slice(0, 2);
    const fast = [line(1, 50, 19)];
    const [steps, ...more] = thresholdSteps(
      [
        side('a', member(0, slow), member(1, fast), member(2, never)),
        side('file', { where: 'x.json', name: 'x', result, notes: [] }),
      ],
      0.85,
    );
    expect(more).toEqual([]);
    expect(steps).toMatchObject({ median: 200, low: 50, high: undefined, reached: 2, runs: 3 });
    expect(steps === undefined ? '' : describeSteps(steps)).toBe(
      'median 200 [50, never], which holds it with 75 %; 2 of 3 seeds came there: seed 0 200, seed 1 50, seed 2 never',
    );
  });

  it('belong to one panel: runs evaluated on another are refused', () => {
    const other = { ...line(0, 0, 1), fingerprint: `sha256:${'0'.repeat(64)}` };
    expect(panelOfCurves([side('a', member(0, slow)), side('b', member(0, slow))])).toBe('dev');
    expect(() => panelOfCurves([side('a', member(0, slow)), side('b', member(1, [other]))])).toThrow(
      /runs\/0 and runs\/1: they were evaluated on different panels in the course of training/,
    );
    expect(panelOfCurves([side('a')])).toBeUndefined();
  });
});

describe('meanCurve', () => {
  const within = { low: 0, high: 1 };

  it('covers the range common to all curves, linear between points, with an interval inside the bounds', () => {
    const curves = [
      [
        { x: 0, y: 0 },
        { x: 10, y: 1 },
      ],
      [
        { x: 2, y: 0.5 },
        { x: 6, y: 0.7 },
        { x: 12, y: 0.7 },
      ],
    ];
    const mean = meanCurve(curves, within);
    expect(mean.map(({ x }) => x)).toEqual([2, 6, 10]);
    for (const [index, [one, other]] of (
      [
        [0.2, 0.5],
        [0.6, 0.7],
        [1, 0.7],
      ] as const
    ).entries()) {
      const { mean: y, low, high } = studentInterval([one, other]);
      expect(mean[index]?.y).toBeCloseTo(y, 12);
      expect(mean[index]?.low).toBeCloseTo(Math.max(0, low), 12);
      expect(mean[index]?.high).toBeCloseTo(Math.min(1, high), 12);
    }
  });

  it('returns a single curve without an interval', () => {
    expect(meanCurve([[{ x: 0, y: 0.5 }], []], within)).toEqual([{ x: 0, y: 0.5 }]);
    expect(meanCurve([], within)).toEqual([]);
  });
});
