import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import * as zod from 'zod';
import type { AnyEnvDefinition, EnvId } from './core/env.ts';
import { abortable, openDeadline } from './core/context.ts';
import { messageOf, UsageError } from './core/errors.ts';
import { describeIssues } from './core/issues.ts';
import { nearest } from './core/near-miss.ts';
import { isEnvId } from './core/registry.ts';

const { z } = zod;

export interface LoadOptions {
  /** Folder that relative paths and package names start from; the working folder when left out. */
  readonly from?: string;
  /** Ids that are taken already. */
  readonly taken?: readonly string[];
  /** More modules of this build to hand in, such as `{ 'cairn-gym/agents': agents }`. */
  readonly modules?: Readonly<Record<string, object>>;
  /** Milliseconds that the import may take; 30 seconds unless given. Code that never yields cannot be stopped from here. */
  readonly deadlineMs?: number;
  /** Stops waiting for the import. */
  readonly signal?: AbortSignal;
}

const importMs = 30_000;

/**
 * Loads the env definitions that a user's own module exports as `environments`. `file` is a path, a file URL or the name
 * of an installed package; TypeScript needs no build. Inside it, `cairn-gym/envs` is this very build, so classes and brands
 * are one and the same, and `zod` is ours where it has none of its own.
 *
 * @throws UsageError that says in one paragraph what is wrong with the module and where.
 */
export async function loadEnvModule(file: string, options: LoadOptions = {}): Promise<readonly AnyEnvDefinition[]> {
  const where = `env module "${file}"`;
  const path = locate(file, options.from ?? process.cwd(), where);
  const loaded = await evaluate(path, options, where);
  return readDefinitions(loaded, where, options.taken ?? []);
}

function locate(file: string, from: string, where: string): string {
  const path = file.startsWith('file:') ? fileURLToPath(file) : resolve(from, file);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return entryOf(path, where);
  if (found !== undefined) return path;
  const looksLikePath = /^(?:file:|[./\\]|[A-Za-z]:)|\.[cm]?[jt]sx?$/.test(file);
  try {
    if (!looksLikePath) return createJiti(resolve(from, 'from')).esmResolve(file).replace(/^file:.*/, (url) => fileURLToPath(url));
  } catch {
    // said below
  }
  throw new UsageError({
    where,
    what: looksLikePath ? `there is no file ${path}.` : `there is no file ${path}, and no package "${file}" is installed there.`,
    mend: 'Give the path of a TypeScript or JavaScript file, from the folder that you run the command in.',
  });
}

/** The file that stands for a folder: the one that its package.json names, or its index. */
function entryOf(folder: string, where: string): string {
  const entry = createJiti(folder).esmResolve(folder, { try: true });
  if (entry !== undefined) return fileURLToPath(entry);
  throw new UsageError({
    where,
    what: `${folder} is a folder, and neither a package.json nor an index file in it says which module to load.`,
    mend: 'Give the path of a TypeScript or JavaScript file.',
  });
}

async function evaluate(path: string, { modules = {}, deadlineMs = importMs, signal }: LoadOptions, where: string): Promise<unknown> {
  const envs = await import('./index.ts'); // not at the top: the index exports this file
  const jiti = createJiti(path, {
    fsCache: false, // nothing is left on the disk of whoever runs this
    virtualModules: { 'cairn-gym/envs': envs, ...modules, ...(hasOwnZod(path) ? {} : { zod }) },
  });
  using deadline = openDeadline(signal ?? new AbortController().signal, { where: 'the import', ms: deadlineMs });
  try {
    return await abortable(deadline.signal, jiti.import(path));
  } catch (thrown) {
    if (signal?.aborted === true) throw thrown;
    if (deadline.signal.aborted) throw unfinished(where, deadlineMs);
    if (UsageError.is(thrown)) throw new UsageError({ ...thrown.parts, where: `${where}, ${thrown.parts.where}` }, { cause: thrown });
    const frame = firstFrameIn(path, thrown);
    throw new UsageError(
      {
        where,
        what: `it could not be imported: ${messageOf(thrown).replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')}${frame === undefined ? '' : ` (${frame})`}.`,
        mend: 'Mend the module: it has to load by itself, with nothing done at import but defining.',
      },
      { cause: thrown },
    );
  }
}

/** The error of a module whose import does not come to its end. */
export function unfinished(where: string, ms: number): UsageError {
  return new UsageError({
    where,
    what: `its import did not end within ${ms / 1000} s.`,
    mend: 'Let nothing wait or loop at the top of the module: what an env needs belongs in its `open`.',
  });
}

function hasOwnZod(path: string): boolean {
  try {
    createRequire(pathToFileURL(path)).resolve('zod');
    return true;
  } catch {
    return false;
  }
}

/** `at maze.ts:3:7`: where in the user's own files an error arose; of a first line the line alone, for there jiti's own words stand before. */
function firstFrameIn(path: string, thrown: unknown): string | undefined {
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  const folder = dirname(path);
  const frame = stack.split('\n').find((line) => /^\s*at /.test(line) && (line.includes(folder) || line.includes(pathToFileURL(folder).href)));
  return frame?.trim().replace(/:1:\d+(\)?)$/, ':1$1');
}

const mend = 'Export `environments`: an array of what defineEnv returns.';

function readDefinitions(loaded: unknown, where: string, taken: readonly string[]): readonly AnyEnvDefinition[] {
  const exported = typeof loaded === 'object' && loaded !== null ? loaded : {};
  const environments = readable(where, (): unknown => ('environments' in exported ? exported.environments : undefined));
  if (environments === undefined) {
    const names = Object.keys(exported).filter((name) => name !== 'default');
    const [near] = nearest('environments', names);
    const what = names.length === 0 ? 'it exports nothing by name' : `it exports ${names.join(', ')} but no \`environments\``;
    const rename = near === undefined ? mend : `Rename ${near} to environments: an array of what defineEnv returns.`;
    throw new UsageError({ where, what: `${what}.`, mend: rename });
  }
  if (!Array.isArray(environments) || environments.length === 0) {
    throw new UsageError({ where, what: `its \`environments\` is ${Array.isArray(environments) ? 'empty' : 'no array'}.`, mend });
  }
  const definitions = (environments as readonly unknown[]).map((candidate, index) => {
    const place = `${where}, environments[${index}]`;
    return readable(place, () => readDefinition(candidate, place));
  });
  assertIds(definitions, where, taken);
  return definitions;
}

/** Reads what a module exports: a getter of it may throw. */
function readable<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (UsageError.is(thrown)) throw thrown;
    throw new UsageError(
      { where, what: `it cannot be read: ${messageOf(thrown).replaceAll(/\s+/g, ' ').trim()}.`, mend: 'Write its keys as plain values and functions, not as getters.' },
      { cause: thrown },
    );
  }
}

function readDefinition(candidate: unknown, where: string): AnyEnvDefinition {
  if (isDefinition(candidate)) return candidate;
  const parsed = definitionShape.safeParse(candidate);
  throw new UsageError({
    where,
    what: parsed.success ? 'it is no env definition.' : `${describeIssues(parsed.error)}.`,
    mend: 'Make it with defineEnv, which has the compiler check each key.',
  });
}

const isDefinition = (candidate: unknown): candidate is AnyEnvDefinition => definitionShape.safeParse(candidate).success;

const method = z.custom<(...args: never) => unknown>((value) => typeof value === 'function', 'must be a function');
const schema = z.custom<zod.ZodType>(
  (value) => typeof value === 'object' && value !== null && '_zod' in value && 'safeParse' in value,
  'must be a schema made with zod 4',
);

/** What can be said of a definition without opening it. */
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
});

function assertIds(definitions: readonly AnyEnvDefinition[], where: string, taken: readonly string[]): void {
  for (const [index, { id }] of definitions.entries()) {
    const fault = idFault(id, definitions.slice(0, index), taken);
    if (fault !== undefined) throw new UsageError({ where: `${where}, environments[${index}]`, ...fault });
  }
}

/** The id nearest to `id` that would be taken. */
function wellFormed(id: string): string {
  const [scope = '', ...rest] = id.split('/').map((part) => part.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, ''));
  const words = rest.filter((part) => part !== '').join('-');
  const [, name = words, version = '1'] = /^(.*?)-?v0*([1-9]\d*)$/.exec(words) ?? [];
  const near = `${scope}/${name}-v${version}`;
  return isEnvId(near) && near.length <= 100 ? near : 'my-lab/maze-v1';
}

function idFault(
  id: EnvId,
  before: readonly AnyEnvDefinition[],
  taken: readonly string[],
): { readonly what: string; readonly mend: string } | undefined {
  if (!id.includes('/')) {
    const what = `the id "${id}" has no scope, and bare ids are kept for the envs that come with cairn.`;
    return { what, mend: `Put a name of yours before it, such as "${wellFormed(`my-lab/${id}`)}".` };
  }
  if (!isEnvId(id)) return { what: `the id "${id}" is malformed.`, mend: `Write it like "${wellFormed(id)}": lower-case words joined by hyphens, a scope before one slash, and a version.` };
  const twin = before.findIndex((other) => other.id === id);
  if (twin >= 0) return { what: `the id "${id}" is that of environments[${twin}].`, mend: 'Give one of the two another name or version.' };
  if (!taken.includes(id)) return undefined;
  return { what: `the id "${id}" is registered already.`, mend: 'Give it another name or version, or load the module once.' };
}
