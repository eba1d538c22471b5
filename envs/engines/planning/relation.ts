/** The values of the free position, by the code of the values of the bound positions. */
export interface RelationIndex {
  /** Ascending; empty where nothing matches. */
  matches(frame: Int32Array): Int32Array;
  /** The average number of matches of a code that has any. */
  readonly average: number;
}

const nothing = new Int32Array();

/** The facts of a predicate that no action changes, as tuples of object numbers. */
export class Relation {
  readonly arity: number;
  /** Ascending, compared from the first position on. */
  readonly tuples: readonly (readonly number[])[];
  readonly #objects: number;
  readonly #codes: ReadonlySet<number>;
  readonly #lists = new Map<string, ReadonlyMap<number, Int32Array>>(); // by positions: the free one, then the bound ones
  readonly #values: (ReadonlySet<number> | undefined)[] = []; // (positions)

  /** @param objects the number of objects */
  constructor(arity: number, tuples: readonly (readonly number[])[], objects: number) {
    this.arity = arity;
    this.#objects = objects;
    this.tuples = tuples.toSorted(compareTuples);
    this.#codes = new Set(tuples.map((tuple) => this.#code(tuple)));
  }

  /** Whether the relation holds for the values in these slots of the frame. */
  holds(frame: Int32Array, slots: readonly number[]): boolean {
    let code = 0;
    for (let position = 0; position < slots.length; position += 1)
      code = code * this.#objects + (frame[slots[position] as number] as number);
    return this.#codes.has(code);
  }

  /**
   * The values that one position can have, given those of some others. `bound` pairs positions with slots of
   * the frame.
   */
  index(free: number, bound: readonly { readonly position: number; readonly slot: number }[]): RelationIndex {
    const arrays = this.#listsOf(
      free,
      bound.map(({ position }) => position),
    );
    const objects = this.#objects;
    const slots = bound.map(({ slot }) => slot);
    return {
      average: this.tuples.length / Math.max(1, arrays.size),
      matches: (frame) => {
        let code = 0;
        for (let at = 0; at < slots.length; at += 1)
          code = code * objects + (frame[slots[at] as number] as number);
        return arrays.get(code) ?? nothing;
      },
    };
  }

  /** The objects that occur at a position. */
  valuesAt(position: number): ReadonlySet<number> {
    return (this.#values[position] ??= new Set(this.tuples.map((tuple) => tuple[position] as number)));
  }

  #listsOf(free: number, bound: readonly number[]): ReadonlyMap<number, Int32Array> {
    const key = [free, ...bound].join(' ');
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const lists = new Map<number, number[]>();
    for (const tuple of this.tuples) {
      const code = this.#code(bound.map((position) => tuple[position] as number));
      const list = lists.get(code);
      const value = tuple[free] as number;
      if (list === undefined) lists.set(code, [value]);
      else list.push(value);
    }
    const arrays = new Map([...lists].map(([code, list]) => [code, Int32Array.from(new Set(list)).sort()]));
    this.#lists.set(key, arrays);
    return arrays;
  }

  #code(values: readonly number[]): number {
    return values.reduce((code, value) => code * this.#objects + value, 0);
  }
}

function compareTuples(a: readonly number[], b: readonly number[]): number {
  for (let position = 0; position < a.length; position += 1) {
    const difference = (a[position] as number) - (b[position] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
