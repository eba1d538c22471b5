import { describe, expect, it } from 'vitest';
import { parseResult } from '../../../trainers/results/parse-result.ts';
import { calibrationOf } from '../../../trainers/results/calibration.ts';
import { summarise } from '../../../trainers/results/summarise.ts';
import { renderTable } from '../../../trainers/results/table.ts';
import type { Trajectory } from '../../../agents/rollout/trajectory.ts';
import { makeFacts, makeGroups, makeTrajectory } from '../evaluate/make-trajectories.ts';

/** An episode whose env reports a confidence at its end. */
function answered(index: number, isRight: boolean, confidence: number | undefined): Trajectory {
  const made = makeTrajectory(index, isRight ? 'solved' : 'failed');
  const metrics = confidence === undefined ? { f1: 1 } : { confidence };
  return {
    ...made,
    steps: made.steps.map((step, at) => (at === made.steps.length - 1 ? { ...step, metrics } : step)),
  };
}

describe('calibration', () => {
  it('compares stated confidences with successes in ten bins', () => {
    const row = (confidence: number, isRight: boolean) =>
      ({ outcome: isRight ? 'solved' : 'failed', metrics: { confidence } }) as const;
    const rows = [row(0.95, true), row(1, false), row(0.2, false), row(0.25, true)];
    const calibration = calibrationOf([...rows, { outcome: 'solved' }, row(1.5, true)]);
    expect(calibration?.episodes).toBe(4);
    expect(calibration?.brier).toBeCloseTo((0.0025 + 1 + 0.04 + 0.5625) / 4, 12);
    // |0.975 - 0.5| and |0.225 - 0.5|, half of the episodes each
    expect(calibration?.ece).toBeCloseTo((0.475 + 0.275) / 2, 12);
    expect(calibration?.bins).toMatchObject([
      { from: 0.2, episodes: 2, solved: 0.5 },
      { from: 0.9, episodes: 2, solved: 0.5 },
    ]);
    expect(calibrationOf([{ outcome: 'solved', metrics: { f1: 1 } }])).toBeUndefined();
  });

  it('results have it, files are checked for it, and the table prints it', () => {
    const groups = makeGroups([['solved'], ['failed'], ['solved']]).map((group, index) => ({
      ...group,
      members: [answered(index, index !== 1, index === 2 ? undefined : 0.5)],
    }));
    const result = summarise([{ seed: 7, groups }], makeFacts(3));
    expect(result.calibration).toEqual({
      episodes: 2,
      brier: 0.25,
      ece: 0,
      bins: [{ from: 0.5, episodes: 2, confidence: 0.5, solved: 0.5 }],
    });
    expect(renderTable([result])).toContain(
      'confidence in 2 of 3 episodes, Brier score 0.250, expected calibration error 0.000.',
    );
    const forged = { ...result, calibration: { ...result.calibration, brier: 0.1 } };
    expect(() => parseResult(JSON.parse(JSON.stringify(forged)), 'r.json')).toThrow(
      'calibration.brier is 0.1',
    );
    expect(parseResult(JSON.parse(JSON.stringify(result)), 'r.json').calibration).toEqual(result.calibration);
  });
});
