import { z } from 'zod';
import type { AnyEnvDefinition, EnvId } from './core/env.ts';
import { UsageError } from './core/errors.ts';
import { describeIssues } from './core/issues.ts';
import { nearest } from './core/near-miss.ts';
import { isEnvId } from './core/registry.ts';
import { importOwnModule, locateModule, readable, type ImportOptions } from './own-module.ts';

export interface LoadOptions extends ImportOptions {
  /** The folder for relative paths and package names. Default: the working folder. */
  readonly from?: string;
  /** Ids that are already in use. */
  readonly taken?: readonly string[];
}

/** The advice for an env module whose import takes too long. */
export const idleOfEnvs = 'move the work into `open` of the env';

/**
 * Loads the env definitions that a user's module exports as `environments`. `file` is a path, a file URL or
 * the name of an installed package. TypeScript needs no build. Inside the module `cairn-gym/envs` resolves to
 * this build, so classes and brands are the same. `zod` resolves to ours where the module has none of its
 * own.
 *
 * @throws UsageError that says what is wrong with the module and where
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
        ? 'it has no named exports'
        : `it exports ${names.join(', ')} but no \`environments\``;
    const rename =
      near === undefined ? fix : `Rename ${near} to environments: an array of what defineEnv returns.`;
    throw new UsageError({ where, what: `${what}.`, fix: rename });
  }
  if (!Array.isArray(environments) || environments.length === 0) {
    throw new UsageError({
      where,
      what: `its \`environments\` ${Array.isArray(environments) ? 'is empty' : 'must be an array'}.`,
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
    what: parsed.success ? 'it is not an env definition.' : `${describeIssues(parsed.error)}.`,
    fix: 'Create it with defineEnv, so that the compiler checks each key.',
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

/** The parts of a definition that can be validated without opening it. */
const data = z.looseObject({}).optional();
const definitionParts = {
  id: z.string(),
  summary: z.string(),
  config: schema,
  observation: schema,
  action: schema,
  deterministic: z.boolean(),
  text: z.looseObject({
    observation: method,
    action: method,
    parse: method,
    features: method.optional(),
    target: method.optional(),
  }),
  feedback: z.string().min(1).optional(),
  turnLimit: method.optional(),
  open: method,
  // plain data, which its reader validates
  recipes: data,
  bench: data,
  unchecked: data,
  catalogue: data,
} satisfies Readonly<Record<keyof AnyEnvDefinition, z.ZodType>>;
const definitionShape = z.strictObject(definitionParts);

function assertIds(definitions: readonly AnyEnvDefinition[], where: string, taken: readonly string[]): void {
  for (const [index, { id }] of definitions.entries()) {
    const fault = idFault(id, definitions.slice(0, index), taken);
    if (fault !== undefined) throw new UsageError({ where: `${where}, environments[${index}]`, ...fault });
  }
}

/** The valid id that is nearest to `id`. */
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
    const what = `the id "${id}" has no scope. Ids without a scope are reserved for built-in environments.`;
    return { what, fix: `Add a scope of your own, such as "${wellFormed(`my-lab/${id}`)}".` };
  }
  if (!isEnvId(id))
    return {
      what: `the id "${id}" is malformed.`,
      fix: `Use a form like "${wellFormed(id)}": a scope, a slash, lower-case words joined by hyphens, and a version.`,
    };
  const twin = before.findIndex((other) => other.id === id);
  if (twin >= 0)
    return {
      what: `the id "${id}" is also the id of environments[${twin}].`,
      fix: 'Give one of them another name or version.',
    };
  if (!taken.includes(id)) return undefined;
  return {
    what: `the id "${id}" is already registered.`,
    fix: 'Give it another name or version, or load the module once.',
  };
}
