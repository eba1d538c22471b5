import { nearest, didYouMean } from '../../core/near-miss.ts';
import { flawIn, type Source } from './source.ts';

/** One type, or any of several (`either`); none: nothing is of it. */
export interface TypeRef {
  readonly names: readonly string[];
}

/** The type that everything is of. */
export const rootType = 'object';

/** The types of a domain. */
export class TypeTree {
  readonly #parents: ReadonlyMap<string, readonly string[]>;
  readonly #ancestors = new Map<string, ReadonlySet<string>>();

  /** `parents` of each declared type; the root need not be among them. */
  constructor(parents: ReadonlyMap<string, readonly string[]>) {
    this.#parents = new Map([...parents, [rootType, []]]);
  }

  has(name: string): boolean {
    return this.#parents.has(name);
  }

  /** True when everything that is of the one type is of the other, too. */
  isWithin(name: string, ancestor: string): boolean {
    return ancestor === rootType || this.#ancestorsOf(name).has(ancestor);
  }

  /** The type itself and all that it is within. */
  #ancestorsOf(name: string): ReadonlySet<string> {
    const known = this.#ancestors.get(name);
    if (known !== undefined) return known;
    const found = new Set([name]);
    for (const next of found) for (const parent of this.#parents.get(next) ?? []) found.add(parent); // what is added is gone through, too
    this.#ancestors.set(name, found);
    return found;
  }

  /** True when something of that type may stand where `wanted` is asked for. */
  fits(type: TypeRef, wanted: TypeRef): boolean {
    return type.names.some((name) => wanted.names.some((ancestor) => this.isWithin(name, ancestor)));
  }

  /**
   * The type of those names. A name that only lacks a comma to be known, as in `?l - location, ?r - receptacle`, is a type that nothing is
   * of: so Fast Downward reads it, and ALFWorld's domain relies on it.
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
