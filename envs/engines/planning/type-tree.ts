import { nearest, didYouMean } from '../../core/near-miss.ts';
import { flawIn, type Source } from './source.ts';

/** One type, or a choice of several (`either`). With no type, no object belongs to it. */
export interface TypeRef {
  readonly names: readonly string[];
}

/** The type of every object. */
export const rootType = 'object';

/** The types of a domain. */
export class TypeTree {
  readonly #parents: ReadonlyMap<string, readonly string[]>;
  readonly #ancestors = new Map<string, ReadonlySet<string>>();

  /** @param parents the parents of each declared type; the root may be missing */
  constructor(parents: ReadonlyMap<string, readonly string[]>) {
    this.#parents = new Map([...parents, [rootType, []]]);
  }

  has(name: string): boolean {
    return this.#parents.has(name);
  }

  /** True when every object of the one type belongs to the other as well. */
  isWithin(name: string, ancestor: string): boolean {
    return ancestor === rootType || this.#ancestorsOf(name).has(ancestor);
  }

  /** The type itself and all its ancestors. */
  #ancestorsOf(name: string): ReadonlySet<string> {
    const known = this.#ancestors.get(name);
    if (known !== undefined) return known;
    const found = new Set([name]);
    // the loop also visits what it adds
    for (const next of found) for (const parent of this.#parents.get(next) ?? []) found.add(parent);
    this.#ancestors.set(name, found);
    return found;
  }

  /** True when an object of that type may be used where `wanted` is required. */
  fits(type: TypeRef, wanted: TypeRef): boolean {
    return type.names.some((name) => wanted.names.some((ancestor) => this.isWithin(name, ancestor)));
  }

  /**
   * Resolves type names. A name that would be known without a trailing comma, as in `?l - location, ?r -
   * receptacle`, is a type without objects. Fast Downward reads it this way, and ALFWorld's domain relies on
   * it.
   *
   * @throws UsageError for any other unknown name
   */
  resolve(names: readonly { readonly text: string; readonly at: number }[], source: Source): TypeRef {
    const known = names.filter(({ text, at }) => {
      if (this.has(text)) return true;
      if (text.endsWith(',') && this.has(text.slice(0, -1))) return false;
      const near = didYouMean(nearest(text, [...this.#parents.keys()]));
      throw flawIn(source, at, {
        what: `there is no type "${text}".`,
        fix: `${near}Declare it under :types.`,
      });
    });
    return { names: known.map(({ text }) => text) };
  }
}
