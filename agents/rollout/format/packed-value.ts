/**
 * Values that the trajectory format knows nothing about (observations, actions, configs), written as JSON beside a table of
 * the strings of their line, so that a long text is written once however often it is seen.
 *
 * `{"$": 3}` is string 3 of the table and `{"$": "undefined"}` is undefined, which JSON has no word for. So that nothing
 * else can look like them, a key that begins with `$` is written with one more. Negative zero is written as zero.
 */

const shortestInterned = 8; // what is shorter costs no more in place

/** Collects the strings of one line. */
export class StringTable {
  readonly #places = new Map<string, number>();
  /** Arrays and objects within each other, at most, from the line itself to the innermost of the values packed so far. */
  deepest = 0;

  /** The strings by place. */
  get strings(): readonly string[] {
    return [...this.#places.keys()];
  }

  /** The place of a text that a mark stands for, within `depth` arrays and objects; undefined when it is short enough to stand there itself. */
  placeOfLong(text: string, depth: number): number | undefined {
    if (text.length < shortestInterned) return undefined;
    this.deepest = Math.max(this.deepest, depth + 1);
    return this.place(text);
  }

  /** The place of `text`, which is added when it is new. */
  place(text: string): number {
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    this.#places.set(text, this.#places.size);
    return this.#places.size - 1;
  }
}

/** A value's place in its line: in words, and by how many arrays and objects are around it. */
export interface ValuePlace {
  readonly at: string;
  readonly depth: number;
}

const outermost: ValuePlace = { at: '$', depth: 0 };

/** The packed form of `value`. Throws a `TypeError` that says where it holds something that cannot be stored. */
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
  return Object.fromEntries(entries); // not assignment: `__proto__` must become a key like any other
}

/** The value of a packed form. Throws a `TypeError` on what {@link packValue} never writes. */
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
