import type { RecordedMetrics } from '../../../trainers/loop/progress.ts';
import { makeMetrics, makeTimings } from '../report/make-run-content.ts';

/** The config of the run in `test/golden/report/live`. */
export const liveConfig = {
  env: 'household-v1',
  seed: 3,
  credit: { kind: 'gigpo', anchor: 'information' },
  update: { learningRate: 0.001, klWeight: 0 },
  finalPanels: ['unseen'],
  isNew: true,
};

/** What the listener of such a run receives. */
export function liveRecords(iterations: number): readonly RecordedMetrics[] {
  const timings = makeTimings(iterations);
  return makeMetrics(iterations).map((line) => ({
    line,
    timing: timings.find(
      ({ kind, iteration }) =>
        kind === line.kind && iteration === ('iteration' in line ? line.iteration : line.epoch),
    ),
  }));
}
