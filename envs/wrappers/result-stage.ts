import type { Opening, StepResult, Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';

/** The place of a result in its episode. */
export interface EpisodePlace {
  /** Undefined after a restore in an env that was never reset. */
  readonly task: TaskRef | undefined;
  /** Steps taken, including the step of this result. */
  readonly steps: number;
}

/**
 * Checks or changes what an env returns before the caller gets it. A stage is synchronous and keeps no state
 * of an episode. So several stages cost only one wait per step.
 */
export interface ResultStage<Obs, Act> {
  opening(opening: Opening<Obs, Act>, place: EpisodePlace): Opening<Obs, Act>;
  result(result: StepResult<Obs, Act>, place: EpisodePlace): StepResult<Obs, Act>;
  /** Handles the turn that `snapshots.restore` returns. */
  restored(turn: Turn<Obs, Act>, place: EpisodePlace): Turn<Obs, Act>;
}
