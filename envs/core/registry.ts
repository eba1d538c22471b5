import type { AnyEnvDefinition } from './env.ts';
import { UsageError } from './errors.ts';
import { isMixtureId } from './mixture-name.ts';
import { nearest } from './near-miss.ts';

const idPattern = /^(?:[a-z0-9][a-z0-9-]*\/)?[a-z0-9][a-z0-9-]*-v[1-9]\d*$/;

/** A set of env definitions by id: `createRegistry([...builtInEnvs, mine])`. It is a value; no module registers itself. */
export interface Registry<Definitions extends readonly AnyEnvDefinition[]> {
  readonly definitions: Definitions;
  /** Returns the definition of a literal id, with its exact type. */
  get<Id extends Definitions[number]['id']>(id: Id): Extract<Definitions[number], { readonly id: Id }>;
  /** Finds a definition by any text; an id without `-vN` means the newest version. Throws a `UsageError` with near misses. */
  find(id: string): AnyEnvDefinition;
}

/** Creates a registry. Throws a `UsageError` for malformed and duplicate ids. */
export function createRegistry<const Definitions extends readonly AnyEnvDefinition[]>(
  definitions: Definitions,
): Registry<Definitions> {
  const byId = new Map<string, AnyEnvDefinition>();
  for (const definition of definitions) {
    assertId(definition.id);
    if (byId.has(definition.id)) {
      throw new UsageError({
        where: `env registry`,
        what: `the id "${definition.id}" is registered twice.`,
        fix: 'Give one of them another name or version.',
      });
    }
    byId.set(definition.id, definition);
  }
  const find = (id: string): AnyEnvDefinition => byId.get(id) ?? newest(byId, id) ?? unknownId(byId, id);
  return {
    definitions,
    find,
    get: <Id extends Definitions[number]['id']>(id: Id) =>
      find(id) as Extract<Definitions[number], { readonly id: Id }>,
  };
}

/** True for `maze-v1` and `my-lab/maze-v1`. */
export const isEnvId = (id: string): boolean => idPattern.test(id);

function assertId(id: string): void {
  if (isEnvId(id) || isMixtureId(id)) return;
  throw new UsageError({
    where: `env id "${id}"`,
    what: 'an id must be lower-case words joined by hyphens, then a version. A scope before a slash is optional.',
    fix: 'Use a form like "maze-v1" or "my-lab/maze-v1".',
  });
}

const versionOf = (id: string): number => Number(id.slice(id.lastIndexOf('-v') + 2));
const bareName = (id: string): string => id.slice(0, id.lastIndexOf('-v'));

function newest(byId: ReadonlyMap<string, AnyEnvDefinition>, name: string): AnyEnvDefinition | undefined {
  const versions = [...byId.keys()]
    .filter((id) => bareName(id) === name)
    .toSorted((a, b) => versionOf(b) - versionOf(a));
  return versions[0] === undefined ? undefined : byId.get(versions[0]);
}

function unknownId(byId: ReadonlyMap<string, AnyEnvDefinition>, id: string): never {
  const near = nearest(id, [...byId.keys(), ...new Set([...byId.keys()].map(bareName))]);
  throw new UsageError({
    where: `env "${id}"`,
    what: 'this environment does not exist.',
    fix:
      near.length > 0
        ? `Did you mean ${near.join(' or ')}? \`npx cairn-gym envs\` lists all.`
        : `There are ${[...byId.keys()].join(', ')}. Load your own with --env-module FILE.`,
  });
}
