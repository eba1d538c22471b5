/** Turns that a bound shortens before it is tried again. */
const firstPatience = 4;

interface Findings {
  readonly taken?: number;
  readonly refused?: number | undefined;
  readonly waited?: number;
  readonly patience?: number;
}

/**
 * What a text weighs for a model: its bytes, as models count tokens, of which texts have about as many as quarters of their bytes,
 * those of other scripts than Latin too.
 */
export const weightOf = (text: string): number => Buffer.byteLength(text);

/**
 * How much a model takes, by {@link weightOf}, as its answers have shown. That is an estimate, and servers refuse now and then what they
 * take else: so what came last outweighs what contradicts it, and a bound that shortened some turns is tried again, after ever more of them
 * as it holds.
 */
export class ContextBudget {
  /** The most that was taken. */
  #taken: number;
  /** The least that was refused. */
  #refused: number;
  /** Turns that the bound shortened since it was found or tried last. */
  #waited: number;
  /** So many turns it shortens before it is tried again. */
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

  /** Half-way between what was taken and what was refused: who tries that again and again closes in on what is taken. */
  get likely(): number {
    return Math.floor((this.#taken + this.#refused) / 2);
  }

  /** True of less than all that was refused. */
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

  /** Notes a turn that the bound shortens; true where the bound is to be tried again on it, with no more than is needed for that. */
  noteBounded(): boolean {
    this.#waited += 1;
    if (this.#waited <= this.#patience) return false;
    this.#waited = 0;
    this.#patience *= 2;
    return true;
  }

  /** What was found so far, as plain JSON. */
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
