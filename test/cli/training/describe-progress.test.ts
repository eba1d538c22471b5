import { describe, expect, it } from 'vitest';
import { createProgress } from '../../../cli/terminal/progress.ts';
import { createTerminal } from '../../../cli/terminal/terminal.ts';
import { describeProgress } from '../../../cli/training/describe-progress.ts';
import type { TrainProgress } from '../../../trainers/loop/progress.ts';
import { Collector } from '../../support/command-line.ts';

const training: TrainProgress = {
  phase: 'training',
  label: 'iteration 149 of 150',
  done: 149 / 150,
  iteration: 149,
  iterations: 150,
  success: 0.98,
  return: 0.98,
  anchorShare: 0.53,
  environmentSteps: 500_000,
  stepsPerSecond: 2419,
  warning: undefined,
};

describe('progress line of training', () => {
  it('shows iteration, success, return, anchor share, steps per second and time left in 80 columns', () => {
    let now = 0;
    const err = new Collector(true, 80);
    const progress = createProgress(createTerminal({ out: err, err, environment: {} }).err, () => now);
    progress.report(describeProgress({ ...training, done: 0 }));
    now = 724_000 * 149;
    progress.report(describeProgress(training));
    const line = err.text.split('\r\u001b[2K').at(-1);
    expect(line).toBe('149/150  success 98 %, return 0.98, peers 53 %, 2419 steps/s  12 min 4 s left');
    expect(line?.length).toBeLessThanOrEqual(79);
  });

  it('describes the present work in other phases', () => {
    expect(
      describeProgress({ ...training, phase: 'cloning', label: 'pass 3 of at most 60', done: 0.05 }),
    ).toEqual({ label: 'cloning', done: 5, total: 100, unit: '%', note: 'pass 3 of at most 60' });
  });
});
