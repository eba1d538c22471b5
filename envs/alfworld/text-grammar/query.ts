/** A placeholder of a query. Equal name and type mean the same object. */
export interface Placeholder {
  readonly name: string;
  /** A placeholder without a type has its name as its type. */
  readonly type: string;
}

/**
 * `predicate(a:agent, l:location)`. With `not_` before the name it asks whether an action made the fact
 * false.
 */
export interface QueryAtom {
  readonly predicate: string;
  readonly placeholders: readonly Placeholder[];
}

const atomPattern = /^(?<name>!?[\w/]+)\s*\((?<terms>[^()]*)\)$/;
const termPattern = /^(?<name>[\w']+)(?:\s*:\s*(?<type>[\w/-]+))?$/;

/** Parses atoms joined by `&`; undefined for anything else. There is no other operator. */
export function parseQuery(text: string): readonly QueryAtom[] | undefined {
  const atoms = text.split('&').map(parseQueryAtom);
  return atoms.every((atom) => atom !== undefined) ? atoms : undefined;
}

function parseQueryAtom(text: string): QueryAtom | undefined {
  const groups = atomPattern.exec(text.trim())?.groups;
  if (groups === undefined) return undefined;
  const inner = (groups['terms'] as string).trim();
  const terms = inner === '' ? [] : inner.split(',').map((term) => termPattern.exec(term.trim())?.groups);
  if (terms.some((term) => term === undefined)) return undefined;
  return {
    predicate: groups['name'] as string,
    placeholders: terms.map((term) => ({
      name: term?.['name'] as string,
      type: term?.['type'] ?? (term?.['name'] as string),
    })),
  };
}
