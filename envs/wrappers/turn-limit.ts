import { UsageError } from '../core/errors.ts';
import { isRecord } from '../core/result-shape.ts';
import type { Opening, StepResult, Turn } from '../core/step.ts';
import type { EpisodePlace, ResultStage } from './result-stage.ts';

/**
 * Ends an episode after a number of steps. With `of: 'task'` the limit is part of the problem: the episode
 * ends as failed, and turns report the steps left. With `of: 'run'` the limit is no part of the problem: the
 * episode is truncated.
 */
export class TurnLimit<Obs, Act> implements ResultStage<Obs, Act> {
  readonly #limit: number;
  readonly #of: 'task' | 'run';

  constructor(options: { readonly limit: number; readonly of: 'task' | 'run' }) {
    if (!Number.isInteger(options.limit) || options.limit < 1) {
      throw new UsageError({
        where: 'turn limit',
        what: `the limit must be an integer of at least 1, not ${options.limit}.`,
        fix: 'Give an integer of at least 1.',
      });
    }
    this.#limit = options.limit;
    this.#of = options.of;
  }

  opening(opening: Opening<Obs, Act>, place: EpisodePlace): Opening<Obs, Act> {
    return this.#counted(opening, place);
  }

  result(result: StepResult<Obs, Act>, place: EpisodePlace): StepResult<Obs, Act> {
    // malformed results are refused elsewhere
    if (!isRecord(result) || result.kind !== 'ongoing') return result;
    if (place.steps < this.#limit) {
      // Not shared with #counted: where all results have one shape, the engine copies them several times
      // faster.
      return this.#of === 'run' ? result : { ...result, stepsLeft: this.#left(result.stepsLeft, place) };
    }
    const { kind: _kind, admissible: _admissible, stepsLeft: _stepsLeft, seat: _seat, ...outcome } = result;
    const ended = { ...outcome, limit: 'turn-limit' };
    return this.#of === 'task'
      ? { kind: 'terminated', outcome: 'failed', ...ended }
      : { kind: 'truncated', ...ended };
  }

  restored(turn: Turn<Obs, Act>, place: EpisodePlace): Turn<Obs, Act> {
    return this.#counted(turn, place);
  }

  #counted<T extends Turn<Obs, Act>>(turn: T, place: EpisodePlace): T {
    return this.#of === 'run' || !isRecord(turn)
      ? turn
      : { ...turn, stepsLeft: this.#left(turn.stepsLeft, place) };
  }

  /** Steps left by this limit, or by a limit of the env itself if that is nearer. */
  #left(own: number | undefined, { steps }: EpisodePlace): number {
    return Math.min(this.#limit - steps, own ?? Number.POSITIVE_INFINITY);
  }
}
