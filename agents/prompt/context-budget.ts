/** Turns that a bound shortens before it is retried. */
const firstPatience = 4;

interface Findings {
  readonly taken?: number;
  readonly refused?: number | undefined;
  readonly waited?: number;
  readonly patience?: number;
}

/**
 * The weight of a text is its size in bytes, a proxy for its tokens. Texts have about one token for every 4
 * bytes, in non-Latin scripts too.
 */
export const weightOf = (text: string): number => Buffer.byteLength(text);

/**
 * Estimates how much a model takes, in {@link weightOf}, from its earlier answers. Servers sometimes refuse
 * what they take at other times. So the newest answer overrides older ones. A bound that has shortened some
 * turns is retried, after more and more turns as it proves right.
 */
export class ContextBudget {
  /** The greatest weight that was accepted. */
  #taken: number;
  /** The least weight that was refused. */
  #refused: number;
  /** Turns that the bound has shortened since it was found or last retried. */
  #waited: number;
  /** Turns to shorten before the bound is retried. */
  #patience: number;

  constructor({
    taken = 0,
    refused = Number.POSITIVE_INFINITY,
    waited = 0,
    patience = firstPatience,
  }: Findings = {}) {
    this.#taken = taken;
    this.#refused = refused;
    this.#waited = waited;
    this.#patience = patience;
  }

  get taken(): number {
    return this.#taken;
  }

  /**
   * Midway between the accepted and the refused weight, so that repeated tries converge on the limit
   * (bisection).
   */
  get likely(): number {
    return Math.floor((this.#taken + this.#refused) / 2);
  }

  /** True if the weight is below everything that was refused. */
  mayTake(weight: number): boolean {
    return weight < this.#refused;
  }

  noteTaken(weight: number): void {
    this.#taken = Math.max(this.#taken, weight);
    if (this.mayTake(weight)) return;
    this.#refused = Number.POSITIVE_INFINITY;
    this.#patience = firstPatience;
  }

  noteRefused(weight: number): void {
    if (weight <= this.#taken) this.#taken = 0;
    if (!this.mayTake(weight)) return;
    this.#refused = weight;
    this.#waited = 0;
    this.#patience = firstPatience;
  }

  /**
   * Counts a turn that the bound shortens. Returns true if the bound should be retried on this turn, with no
   * more than that needs.
   */
  noteBounded(): boolean {
    this.#waited += 1;
    if (this.#waited <= this.#patience) return false;
    this.#waited = 0;
    this.#patience *= 2;
    return true;
  }

  /** The findings so far as plain JSON. */
  memory(): {
    readonly taken: number;
    readonly refused?: number;
    readonly waited: number;
    readonly patience: number;
  } {
    return {
      taken: this.#taken,
      ...(Number.isFinite(this.#refused) ? { refused: this.#refused } : {}),
      waited: this.#waited,
      patience: this.#patience,
    };
  }
}
