import type { TrainProgress } from '../../trainers/loop/progress.ts';
import type { ProgressUpdate } from '../terminal/progress.ts';

/**
 * The progress line of a run: during training its iteration and the most useful figures, the most important
 * first.
 */
export function describeProgress(progress: TrainProgress): ProgressUpdate {
  const percent = (share: number): string => `${Math.round(100 * share)} %`;
  const figures = [
    progress.success === undefined ? undefined : `success ${percent(progress.success)}`,
    progress.return === undefined ? undefined : `return ${progress.return.toFixed(2)}`,
    progress.anchorShare === undefined ? undefined : `peers ${percent(progress.anchorShare)}`,
    progress.stepsPerSecond === undefined ? undefined : `${Math.round(progress.stepsPerSecond)} steps/s`,
  ].filter((figure) => figure !== undefined);
  const note = progress.phase === 'training' ? figures : progress.label;
  const total = progress.phase === 'training' ? progress.iterations : 100;
  return {
    label: progress.phase === 'training' ? 'iteration' : progress.phase,
    done: progress.done * total,
    total,
    ...(progress.phase === 'training' ? {} : { unit: '%' }),
    note,
  };
}
