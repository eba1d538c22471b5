/** A place of a query: the same name and type, the same object. */
export interface Placeholder {
  readonly name: string;
  /** A placeholder without a type has its name for one. */
  readonly type: string;
}

/** `predicate(a:agent, l:location)`; with `not_` before the name it asks whether the fact was made false by an action. */
export interface QueryAtom {
  readonly predicate: string;
  readonly placeholders: readonly Placeholder[];
}

const atomPattern = /^(?<name>!?[\w/]+)\s*\((?<terms>[^()]*)\)$/;
const termPattern = /^(?<name>[\w']+)(?:\s*:\s*(?<type>[\w/-]+))?$/;

/** Reads atoms joined by `&`; undefined when the text is none. There is no other operator. */
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
