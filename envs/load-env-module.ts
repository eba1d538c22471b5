import { z } from 'zod';
import type { AnyEnvDefinition, EnvId } from './core/env.ts';
import { UsageError } from './core/errors.ts';
import { describeIssues } from './core/issues.ts';
import { nearest } from './core/near-miss.ts';
import { isEnvId } from './core/registry.ts';
import { importOwnModule, locateModule, readable, type ImportOptions } from './own-module.ts';

export interface LoadOptions extends ImportOptions {
  /** Folder that relative paths and package names start from; the working folder when left out. */
  readonly from?: string;
  /** Ids that are taken already. */
  readonly taken?: readonly string[];
}

/** Where what an env needs belongs. */
export const idleOfEnvs = 'what an env needs belongs in its `open`';

/**
 * Loads the env definitions that a user's own module exports as `environments`. `file` is a path, a file URL or the name
 * of an installed package; TypeScript needs no build. Inside it, `cairn-gym/envs` is this very build, so classes and brands
 * are one and the same, and `zod` is ours where it has none of its own.
 *
 * @throws UsageError that says in one paragraph what is wrong with the module and where.
 */
export async function loadEnvModule(
  file: string,
  options: LoadOptions = {},
): Promise<readonly AnyEnvDefinition[]> {
  const where = `env module "${file}"`;
  const loaded = await importOwnModule(locateModule(file, where, options.from), where, {
    ...options,
    idle: idleOfEnvs,
  });
  return readDefinitions(loaded, where, options.taken ?? []);
}

const fix = 'Export `environments`: an array of what defineEnv returns.';

function readDefinitions(
  loaded: unknown,
  where: string,
  taken: readonly string[],
): readonly AnyEnvDefinition[] {
  const exported = typeof loaded === 'object' && loaded !== null ? loaded : {};
  const environments = readable(where, (): unknown =>
    'environments' in exported ? exported.environments : undefined,
  );
  if (environments === undefined) {
    const names = Object.keys(exported).filter((name) => name !== 'default');
    const [near] = nearest('environments', names);
    const what =
      names.length === 0
        ? 'it exports nothing by name'
        : `it exports ${names.join(', ')} but no \`environments\``;
    const rename =
      near === undefined ? fix : `Rename ${near} to environments: an array of what defineEnv returns.`;
    throw new UsageError({ where, what: `${what}.`, fix: rename });
  }
  if (!Array.isArray(environments) || environments.length === 0) {
    throw new UsageError({
      where,
      what: `its \`environments\` is ${Array.isArray(environments) ? 'empty' : 'no array'}.`,
      fix,
    });
  }
  const definitions = (environments as readonly unknown[]).map((candidate, index) => {
    const place = `${where}, environments[${index}]`;
    return readable(place, () => readDefinition(candidate, place));
  });
  assertIds(definitions, where, taken);
  return definitions;
}

function readDefinition(candidate: unknown, where: string): AnyEnvDefinition {
  if (isDefinition(candidate)) return candidate;
  const parsed = definitionShape.safeParse(candidate);
  throw new UsageError({
    where,
    what: parsed.success ? 'it is no env definition.' : `${describeIssues(parsed.error)}.`,
    fix: 'Make it with defineEnv, which has the compiler check each key.',
  });
}

const isDefinition = (candidate: unknown): candidate is AnyEnvDefinition =>
  definitionShape.safeParse(candidate).success;

const method = z.custom<(...args: never) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
);
const schema = z.custom<z.ZodType>(
  (value) => typeof value === 'object' && value !== null && '_zod' in value && 'safeParse' in value,
  'must be a schema made with zod 4',
);

/** What can be said of a definition without opening it. */
const data = z.looseObject({}).optional();
const definitionShape = z.strictObject({
  id: z.string(),
  summary: z.string(),
  config: schema,
  observation: schema,
  action: schema,
  deterministic: z.boolean(),
  text: z.looseObject({ observation: method, action: method, parse: method }),
  turnLimit: method.optional(),
  open: method,
  // Plain data: who reads it validates it.
  recipes: data,
  bench: data,
  unchecked: data,
});

function assertIds(definitions: readonly AnyEnvDefinition[], where: string, taken: readonly string[]): void {
  for (const [index, { id }] of definitions.entries()) {
    const fault = idFault(id, definitions.slice(0, index), taken);
    if (fault !== undefined) throw new UsageError({ where: `${where}, environments[${index}]`, ...fault });
  }
}

/** The id nearest to `id` that would be taken. */
function wellFormed(id: string): string {
  const [scope = '', ...rest] = id.split('/').map((part) =>
    part
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, ''),
  );
  const words = rest.filter((part) => part !== '').join('-');
  const [, name = words, version = '1'] = /^(.*?)-?v0*([1-9]\d*)$/.exec(words) ?? [];
  const near = `${scope}/${name}-v${version}`;
  return isEnvId(near) && near.length <= 100 ? near : 'my-lab/maze-v1';
}

function idFault(
  id: EnvId,
  before: readonly AnyEnvDefinition[],
  taken: readonly string[],
): { readonly what: string; readonly fix: string } | undefined {
  if (!id.includes('/')) {
    const what = `the id "${id}" has no scope, and bare ids are kept for the envs that come with cairn.`;
    return { what, fix: `Put a name of yours before it, such as "${wellFormed(`my-lab/${id}`)}".` };
  }
  if (!isEnvId(id))
    return {
      what: `the id "${id}" is malformed.`,
      fix: `Write it like "${wellFormed(id)}": lower-case words joined by hyphens, a scope before one slash, and a version.`,
    };
  const twin = before.findIndex((other) => other.id === id);
  if (twin >= 0)
    return {
      what: `the id "${id}" is that of environments[${twin}].`,
      fix: 'Give one of the two another name or version.',
    };
  if (!taken.includes(id)) return undefined;
  return {
    what: `the id "${id}" is registered already.`,
    fix: 'Give it another name or version, or load the module once.',
  };
}
