/** Counts the bytes that a server sends for one call. */
export class Flood {
  readonly #limit: number;
  readonly #onFlood: () => void;
  #bytes = 0;

  constructor(limit: number, onFlood: () => void) {
    this.#limit = limit;
    this.#onFlood = onFlood;
  }

  /** A new call starts. */
  restart(): void {
    this.#bytes = 0;
  }

  /** Counts bytes that have come. Returns whether the limit allows them; when it is passed, reports it once. */
  accept(bytes: number): boolean {
    const before = this.#bytes;
    this.#bytes += bytes;
    if (this.#bytes <= this.#limit) return true;
    if (before <= this.#limit) this.#onFlood();
    return false;
  }
}
