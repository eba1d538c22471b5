/** Values that are kept for each name. */
const mostValues = 400;
/** Leaves of one result that are looked at. */
const mostLeaves = 500;
/** Longer texts are no arguments to choose. */
const longestText = 120;

/** A value that an argument can take. */
export type Leaf = string | number | boolean;

/**
 * The values that results have shown, by the name of their field and by their kind. It depends on which
 * results were shown, and not on their order.
 */
export class SeenValues {
  readonly #values: Map<string, Set<Leaf>>;

  constructor(saved: SavedValues = {}) {
    this.#values = new Map(Object.entries(saved).map(([name, values]) => [name, new Set(values)]));
  }

  /** How many values a name or a kind has: a list of its values is good until this changes. */
  version(name: string): number {
    return this.#values.get(name)?.size ?? 0;
  }

  /** The values of a name or a kind, in order. */
  of(name: string): readonly Leaf[] {
    return [...(this.#values.get(name) ?? [])].sort(byValue);
  }

  names(): readonly string[] {
    return [...this.#values.keys()].sort(byValue);
  }

  /** Adds the leaves of a result. Returns whether any is new. */
  add(value: unknown, kinds: ReadonlyMap<string, string>): boolean {
    let [isNew, leaves] = [false, 0];
    const visit = (name: string, part: unknown): void => {
      if (leaves >= mostLeaves) return;
      if (Array.isArray(part)) {
        for (const item of part) visit(name, item);
      } else if (typeof part === 'object' && part !== null) {
        for (const [key, item] of Object.entries(part)) visit(key, item);
      } else if (isLeaf(part)) {
        leaves += 1;
        isNew = this.#put(name, part) || isNew;
        const kind = kinds.get(name);
        if (kind !== undefined && kind !== name) isNew = this.#put(kind, part) || isNew;
      }
    };
    visit('', value);
    return isNew;
  }

  save(): SavedValues {
    return Object.fromEntries(this.names().map((name) => [name, this.of(name)]));
  }

  #put(name: string, value: Leaf): boolean {
    const values = this.#values.get(name) ?? new Set<Leaf>();
    this.#values.set(name, values);
    if (values.size >= mostValues || values.has(value)) return false;
    values.add(value);
    return true;
  }
}

const isLeaf = (part: unknown): part is Leaf =>
  typeof part === 'number' ||
  typeof part === 'boolean' ||
  (typeof part === 'string' && part !== '' && part.length <= longestText);

/** Numbers by size, then texts. */
function byValue(a: Leaf, b: Leaf): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [one, other] = [String(a), String(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

/** What a text of the user mentions: phrases in quotes, numbers, and words with the marks of ids, mails and dates. */
export interface Mentions {
  readonly quoted: readonly string[];
  readonly numbers: readonly number[];
  readonly words: readonly string[];
}

const mentionsOfText = new Map<string, Mentions>();

export function mentionsIn(text: string): Mentions {
  const known = mentionsOfText.get(text);
  if (known !== undefined) return known;
  if (mentionsOfText.size > 10_000) mentionsOfText.clear();
  const quoted = [...text.matchAll(/"([^"\n]{1,120})"/g)].map(([, phrase = '']) => phrase);
  const words = (text.match(/[\p{L}\p{N}][\p{L}\p{N}_@.:/+-]*/gu) ?? []).map((word) =>
    word.replace(/[.:/+-]+$/, ''),
  );
  const numbers = words.flatMap((word) => (/^-?\d+(?:\.\d+)?$/.test(word) ? [Number(word)] : []));
  const mentions = {
    quoted: [...new Set(quoted)],
    numbers: [...new Set(numbers)],
    words: [...new Set(words)],
  };
  mentionsOfText.set(text, mentions);
  return mentions;
}

/** The words of a field's name: `total_price` has `total` and `price`. */
export const fieldWords = (name: string): readonly string[] => name.toLowerCase().split('_');

export type SavedValues = Readonly<Record<string, readonly Leaf[]>>;
