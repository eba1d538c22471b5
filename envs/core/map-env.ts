import type { z } from 'zod';
import type { EnvDefinition, EnvHost, EnvId } from './env.ts';

/** The host with some members changed. It has every other member of `host`, also members that this version does not know. */
export function mapHost<Obs, Act>(
  host: EnvHost<Obs, Act>,
  changes: Partial<EnvHost<Obs, Act>>,
): EnvHost<Obs, Act> {
  return change(mapMembers(host, asItIs), changes);
}

/** The definition with some members changed. It has every other member of `definition`, also members that this version does not know. */
export function mapDefinition<Id extends EnvId, Config extends z.ZodType, Obs, Act>(
  definition: EnvDefinition<Id, Config, Obs, Act>,
  changes: Partial<EnvDefinition<Id, Config, Obs, Act>>,
): EnvDefinition<Id, Config, Obs, Act> {
  return change(mapMembers(definition, asItIs), changes);
}

const asItIs = (_name: string, value: unknown): unknown => value;

function change<T extends object>(copy: T, changes: Partial<T>): T {
  return Object.defineProperties(copy, Object.getOwnPropertyDescriptors(changes));
}

/**
 * A copy of an object in which each member has the value that `map` returns for it. Methods are bound to the
 * original, so that its private members work. Members of the object's classes are included. Each member is
 * read once, on first access.
 *
 * @param map must keep the type of each member
 */
export function mapMembers<T extends object>(original: T, map: (name: string, value: unknown) => unknown): T {
  const copy = {};
  for (const name of memberNames(original)) {
    const read = (): unknown => {
      const value: unknown = map(name, bound(original, Reflect.get(original, name)));
      Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
      return value;
    };
    Object.defineProperty(copy, name, { get: read, enumerable: true, configurable: true });
  }
  return copy as T; // `map` promises to keep the types
}

function bound(object: object, value: unknown): unknown {
  return typeof value === 'function' ? (value.bind(object) as unknown) : value;
}

/** The names of an object's members, its own and those of its classes. */
export function memberNames(object: object): ReadonlySet<string> {
  const names = new Set<string>();
  for (
    let holder: object | null = object;
    holder !== null && holder !== Object.prototype;
    holder = Reflect.getPrototypeOf(holder)
  ) {
    for (const name of Object.getOwnPropertyNames(holder)) names.add(name);
  }
  names.delete('constructor');
  return names;
}
