import { valueAt } from '../../envs/core/config-keys.ts';
import { atPath, clashOf, merge, type Tree } from '../../envs/core/config-tree.ts';
import { UsageError } from '../../envs/core/errors.ts';
import { parseJson, PrototypeKeyError } from './config-file.ts';

/** The form of each flag that assigns. */
const exampleOf = {
  '--agent-option': 'key=value, such as --agent-option model=small',
  '--set': 'key=value, such as --set size=5',
  '--with': 'path=value, such as --with update.clipHigh=0.3',
  '--request-field': 'path=value, such as --request-field reasoning_effort=low',
};

/**
 * Parses `["size=5", "room.kind=kitchen"]` to `{ size: 5, room: { kind: 'kitchen' } }`. Values are JSON if
 * they can be parsed, otherwise text.
 * @throws UsageError if one assigns nothing, or two assign different values to one key
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
        what: split < 0 ? 'it has no "=".' : 'it has no key.',
        fix: `Write it as ${exampleOf[flag]}.`,
      });
    }
    if (path.includes('__proto__'))
      throw new UsageError({
        where: `${flag} ${assignment}`,
        what: `${new PrototypeKeyError().message}.`,
        fix: 'Remove that key.',
      });
    const assigned = atPath(path, readValue(assignment.slice(split + 1), `${flag} ${assignment}`));
    refuseSecond(flag, tree, assigned);
    tree = merge(tree, assigned);
  }
  return tree;
}

/** Of two values one would be ignored, and which one would be unclear. */
function refuseSecond(flag: string, before: Tree, assigned: Tree): void {
  const clash = clashOf(before, assigned);
  if (clash === undefined) return;
  const [first, second] = [before, assigned].map((tree) => JSON.stringify(valueAt(tree, clash)));
  throw new UsageError({
    where: `${flag} ${clash.join('.')}`,
    what: `it is given twice, as ${first} and as ${second}.`,
    fix: 'Give it once.',
  });
}

const isList = (given: readonly string[] | Tree): given is readonly string[] => Array.isArray(given);

function readValue(text: string, where: string): unknown {
  try {
    return parseJson(text);
  } catch (thrown) {
    if (thrown instanceof PrototypeKeyError)
      throw new UsageError({ where, what: `${thrown.message}.`, fix: 'Remove that key.' }, { cause: thrown });
    return text;
  }
}
