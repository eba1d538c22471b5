import { UsageError } from '../../envs/core/errors.ts';
import { invalidActionTerm, reward, type Reward } from '../../envs/core/step.ts';
import type { EpisodeLimits } from './limits.ts';
import type { TrajectoryStep } from './trajectory.ts';

export type Verdict = TrajectoryStep['verdict'];

/** Counts and prices the model's errors in one episode. */
export class ModelErrors {
  readonly #limits: EpisodeLimits;
  #malformed = 0;
  #inadmissible = 0;

  constructor(limits: EpisodeLimits) {
    this.#limits = limits;
  }

  /**
   * Counts a reply; returns the cap that it reached, if it reached one. Any action ends a row of malformed replies, only an
   * admissible one a row of inadmissible actions: who alternates between the two kinds does not escape.
   */
  count(verdict: Verdict): 'malformed-cap' | 'inadmissible-cap' | undefined {
    if (verdict === 'malformed') {
      this.#malformed += 1;
      return this.#malformed >= this.#limits.malformed.inARow ? 'malformed-cap' : undefined;
    }
    this.#malformed = 0;
    this.#inadmissible = verdict === 'inadmissible' ? this.#inadmissible + 1 : 0;
    const { inARow } = this.#limits.inadmissible;
    return inARow !== undefined && this.#inadmissible >= inARow ? 'inadmissible-cap' : undefined;
  }

  /** What a malformed reply earns: the penalty alone, because the env was not asked. */
  ofMalformed(): Reward {
    return reward({ [invalidActionTerm]: 0 - this.#limits.malformed.penalty }); // 0 - x, because -0 is not 0
  }

  /** What the env paid, less the penalty when it found the action inadmissible. */
  ofAction(verdict: Verdict, paid: Reward, env: string): Reward {
    if (invalidActionTerm in paid.terms) refuseTerm(env);
    const { penalty } = this.#limits.inadmissible;
    if (verdict !== 'inadmissible' || penalty === 0) return paid;
    return { total: paid.total - penalty, terms: { ...paid.terms, [invalidActionTerm]: 0 - penalty } };
  }
}

function refuseTerm(env: string): never {
  throw new UsageError({
    where: `reward of ${env}`,
    what: `it has a term "${invalidActionTerm}", which is the rollout's own.`,
    mend: "Give the env's term another name; the rollout books the price of inadmissible actions itself.",
  });
}
