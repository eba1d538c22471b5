import { isDeepStrictEqual } from 'node:util';
import { valueAt } from '../../envs/core/config-keys.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { parseJson, PrototypeKeyError } from './parse-json.ts';

/** What a JSON object holds, unchecked. */
export type Tree = Readonly<Record<string, unknown>>;

/** How each flag that assigns is written. */
const exampleOf = {
  '--set': 'key=value, such as --set size=5',
  '--with': 'path=value, such as --with update.clipHigh=0.3',
  '--request-field': 'path=value, such as --request-field reasoning_effort=low',
};

/**
 * `["size=5", "room.kind=kitchen"]` as `{ size: 5, room: { kind: 'kitchen' } }`: values are JSON where they can be read so, else
 * text.
 * @throws UsageError where one assigns nothing, or two assign different values to one key
 */
export function readAssignments(flag: keyof typeof exampleOf, given: readonly string[] | Tree): Tree {
  if (!isList(given)) return given;
  let tree: Tree = {};
  for (const assignment of given) {
    const split = assignment.indexOf('=');
    const path = assignment.slice(0, Math.max(split, 0)).split('.');
    if (path.includes('')) {
      throw new UsageError({
        where: `${flag} ${assignment}`,
        what: split < 0 ? 'it assigns nothing.' : 'it names no key.',
        mend: `Write it as ${exampleOf[flag]}.`,
      });
    }
    if (path.includes('__proto__'))
      throw new UsageError({
        where: `${flag} ${assignment}`,
        what: `${new PrototypeKeyError().message}.`,
        mend: 'Take that key out.',
      });
    const assigned = atPath(path, readValue(assignment.slice(split + 1), `${flag} ${assignment}`));
    refuseSecond(flag, tree, assigned);
    tree = merge(tree, assigned);
  }
  return tree;
}

/** Of two values one would be left out, and nobody would know which. */
function refuseSecond(flag: string, before: Tree, assigned: Tree): void {
  const clash = clashOf(before, assigned);
  if (clash === undefined) return;
  const [first, second] = [before, assigned].map((tree) => JSON.stringify(valueAt(tree, clash)));
  throw new UsageError({
    where: `${flag} ${clash.join('.')}`,
    what: `it is given twice, as ${first} and as ${second}.`,
    mend: 'Give it once.',
  });
}

const isList = (given: readonly string[] | Tree): given is readonly string[] => Array.isArray(given);

function readValue(text: string, where: string): unknown {
  try {
    return parseJson(text);
  } catch (thrown) {
    if (thrown instanceof PrototypeKeyError)
      throw new UsageError(
        { where, what: `${thrown.message}.`, mend: 'Take that key out.' },
        { cause: thrown },
      );
    return text;
  }
}

/** The tree that holds the value at that path and nothing else. */
export function atPath(path: readonly string[], value: unknown): Tree {
  const [name = '', ...rest] = path;
  return { [name]: rest.length === 0 ? value : atPath(rest, value) };
}

/**
 * `over` laid over `under`, objects key by key. Where an object of another `kind` comes, nothing of the old one stays: its keys
 * belong to the old kind.
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

/** Path of the first key to which the two give different values; undefined where one can be laid over the other and nothing is lost. */
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
