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
