/**
 * Similarity of two texts after Ratcliff and Obershelp ("Pattern Matching: the Gestalt Approach", Dr. Dobb's
 * Journal, July 1988), with the rules of Python's `difflib.SequenceMatcher(None, a, b).ratio()`. Characters
 * are code points. The longest common block comes first; on a tie the one that starts earliest in `a`, then
 * in `b`.
 *
 * If `b` has at least 200 characters ("autojunk"), a character that makes up more than 1 % of it starts no
 * block. Blocks may extend over such characters and, if no block starts at all, one may extend from the
 * beginnings. So the measure is not symmetric, and long texts of frequent characters that differ at the
 * beginning count as different.
 */

/** A text prepared for many comparisons. */
export interface PreparedText {
  readonly characters: Int32Array; // (characters) code points
  /** How often each code point occurs. */
  readonly counts: ReadonlyMap<number, number>;
  /** Positions of each code point that may start a block, in order. */
  readonly places: ReadonlyMap<number, readonly number[]>;
}

const autojunkLength = 200;

/** Prepares a text for {@link similarityRatio}. */
export function prepareText(text: string): PreparedText {
  const characters = Int32Array.from(text, (character) => character.codePointAt(0) as number);
  const places = new Map<number, number[]>();
  characters.forEach((character, place) => {
    const known = places.get(character);
    if (known === undefined) places.set(character, [place]);
    else known.push(place);
  });
  const counts = new Map([...places].map(([character, where]) => [character, where.length]));
  if (characters.length >= autojunkLength) {
    const most = Math.floor(characters.length / 100) + 1;
    for (const [character, count] of counts) if (count > most) places.delete(character);
  }
  return { characters, counts, places };
}

/**
 * 2 M / T, where M is the number of characters in common blocks and T the length of both texts; 1 for two
 * empty texts.
 */
export function similarityRatio(a: PreparedText, b: PreparedText): number {
  return ratio(commonCharacters(a.characters, b), a, b);
}

/** Whether the ratio reaches the threshold. An upper bound rejects most dissimilar pairs. */
export function isSimilar(a: PreparedText, b: PreparedText, threshold: number): boolean {
  if (ratio(Math.min(a.characters.length, b.characters.length), a, b) < threshold) return false;
  if (ratio(sharedCharacters(a, b), a, b) < threshold) return false;
  return similarityRatio(a, b) >= threshold;
}

function ratio(matches: number, a: PreparedText, b: PreparedText): number {
  const length = a.characters.length + b.characters.length;
  return length === 0 ? 1 : (2 * matches) / length;
}

/** Characters in both, at any position: an upper bound of those in common blocks. */
function sharedCharacters(a: PreparedText, b: PreparedText): number {
  let shared = 0;
  for (const [character, count] of a.counts) shared += Math.min(count, b.counts.get(character) ?? 0);
  return shared;
}

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

interface Range {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/**
 * Length of the block that ends at each position of `b` and at one of `a`; entry 0 is before the first. Reset
 * after each use.
 */
interface Endings {
  readonly previous: Int32Array; // (b + 1)
  readonly current: Int32Array; // (b + 1)
}

/** Characters in the longest common block, and recursively in those left and right of it. */
function commonCharacters(a: Int32Array, b: PreparedText): number {
  const length = b.characters.length;
  const endings = { previous: new Int32Array(length + 1), current: new Int32Array(length + 1) };
  const open: Range[] = [{ aStart: 0, aEnd: a.length, bStart: 0, bEnd: length }];
  let matches = 0;
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const block = growBlock(a, b.characters, range, longestSeed(a, b.places, range, endings));
    if (block.size === 0) continue;
    matches += block.size;
    const { aStart, aEnd, bStart, bEnd } = range;
    if (aStart < block.a && bStart < block.b) open.push({ aStart, aEnd: block.a, bStart, bEnd: block.b });
    const [aNext, bNext] = [block.a + block.size, block.b + block.size];
    if (aNext < aEnd && bNext < bEnd) open.push({ aStart: aNext, aEnd, bStart: bNext, bEnd });
  }
  return matches;
}

/** The longest block of characters that may start one; on a tie the first in `a`, then in `b`. */
function longestSeed(a: Int32Array, places: PreparedText['places'], range: Range, endings: Endings): Block {
  const { aStart, aEnd, bStart, bEnd } = range;
  let { previous, current } = endings;
  let before: readonly number[] = [];
  let best: Block = { a: aStart, b: bStart, size: 0 };
  for (let atA = aStart; atA < aEnd; atA += 1) {
    const here = places.get(a[atA] as number) ?? [];
    for (const atB of here) {
      if (atB < bStart) continue;
      if (atB >= bEnd) break;
      const size = (previous[atB] as number) + 1;
      current[atB + 1] = size;
      if (size > best.size) best = { a: atA - size + 1, b: atB - size + 1, size };
    }
    for (const atB of before) previous[atB + 1] = 0;
    [previous, current, before] = [current, previous, here];
  }
  for (const atB of before) previous[atB + 1] = 0;
  return best;
}

/** Extends the block over equal neighbours, including those that may not start a block. */
function growBlock(a: Int32Array, b: Int32Array, { aStart, aEnd, bStart, bEnd }: Range, seed: Block): Block {
  let { a: atA, b: atB, size } = seed;
  while (atA > aStart && atB > bStart && a[atA - 1] === b[atB - 1]) {
    atA -= 1;
    atB -= 1;
    size += 1;
  }
  while (atA + size < aEnd && atB + size < bEnd && a[atA + size] === b[atB + size]) size += 1;
  return { a: atA, b: atB, size };
}
