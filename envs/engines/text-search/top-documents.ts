/** A search result. */
export interface Hit {
  /** Its number: how many documents were indexed before it. */
  readonly document: number;
  readonly score: number;
}

/**
 * Keeps the best of the offered documents: higher scores first, ties by the lower number. A binary heap with
 * the worst on top.
 */
export class TopDocuments {
  #limit = 0;
  #size = 0;
  #scores = new Float32Array(64); // (at least limit)
  #documents = new Uint32Array(64); // (at least limit)

  /** Restarts it, to keep `limit` documents. */
  begin(limit: number): void {
    this.#limit = limit;
    this.#size = 0;
    if (limit <= this.#scores.length) return;
    this.#scores = new Float32Array(limit);
    this.#documents = new Uint32Array(limit);
  }

  /** A document with this score or a lower one, and a higher number than all before, is not kept. */
  get threshold(): number {
    return this.#size < this.#limit ? Number.NEGATIVE_INFINITY : (this.#scores[0] as number);
  }

  /** Whether {@link offer} would keep a document. `score` must be in single precision. */
  keeps(document: number, score: number): boolean {
    return this.#size < this.#limit || this.#isWorse(0, document, score);
  }

  /** `score` must be in single precision. */
  offer(document: number, score: number): void {
    if (this.#size < this.#limit) {
      this.#rise(this.#size, document, score);
      this.#size += 1;
    } else if (this.#isWorse(0, document, score)) {
      this.#sink(document, score);
    }
  }

  /** Removes and returns all, best first. */
  drain(): Hit[] {
    const hits = Array.from<Hit>({ length: this.#size });
    for (let place = this.#size - 1; place >= 0; place -= 1) {
      hits[place] = { document: this.#documents[0] as number, score: this.#scores[0] as number };
      this.#size = place;
      this.#sink(this.#documents[place] as number, this.#scores[place] as number);
    }
    return hits;
  }

  /** Whether the document at `place` is worse than the given one. */
  #isWorse(place: number, document: number, score: number): boolean {
    const other = this.#scores[place] as number;
    return other < score || (other === score && (this.#documents[place] as number) > document);
  }

  #put(place: number, document: number, score: number): void {
    this.#documents[place] = document;
    this.#scores[place] = score;
  }

  #rise(from: number, document: number, score: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >>> 1;
      if (this.#isWorse(parent, document, score)) break;
      this.#put(place, this.#documents[parent] as number, this.#scores[parent] as number);
      place = parent;
    }
    this.#put(place, document, score);
  }

  /** Replaces the worst document. */
  #sink(document: number, score: number): void {
    let place = 0;
    for (;;) {
      let child = place * 2 + 1;
      if (child >= this.#size) break;
      const right = child + 1;
      if (
        right < this.#size &&
        this.#isWorse(right, this.#documents[child] as number, this.#scores[child] as number)
      )
        child = right;
      if (!this.#isWorse(child, document, score)) break;
      this.#put(place, this.#documents[child] as number, this.#scores[child] as number);
      place = child;
    }
    this.#put(place, document, score);
  }
}
