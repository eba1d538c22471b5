import type { EpisodeLimits } from './limits.ts';
import type { TrajectoryStep } from './trajectory.ts';

export type ActionVerdict = TrajectoryStep['verdict'];

/** Counts the model's errors in one episode and returns the penalty of each. */
export class ModelErrors {
  readonly #limits: EpisodeLimits;
  #malformed = 0;
  #inadmissible = 0;

  constructor(limits: EpisodeLimits) {
    this.#limits = limits;
  }

  /**
   * Counts a reply and returns the cap that it reached, if any. Any action resets the count of malformed
   * replies. Only an admissible action resets the count of inadmissible ones, so alternating the two errors
   * does not avoid the caps.
   */
  count(verdict: ActionVerdict): 'malformed-cap' | 'inadmissible-cap' | undefined {
    if (verdict === 'malformed') {
      this.#malformed += 1;
      return this.#malformed >= this.#limits.malformed.inARow ? 'malformed-cap' : undefined;
    }
    this.#malformed = 0;
    this.#inadmissible = verdict === 'inadmissible' ? this.#inadmissible + 1 : 0;
    const { inARow } = this.#limits.inadmissible;
    return inARow !== undefined && this.#inadmissible >= inARow ? 'inadmissible-cap' : undefined;
  }

  /** The penalty of a reply, 0 or more; undefined for an admissible action. */
  penaltyOf(verdict: ActionVerdict): number | undefined {
    return verdict === 'admissible' ? undefined : this.#limits[verdict].penalty;
  }
}
