import type { MetricsLine, TimingsLine } from '../run/metrics-schema.ts';
import type { TrainingRun } from './setup/training-setup.ts';

/** Appends lines to the logs of a run, then passes them to its listener. */
export async function recordMetrics(
  { run, onMetrics }: Pick<TrainingRun, 'run' | 'onMetrics'>,
  line: MetricsLine,
  timing: TimingsLine,
): Promise<void> {
  await run.metrics.append(line);
  await run.timings.append(timing);
  onMetrics({ line, timing });
}
