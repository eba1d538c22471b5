import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../trainers/results/compare.ts';
import {
  describeComparison,
  describeScope,
  describeSeveral,
} from '../../../trainers/results/describe-comparison.ts';

const comparison: Comparison = {
  first: 'GiGPO',
  second: 'cloned',
  panel: { name: 'unseen', fingerprint: `sha256:${'0'.repeat(64)}`, tasks: 1000 },
  success: { mean: 0.489, low: 0.4561, high: 0.5209 },
  score: { mean: 0.489, low: 0.45, high: 0.52 },
  pairs: { kind: 'mcnemar', p: 1.3e-99, both: 317, onlyFirst: 503, onlySecond: 14, neither: 166 },
  trainings: { first: 1, second: 1 },
};

describe('comparison in words', () => {
  it('states the difference, its intervals, and on how many tasks the two differed', () => {
    expect(describeComparison(comparison)).toBe(
      'GiGPO against cloned: +48.9 points of success [45.6, 52.1], +48.9 of score [45.0, 52.0]; ' +
        'of 1000 tasks 503 were solved by GiGPO alone, 14 by cloned alone, McNemar p = 1.3e-99.',
    );
  });

  it('shows the sign of a decrease, and says when intervals are resampled', () => {
    const down = {
      ...comparison,
      success: { mean: -0.1, low: -0.2, high: 0 },
      pairs: { kind: 'bootstrap' },
    } as const;
    expect(describeComparison(down)).toContain('-10.0 points of success [-20.0, 0.0]');
    expect(describeComparison(down)).toMatch(/; intervals by bootstrap over tasks\.$/);
    expect(describeComparison({ ...down, trainings: { first: 2, second: 3 } })).toBe(
      'GiGPO against cloned: -10.0 points of success [–], +48.9 of score [–]; no interval worth showing below three seeds.',
    );
    expect(describeComparison({ ...down, trainings: { first: 1, second: 3 } })).toMatch(
      /; intervals over seeds \(Student’s t\) and tasks \(bootstrap\)\.$/,
    );
  });

  it('warns that a single task does not generalise, and prints a dash for a missing interval', () => {
    const single = {
      ...comparison,
      panel: { ...comparison.panel, tasks: 1 },
      success: { mean: 0.5, low: -1, high: 1 },
      score: { mean: 0.4 },
    };
    const said =
      'GiGPO against cloned: +50.0 points of success [-100.0, 100.0], +40.0 of score [–]; a single task says nothing about others.';
    expect(describeComparison(single)).toBe(said);
    expect(describeComparison({ ...single, pairs: { kind: 'bootstrap' } })).toBe(said);
  });

  it.each([
    [0, '< 1e-300'],
    [0.00051, '= 5.1e-4'],
    [0.0421, '= 0.042'],
    [1, '= 1.000'],
  ])('writes the probability %d as %s', (p, written) => {
    const pairs = { kind: 'mcnemar', p, both: 0, onlyFirst: 1, onlySecond: 0, neither: 0 } as const;
    expect(describeComparison({ ...comparison, pairs })).toContain(`McNemar p ${written}.`);
  });

  it('says that the interval lacks the variance of training, unless there are several trainings or none', () => {
    const scope = (
      first: number,
      second: number,
      pairs: Comparison['pairs'] = comparison.pairs,
    ): string | undefined => describeScope({ ...comparison, pairs, trainings: { first, second } });
    expect(scope(1, 1)).toContain(
      'compares only these two checkpoints on these tasks, not the methods: each side is one training run, and the variation between training runs is not in the interval or in p.',
    );
    expect(scope(1, 1, { kind: 'bootstrap' })).toContain('is not in the interval. Give');
    expect(scope(3, 1, { kind: 'bootstrap' })).toBe(
      'cloned is one training run, while GiGPO is 3 training runs: this covers only that checkpoint on these tasks, and the variation between training runs is not in the interval.',
    );
    expect(scope(1, 0)).toBe(
      'GiGPO is one training run: this covers only that checkpoint on these tasks, and the variation between training runs is not in the interval or in p.',
    );
    expect([scope(0, 0), scope(3, 0), scope(3, 2)]).toEqual([undefined, undefined, undefined]);
  });

  it('says for several comparisons that p was adjusted and intervals were not', () => {
    expect(
      describeComparison({
        ...comparison,
        pairs: { kind: 'mcnemar', p: 0.02, adjusted: 0.04, both: 0, onlyFirst: 1, onlySecond: 0, neither: 0 },
      }),
    ).toContain('McNemar p = 0.020 (p = 0.040 adjusted by Holm).');
    expect(describeSeveral([comparison])).toBeUndefined();
    expect(describeSeveral([comparison, comparison])).toMatch(
      /^2 comparisons: p is given unadjusted and adjusted/,
    );
    expect(describeSeveral([{ pairs: { kind: 'bootstrap' } }, { pairs: { kind: 'bootstrap' } }])).toBe(
      '2 comparisons: the intervals are not adjusted; each one covers its own difference with 95 %.',
    );
  });

  it('lets no control character of a name reach the terminal', () => {
    expect(describeComparison({ ...comparison, first: '\u001b[2Jnew' })).toMatch(/^new against/);
  });
});
