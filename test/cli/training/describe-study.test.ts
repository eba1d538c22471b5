import { expect, it } from 'vitest';
import { describeStudy } from '../../../cli/training/describe-study.ts';

it('says of recorded figures what their intervals are over', () => {
  const study = {
    date: '2026-11-20',
    commit: 'abc',
    source: 'bench/studies',
    panel: { name: 'unseen-1000', fingerprint: 'sha256:0' },
    seeds: 5,
    success: { random: { mean: 0.01, low: 0.005, high: 0.015 }, GiGPO: { mean: 0.975, low: 0.96, high: 0.99 } },
  };
  expect(describeStudy(study)).toEqual([
    'Recorded on 2026-11-20 (bench/studies), success on unseen-1000 in %, mean of 5 seeds with 95 % intervals over seeds and tasks:',
    '  random   1.0    [0.5, 1.5]',
    '  GiGPO   97.5  [96.0, 99.0]',
    '',
  ]);
  expect(describeStudy(undefined)).toEqual([]);
});
