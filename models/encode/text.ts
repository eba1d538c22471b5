/** Texts as hashed words: the encoder never keeps strings, only 32-bit hashes of them. */

/** A word of a text and where it stands. */
export interface Unit {
  /** Hash of the word. */
  readonly word: number;
  /** Hash of the word and the number that follows it (`shelf 2`), or of the word alone. */
  readonly name: number;
  /** Hash of the word before it. */
  readonly before: number;
  /** Hash of the word after it. */
  readonly after: number;
}

/** A text, read once. */
export interface TextReading {
  readonly hash: number;
  readonly units: readonly Unit[];
  /** The distinct words, in order of first appearance. */
  readonly words: readonly number[];
  /** The first unit of each name. */
  readonly distinct: readonly Unit[];
  /** Of an action: its first word, which says what kind of action it is; 0 where there is none. */
  readonly verb: number;
  /** Of an action: what it is done to or with, which is its words but the first and those of structure. */
  readonly arguments: readonly Unit[];
}

const edge = 0x9e3779b9; // stands before the first and after the last word

/** Mixes two 32-bit values; the finaliser of MurmurHash3 keeps near inputs apart. */
export function mix(a: number, b: number): number {
  let h = Math.imul(a ^ 0x2545f491, 0x9e3779b1) ^ b;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** FNV-1a over UTF-16 units. */
export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) h = Math.imul(h ^ text.charCodeAt(index), 0x01000193);
  return h | 0;
}

/** English words that carry structure rather than content, by their hashes: they never count as overlap. */
export const structureWords: ReadonlySet<number> = new Set(
  'a an the some and or it them its their this that in on at to of with under from into for by is are be you your i'
    .split(' ')
    .map(hashText),
);

const wordPattern = /[\p{L}_]+|\p{N}+/gu;
const isNumber = (token: string): boolean => {
  const first = token.charCodeAt(0);
  return first >= 48 && first <= 57;
};

/** Reads a text: lower-cased words, numbers joined to the word before them. */
export function readText(text: string): TextReading {
  const tokens = text.toLowerCase().match(wordPattern) ?? [];
  const units: { word: number; name: number; before: number; after: number }[] = [];
  for (const token of tokens) {
    const last = units.at(-1);
    const hash = hashText(token);
    if (isNumber(token) && last !== undefined) {
      last.name = mix(last.name, hash);
      continue;
    }
    if (last !== undefined) last.after = hash;
    units.push({ word: hash, name: hash, before: last?.word ?? edge, after: edge });
  }
  return {
    hash: hashText(text),
    units,
    words: [...new Set(units.map((unit) => unit.word))],
    distinct: [...new Map(units.toReversed().map((unit) => [unit.name, unit])).values()].toReversed(),
    verb: units[0]?.word ?? 0,
    arguments: units.slice(1).filter(({ word }) => !structureWords.has(word)),
  };
}

/** Reads texts once each: most texts of an episode come again. Forgets all when it holds `capacity` texts. */
export class Reader {
  readonly #capacity: number;
  readonly #readings = new Map<string, TextReading>();

  constructor(capacity = 20_000) {
    this.#capacity = capacity;
  }

  read(text: string): TextReading {
    const known = this.#readings.get(text);
    if (known !== undefined) return known;
    if (this.#readings.size >= this.#capacity) this.#readings.clear();
    const reading = readText(text);
    this.#readings.set(text, reading);
    return reading;
  }
}
