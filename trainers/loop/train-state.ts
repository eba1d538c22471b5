import type { Json } from '../../envs/core/json.ts';

/** Progress of a run. Together with the weights it is all that resuming needs. */
export interface TrainState {
  /** Iterations done. */
  readonly iteration: number;
  /** Steps of training rollouts, including faulted and retried ones. */
  readonly environmentSteps: number;
  readonly episodes: number;
  /** Training episodes that still faulted after all retries. */
  readonly faulted: number;
  /** The iteration of the last evaluation on `dev`. */
  readonly evaluated: number;
  /** Its success rate; 0 before the first. */
  readonly devSuccess: number;
  /**
   * The largest share of faulted episodes in an evaluation on `dev` so far, including those of the warm
   * start.
   */
  readonly devFaults: number;
  /** State of the curriculum; undefined before its first update. */
  readonly curriculum: Json | undefined;
  /** State of the credit estimator for the next iteration; undefined before the first, and for estimators without state. */
  readonly creditState: Json | undefined;
}

export const initialState: TrainState = {
  iteration: 0,
  environmentSteps: 0,
  episodes: 0,
  faulted: 0,
  evaluated: 0,
  devSuccess: 0,
  devFaults: 0,
  curriculum: undefined,
  creditState: undefined,
};

/** Keys of the curriculum's and the estimator's states among the states of a checkpoint. */
const curriculumState = 'curriculum';
const creditStateName = 'credit';

/** The part of the state that a checkpoint's manifest records. */
export function factsOf({ iteration: _iteration, curriculum, creditState, ...counters }: TrainState): {
  readonly counters: Readonly<Record<string, number>>;
  readonly states: Readonly<Record<string, Json>>;
} {
  return {
    counters,
    states: {
      ...(curriculum === undefined ? {} : { [curriculumState]: curriculum }),
      ...(creditState === undefined ? {} : { [creditStateName]: creditState }),
    },
  };
}

/** The state in a checkpoint's manifest. */
export function stateFrom(manifest: {
  readonly iteration: number;
  readonly counters: Readonly<Record<string, number>>;
  readonly states: Readonly<Record<string, Json>>;
}): TrainState {
  const {
    environmentSteps = 0,
    episodes = 0,
    faulted = 0,
    evaluated = 0,
    devSuccess = 0,
    devFaults = 0,
  } = manifest.counters;
  return {
    iteration: manifest.iteration,
    environmentSteps,
    episodes,
    faulted,
    evaluated,
    devSuccess,
    devFaults,
    curriculum: manifest.states[curriculumState],
    creditState: manifest.states[creditStateName],
  };
}
