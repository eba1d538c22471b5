import { isDeepStrictEqual } from 'node:util';

/** The content of a JSON object, not validated. */
export type Tree = Readonly<Record<string, unknown>>;

/** The tree that holds only this value, at this path. */
export function atPath(path: readonly string[], value: unknown): Tree {
  const [name = '', ...rest] = path;
  return { [name]: rest.length === 0 ? value : atPath(rest, value) };
}

/**
 * Merges two trees, object by object and key by key; `over` wins. An object replaces an object of another `kind` as a whole, because the keys of
 * the old one belong to the old kind.
 */
export function merge(under: Tree, over: Tree): Tree {
  const merged: Record<string, unknown> = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const before = Object.hasOwn(merged, name) ? merged[name] : undefined;
    const deeper =
      isTree(before) &&
      isTree(value) &&
      !(Object.hasOwn(value, 'kind') && Object.hasOwn(before, 'kind') && value['kind'] !== before['kind']);
    Object.defineProperty(merged, name, {
      value: deeper ? merge(before, value) : value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return merged;
}

/** Path of the first key that has different values in both trees; undefined if they can be merged without a loss. */
export function clashOf(first: Tree, second: Tree): readonly string[] | undefined {
  for (const [name, value] of Object.entries(first)) {
    if (!Object.hasOwn(second, name)) continue;
    const other = second[name];
    if (isTree(value) && isTree(other)) {
      const below = clashOf(value, other);
      if (below !== undefined) return [name, ...below];
    } else if (!isDeepStrictEqual(value, other)) return [name];
  }
  return undefined;
}

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
