/**
 * Stores values of unknown type (observations, actions, configs) as JSON. Long strings go into a table of the
 * line, so that each is written once.
 *
 * `{"$": 3}` is string 3 of the table. `{"$": "undefined"}` is undefined, which JSON cannot express. A key
 * that begins with `$` is written with one more `$`, so that a value cannot be mistaken for such a mark.
 * Negative zero is written as zero.
 */

const shortestInterned = 8; // shorter strings cost no more in place

/** Collects the strings of one line. */
export class StringTable {
  readonly #places = new Map<string, number>();
  /** Deepest nesting of the values packed so far, counted from the line itself. */
  deepest = 0;

  /** The strings, by position. */
  get strings(): readonly string[] {
    return [...this.#places.keys()];
  }

  /**
   * The position of a text that a mark refers to, within `depth` arrays and objects. Undefined if the text is
   * short enough to be written in place.
   */
  placeOfLong(text: string, depth: number): number | undefined {
    if (text.length < shortestInterned) return undefined;
    this.deepest = Math.max(this.deepest, depth + 1);
    return this.place(text);
  }

  /** The position of `text`; a new text is added. */
  place(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.#places.size);
    return this.#places.size - 1;
  }
}

/** Where a value is in its line: a name, and how many arrays and objects enclose it. */
export interface ValuePlace {
  readonly at: string;
  readonly depth: number;
}

const outermost: ValuePlace = { at: '$', depth: 0 };

/** Packs `value`. @throws TypeError that names the location of a value that cannot be stored */
export function packValue(
  value: unknown,
  table: StringTable,
  { at, depth }: ValuePlace = outermost,
): unknown {
  switch (typeof value) {
    case 'undefined':
      table.deepest = Math.max(table.deepest, depth + 1);
      return { $: 'undefined' };
    case 'string': {
      const place = table.placeOfLong(value, depth);
      return place === undefined ? value : { $: place };
    }
    case 'boolean':
      return value;
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${at} is ${value}, which cannot be stored`);
      return value;
    case 'object':
      return packObject(value, table, { at, depth });
    default:
      throw new TypeError(`${at} is a ${typeof value}, which cannot be stored`);
  }
}

function packObject(value: object | null, table: StringTable, { at, depth: outside }: ValuePlace): unknown {
  if (value === null) return value;
  const depth = outside + 1;
  table.deepest = Math.max(table.deepest, depth);
  if (Array.isArray(value))
    return value.map((item: unknown, index) => packValue(item, table, { at: `${at}[${index}]`, depth }));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`${at} is a ${value.constructor.name}, which cannot be stored`);
  }
  const entries = Object.entries(value).map(
    ([key, item]) => [escapeKey(key), packValue(item, table, { at: `${at}.${key}`, depth })] as const,
  );
  return Object.fromEntries(entries); // not assignment: `__proto__` must become an ordinary key
}

/** Unpacks a value. @throws TypeError for input that {@link packValue} never writes */
export function unpackValue(packed: unknown, strings: readonly string[]): unknown {
  if (typeof packed !== 'object' || packed === null) return packed;
  if (Array.isArray(packed)) return packed.map((item: unknown) => unpackValue(item, strings));
  if (Object.hasOwn(packed, '$')) return unpackMark((packed as { readonly $: unknown }).$, strings);
  return Object.fromEntries(
    Object.entries(packed).map(([key, item]) => [unescapeKey(key), unpackValue(item, strings)]),
  );
}

function unpackMark(mark: unknown, strings: readonly string[]): string | undefined {
  if (mark === 'undefined') return undefined;
  if (typeof mark !== 'number') throw new TypeError(`there is no mark ${JSON.stringify(mark)}`);
  return stringAt(mark, strings);
}

/** String `place` of the table. */
export function stringAt(place: number, strings: readonly string[]): string {
  const text = strings[place];
  if (text === undefined) throw new TypeError(`there is no string ${place} in a table of ${strings.length}`);
  return text;
}

const escapeKey = (key: string): string => (key.startsWith('$') ? `$${key}` : key);
const unescapeKey = (key: string): string => (key.startsWith('$') ? key.slice(1) : key);
