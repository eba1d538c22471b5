import type { ChoiceBatch } from '../choice/choice-batch.ts';

/** Collects the features of decisions and packs them into a batch. */
export class ChoiceRows {
  readonly #mask: number;
  readonly #stateFeatures = new GrowingInts();
  readonly #stateStart = new GrowingInts();
  readonly #candidateFeatures = new GrowingInts();
  readonly #candidateStart = new GrowingInts();
  readonly #rowStart = new GrowingInts();
  #into: GrowingInts;
  #opening = { kind: 0, decision: -1, start: 0, end: 0 };

  /** `buckets` is a power of two: the size of the feature space. */
  constructor(buckets: number) {
    this.#mask = buckets - 1;
    this.#into = this.#stateFeatures;
    this.clear();
  }

  /** Forgets everything added so far, but keeps the room for it. */
  clear(): void {
    for (const features of [this.#stateFeatures, this.#candidateFeatures]) features.clear();
    for (const starts of [this.#stateStart, this.#candidateStart, this.#rowStart]) {
      starts.clear();
      starts.push(0);
    }
    this.#into = this.#stateFeatures;
    this.#opening = { kind: 0, decision: -1, start: 0, end: 0 };
  }

  /**
   * Begins a candidate with the features of the last opening, if that was of the same kind in the same decision; false where it was not:
   * then add them, and call `endOpening`. Candidates that begin alike mostly stand side by side.
   */
  repeatOpening(kind: number): boolean {
    const { decision, start, end } = this.#opening;
    if (this.#opening.kind !== kind || decision !== this.decisions) return false;
    this.#candidateFeatures.repeat(start, end);
    return true;
  }

  /** What the candidate has so far is the opening of its kind. */
  endOpening(kind: number): void {
    const start = this.#candidateStart.last;
    this.#opening = { kind, decision: this.decisions, start, end: this.#candidateFeatures.length };
  }

  /** Adds a feature by its 32-bit hash to the state or candidate being built. */
  add(hash: number): void {
    this.#into.push(scatter(hash) & this.#mask);
  }

  endState(): void {
    this.#stateStart.push(this.#stateFeatures.length);
    this.#into = this.#candidateFeatures;
  }

  endCandidate(): void {
    this.#candidateStart.push(this.#candidateFeatures.length);
  }

  endDecision(): void {
    this.#rowStart.push(this.#candidateStart.length - 1);
    this.#into = this.#stateFeatures;
  }

  /** Decisions so far. */
  get decisions(): number {
    return this.#rowStart.length - 1;
  }

  /** A copy of everything added so far, as one batch. */
  pack(): ChoiceBatch {
    return {
      stateFeatures: this.#stateFeatures.toArray(),
      stateStart: this.#stateStart.toArray(),
      candidateFeatures: this.#candidateFeatures.toArray(),
      candidateStart: this.#candidateStart.toArray(),
      rowStart: this.#rowStart.toArray(),
    };
  }
}

/** Small salts and hashes alike spread over the low bits. */
const scatter = (hash: number): number => {
  const h = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return h ^ (h >>> 12);
};

/** An Int32Array that grows. */
class GrowingInts {
  #values = new Int32Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get last(): number {
    return this.#values[this.#length - 1] as number;
  }

  clear(): void {
    this.#length = 0;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow();
    this.#values[this.#length] = value;
    this.#length += 1;
  }

  /** Adds what stands from `start` to `end` once more. */
  repeat(start: number, end: number): void {
    while (this.#length + end - start > this.#values.length) this.#grow();
    // A loop: the runs are so short that a call of copyWithin costs more.
    for (let at = start; at < end; at += 1) this.#values[this.#length++] = this.#values[at] as number;
  }

  #grow(): void {
    const larger = new Int32Array(this.#values.length * 2);
    larger.set(this.#values);
    this.#values = larger;
  }

  toArray(): Int32Array {
    return this.#values.slice(0, this.#length);
  }
}
