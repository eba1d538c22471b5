/** What a run is doing, for a progress line. Fields that do not apply yet are undefined. */
export interface TrainProgress {
  readonly phase: 'demonstrations' | 'cloning' | 'training' | 'evaluation';
  /** Which pass, iteration or player. */
  readonly label: string;
  /** Share of the phase that is done, from 0 to 1. */
  readonly done: number;
  readonly iteration: number;
  readonly iterations: number;
  readonly success: number | undefined;
  readonly return: number | undefined;
  /** Share of the steps with an anchor that share it with other steps; undefined for credit without anchors. */
  readonly anchorShare: number | undefined;
  readonly environmentSteps: number;
  /** Environment steps of the last iteration over its whole time, update included. */
  readonly stepsPerSecond: number | undefined;
  /** What does not stop the run but must be known, such as too many faults: a sentence, said once. */
  readonly warning: string | undefined;
}

export type ProgressListener = (progress: TrainProgress) => void;
