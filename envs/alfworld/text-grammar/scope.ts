import type { Placeholder } from './query.ts';

const keyOf = ({ name, type }: Placeholder): string => `${name}:${type}`;

/** The slots of the frame for the entities that a text is about. */
export class TextScope {
  readonly #places: ReadonlyMap<string, number>; // by name and type
  readonly #names: ReadonlyMap<string, number>; // by name alone: the newest of that name

  constructor(placeholders: readonly Placeholder[] = []) {
    this.#places = new Map(placeholders.map((placeholder, slot) => [keyOf(placeholder), slot]));
    this.#names = new Map(placeholders.map(({ name }, slot) => [name, slot]));
  }

  /** The number of used slots; the next slot is free. */
  get size(): number {
    return this.#places.size;
  }

  /** Equal for scopes in which texts compile alike. */
  get signature(): string {
    return [...this.#places.keys()].join(' ');
  }

  /** The slot of a placeholder; undefined where a query must find a value first. */
  placeOf(placeholder: Placeholder): number | undefined {
    return this.#places.get(keyOf(placeholder));
  }

  /** The slot of a variable of an expression. */
  variable(name: string): number | undefined {
    return this.#names.get(name);
  }

  get variables(): readonly string[] {
    return [...this.#names.keys()];
  }

  with(placeholder: Placeholder): TextScope {
    const all = [...this.#places.keys(), keyOf(placeholder)].map((key): Placeholder => {
      const [name = '', type = ''] = key.split(':');
      return { name, type };
    });
    return new TextScope(all);
  }
}
