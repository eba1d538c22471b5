/** Houses stand in a row and are numbered from 0. A value is `category * houses + index`. */
export type ZebraClue =
  | {
      readonly kind: 'same' | 'next' | 'left' | 'just-left' | 'apart';
      readonly a: number;
      readonly b: number;
      readonly house?: undefined;
    }
  | { readonly kind: 'at' | 'not-at'; readonly a: number; readonly house: number };

/** The houses in which each value may be, as bits, by value. */
type Domains = Uint8Array;

/** Houses that lie beside houses of a set. */
const beside = (set: number, all: number): number => ((set << 1) | (set >> 1)) & all;
const lowest = (set: number): number => 31 - Math.clz32(set & -set);
const highest = (set: number): number => 31 - Math.clz32(set);

/** Removes houses that a clue forbids. */
function prune(domains: Domains, clue: ZebraClue, all: number): void {
  const a = domains[clue.a] as number;
  if (clue.house !== undefined) {
    const bit = 1 << clue.house;
    domains[clue.a] = clue.kind === 'at' ? a & bit : a & ~bit;
    return;
  }
  const b = domains[clue.b] as number;
  if (a === 0 || b === 0) return;
  switch (clue.kind) {
    case 'same':
      domains[clue.a] = domains[clue.b] = a & b;
      return;
    case 'next':
      domains[clue.a] = a & beside(b, all);
      domains[clue.b] = b & beside(a, all);
      return;
    case 'just-left':
      domains[clue.a] = a & (b >> 1);
      domains[clue.b] = b & (a << 1) & all;
      return;
    case 'left':
      domains[clue.a] = a & ((1 << highest(b)) - 1);
      domains[clue.b] = b & ~((2 << lowest(a)) - 1) & all;
      return;
    case 'apart':
      if ((a & (a - 1)) === 0) domains[clue.b] = b & ~a;
      if ((b & (b - 1)) === 0) domains[clue.a] = a & ~b;
  }
}

/** Applies all clues, and that the values of a category live in different houses, until nothing changes. False for a contradiction. */
function propagate(domains: Domains, clues: readonly ZebraClue[], houses: number): boolean {
  const all = (1 << houses) - 1;
  for (let before = -1; ;) {
    for (const clue of clues) prune(domains, clue, all);
    for (let first = 0; first < domains.length; first += houses) {
      let [once, twice] = [0, 0];
      for (let value = first; value < first + houses; value += 1) {
        const set = domains[value] as number;
        twice |= once & set;
        once |= set;
        if ((set & (set - 1)) !== 0) continue;
        for (let other = first; other < first + houses; other += 1)
          if (other !== value) domains[other] = (domains[other] as number) & ~set;
      }
      if (once !== all) return false;
      const only = once & ~twice; // houses that one value alone can have
      for (let value = first; value < first + houses; value += 1)
        if (((domains[value] as number) & only) !== 0) domains[value] = (domains[value] as number) & only;
    }
    let left = 0;
    for (const set of domains) {
      if (set === 0) return false;
      for (let rest = set; rest !== 0; rest &= rest - 1) left += 1;
    }
    if (left === before) return true;
    before = left;
  }
}

/** The house of each value, for the first solutions, at most two, and the number of places that the search tried. */
export function solveZebra(
  {
    houses,
    values,
    clues,
  }: { readonly houses: number; readonly values: number; readonly clues: readonly ZebraClue[] },
  most = 2,
): { readonly found: readonly (readonly number[])[]; readonly tried: number } {
  const found: number[][] = [];
  let tried = 0;
  const search = (domains: Domains): void => {
    tried += 1;
    if (!propagate(domains, clues, houses)) return;
    let [best, fewest] = [-1, 99];
    for (let value = 0; value < values; value += 1) {
      const set = domains[value] as number;
      let size = 0;
      for (let rest = set; rest !== 0; rest &= rest - 1) size += 1;
      if (size > 1 && size < fewest) [best, fewest] = [value, size];
    }
    if (best < 0) {
      found.push(Array.from(domains, (set) => lowest(set)));
      return;
    }
    for (let rest = domains[best] as number; rest !== 0 && found.length < most; rest &= rest - 1) {
      const next = domains.slice();
      next[best] = rest & -rest;
      search(next);
    }
  };
  search(new Uint8Array(values).fill((1 << houses) - 1));
  return { found, tried };
}

/** Whether a clue holds, by the house of each value. */
export function clueHolds(clue: ZebraClue, house: readonly number[]): boolean {
  const a = house[clue.a] as number;
  if (clue.house !== undefined) return (a === clue.house) === (clue.kind === 'at');
  const b = house[clue.b] as number;
  switch (clue.kind) {
    case 'same':
      return a === b;
    case 'apart':
      return a !== b;
    case 'next':
      return Math.abs(a - b) === 1;
    case 'just-left':
      return a + 1 === b;
    case 'left':
      return a < b;
  }
}
