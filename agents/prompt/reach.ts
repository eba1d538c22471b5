/**
 * How long a prompt a model takes, in characters, as its answers have shown: models count tokens, of which texts of one length have
 * more or fewer, so what came last outweighs what contradicts it.
 */
export class Reach {
  /** The longest that was taken. */
  #taken: number;
  /** The shortest that was refused. */
  #refused: number;

  constructor({ taken = 0, refused = Number.POSITIVE_INFINITY }: { readonly taken?: number; readonly refused?: number | undefined } = {}) {
    this.#taken = taken;
    this.#refused = refused;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Half-way between what was taken and what was refused: who tries that again and again closes in on what is taken. */
  get likely(): number {
    return Math.floor((this.#taken + this.#refused) / 2);
  }

  /** True of what is shorter than all that was refused. */
  mayTake(length: number): boolean {
    return length < this.#refused;
  }

  noteTaken(length: number): void {
    this.#taken = Math.max(this.#taken, length);
    if (length >= this.#refused) this.#refused = Number.POSITIVE_INFINITY;
  }

  noteRefused(length: number): void {
    this.#refused = Math.min(this.#refused, length);
    if (length <= this.#taken) this.#taken = 0;
  }

  /** What was found so far, as plain JSON. */
  memory(): { readonly taken: number; readonly refused?: number } {
    return { taken: this.#taken, ...(Number.isFinite(this.#refused) ? { refused: this.#refused } : {}) };
  }
}
