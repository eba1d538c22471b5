import type { Opening, StepResult, Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';

/** How far the episode is that something was given back in. */
export interface EpisodePlace {
  /** Undefined after a restore in an env that was never reset. */
  readonly task: TaskRef | undefined;
  /** Steps taken, the one that is given back included. */
  readonly steps: number;
}

/**
 * Looks at what an env gives back, or changes it, before the caller has it. A stage is synchronous and remembers nothing of an
 * episode, so that several of them cost an env one wait a step and not one each.
 */
export interface ResultStage<Obs, Act> {
  opening(opening: Opening<Obs, Act>, place: EpisodePlace): Opening<Obs, Act>;
  result(result: StepResult<Obs, Act>, place: EpisodePlace): StepResult<Obs, Act>;
  /** What `snapshots.restore` gives back. */
  restored(turn: Turn<Obs, Act>, place: EpisodePlace): Turn<Obs, Act>;
}
