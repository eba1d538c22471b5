/** Any value that survives `JSON.stringify` and back unchanged. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * Writes JSON in canonical form: object keys sorted, no white space. Equal values have equal texts, so the text can be hashed.
 *
 * @throws TypeError for a value that JSON cannot represent: undefined, functions, NaN, infinities, class instances and cycles
 */
export function canonicalJson(value: unknown): string {
  return write(value, []);
}

/** The containers that are being written, outermost first, each with its current key. */
type Trail = { readonly container: object; key: string | number }[];

function write(value: unknown, trail: Trail): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      return Number.isFinite(value)
        ? JSON.stringify(value)
        : refuse(trail, `is ${value}, which JSON cannot hold`);
    case 'object':
      return value === null ? 'null' : writeContainer(value, trail);
    default:
      return refuse(
        trail,
        `is ${value === undefined ? 'undefined' : `a ${typeof value}`}, which JSON cannot hold`,
      );
  }
}

function writeContainer(container: object, trail: Trail): string {
  if (trail.some((outer) => outer.container === container)) refuse(trail, 'contains itself');
  const here: Trail[number] = { container, key: '' };
  trail.push(here);
  const parts: string[] = [];
  if (Array.isArray(container)) {
    for (const [index, item] of (container as readonly unknown[]).entries()) {
      here.key = index;
      parts.push(write(item, trail));
    }
  } else {
    for (const [key, item] of recordEntries(container, trail)) {
      here.key = key;
      parts.push(`${JSON.stringify(key)}:${write(item, trail)}`);
    }
  }
  trail.pop();
  return Array.isArray(container) ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

function recordEntries(value: object, trail: Trail): readonly (readonly [string, unknown])[] {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    const name = 'constructor' in value ? value.constructor.name : 'class instance';
    refuse(trail.slice(0, -1), `is a ${name}, which JSON cannot hold`);
  }
  const entries: [string, unknown][] = Object.entries(value);
  return entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}

function refuse(trail: Trail, what: string): never {
  const path = trail.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  throw new TypeError(`$${path} ${what}`);
}
