/**
 * The facts that conditions are evaluated on. In a world each fact either holds or lacks. In a relaxed world
 * both may be true.
 */
export interface Facts {
  holds(fact: number): boolean;
  lacks(fact: number): boolean;
}

/** The number of a fact that can never hold. */
export const impossible = -1;

/** Facts as bits, 32 a word. */
export class FactSet implements Facts {
  readonly words: Uint32Array; // (facts / 32)

  constructor(source: number | Uint32Array) {
    this.words = typeof source === 'number' ? new Uint32Array((source + 31) >>> 5) : source.slice();
  }

  holds(fact: number): boolean {
    return ((this.words[fact >>> 5] as number) & (1 << (fact & 31))) !== 0;
  }

  lacks(fact: number): boolean {
    return !this.holds(fact);
  }

  add(fact: number): void {
    this.words[fact >>> 5] = (this.words[fact >>> 5] as number) | (1 << (fact & 31));
  }

  delete(fact: number): void {
    this.words[fact >>> 5] = (this.words[fact >>> 5] as number) & ~(1 << (fact & 31));
  }

  /** The facts in which two sets differ, ascending. */
  difference(other: FactSet): number[] {
    const found: number[] = [];
    for (let word = 0; word < this.words.length; word += 1)
      pushBits(found, word, (this.words[word] as number) ^ (other.words[word] as number));
    return found;
  }

  /** The facts that hold, ascending. */
  members(): number[] {
    const found: number[] = [];
    for (let word = 0; word < this.words.length; word += 1) pushBits(found, word, this.words[word] as number);
    return found;
  }
}

function pushBits(found: number[], word: number, bits: number): void {
  for (let left = bits; left !== 0; left &= left - 1) found.push((word << 5) + 31 - Math.clz32(left & -left));
}
