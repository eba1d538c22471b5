import type { Json } from '../../envs/core/json.ts';

/** How far a run has come; with the weights it is all that resuming needs. */
export interface TrainState {
  /** Iterations done. */
  readonly iteration: number;
  /** Steps of training rollouts, faulted and retried ones included. */
  readonly environmentSteps: number;
  readonly episodes: number;
  /** Those of the training episodes that had a fault still after all retries. */
  readonly faulted: number;
  /** The iteration after which `dev` was last played. */
  readonly evaluated: number;
  /** Success on it then; 0 before. */
  readonly devSuccess: number;
  /** The largest share of faulted episodes in an evaluation on `dev` so far, those of the warm start included. */
  readonly devFaults: number;
  /** What the curriculum remembers; undefined before it has learned anything. */
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

/** Name the states of the curriculum and of the credit estimator among the states of a checkpoint. */
const curriculumState = 'curriculum';
const creditStateName = 'credit';

/** What a checkpoint records of the state. */
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

/** The state that a checkpoint's manifest tells of. */
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
