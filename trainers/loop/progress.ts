import type { MetricsLine, TimingsLine } from '../run/metrics-schema.ts';

/** What a run is doing, for a progress line. Fields are undefined if they do not apply yet. */
export interface TrainProgress {
  readonly phase: 'demonstrations' | 'cloning' | 'training' | 'evaluation';
  /** The current pass, iteration or player. */
  readonly label: string;
  /** Share of the phase that is done, from 0 to 1. */
  readonly done: number;
  readonly iteration: number;
  readonly iterations: number;
  readonly success: number | undefined;
  readonly return: number | undefined;
  /** Share of anchored steps whose anchor has other steps; undefined for credit without anchors. */
  readonly anchorShare: number | undefined;
  readonly environmentSteps: number;
  /** Environment steps per second of the last iteration, including the update. */
  readonly stepsPerSecond: number | undefined;
  /** A problem that does not stop the run, such as too many faults: a sentence, reported once. */
  readonly warning: string | undefined;
}

export type ProgressListener = (progress: TrainProgress) => void;

/** What a run has just written into its logs. */
export interface RecordedMetrics {
  /** The line of `metrics.jsonl`: a pass of the warm start, an iteration, or an evaluation on `dev`. */
  readonly line: MetricsLine;
  /** The line of `timings.jsonl` for the same work, in seconds; undefined where nothing was timed. */
  readonly timing: TimingsLine | undefined;
}

export type MetricsListener = (recorded: RecordedMetrics) => void;

/**
 * What a caller hears of a training. Listeners are called between two steps of the training and must return at once. What they
 * throw ends the run.
 */
export interface TrainingListeners {
  /** Receives every change of the progress, many times an iteration. */
  readonly onProgress?: ProgressListener;
  /** Receives each line of metrics once it is written. Lines from before a resumption do not come again. */
  readonly onMetrics?: MetricsListener;
}
