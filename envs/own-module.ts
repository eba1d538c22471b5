import { statSync, type Stats } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import * as zod from 'zod';
import { codeOf, messageOf, shortenForError, UsageError } from './core/errors.ts';
import { describeReadError } from './core/user-file.ts';
import { abortable, openDeadline } from './core/waiting.ts';

/** How a user's module is imported. */
export interface ImportOptions {
  /** More modules of this build that the module can import, such as `{ 'cairn-gym/agents': agents }`. */
  readonly modules?: Readonly<Record<string, object>>;
  /**
   * Time limit of the import in milliseconds. Default: 30 s. Code that never yields cannot be stopped from
   * here.
   */
  readonly deadlineMs?: number;
  /** Stops waiting for the import. */
  readonly signal?: AbortSignal;
}

const importMs = 30_000;

/** Undefined where nothing is there. A package may have a name that is no path, so a part that is a file is no error. */
function statOf(path: string, where: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOTDIR') return undefined;
    throw new UsageError(
      {
        where,
        what: `${shortenForError(path)} cannot be used: ${describeReadError(thrown)}.`,
        fix: 'Give the path of a TypeScript or JavaScript file, relative to the working folder.',
      },
      { cause: thrown },
    );
  }
}

/**
 * The absolute path of the module that `file` names: a path, a file URL or an installed package.
 *
 * @throws UsageError where the module does not exist
 */
export function locateModule(file: string, where: string, from = process.cwd()): string {
  const path = file.startsWith('file:') ? fileURLToPath(file) : resolve(from, file);
  const found = statOf(path, where);
  if (found?.isDirectory() === true) return entryOf(path, where);
  if (found !== undefined) return path;
  const looksLikePath = /^(?:file:|[./\\]|[A-Za-z]:)|\.[cm]?[jt]sx?$/.test(file);
  try {
    if (!looksLikePath)
      return createJiti(resolve(from, 'from'))
        .esmResolve(file)
        .replace(/^file:.*/, (url) => fileURLToPath(url));
  } catch {
    // the error follows below
  }
  throw new UsageError({
    where,
    what: looksLikePath
      ? `the file ${path} does not exist.`
      : `the file ${path} does not exist, and no package "${file}" is installed there.`,
    fix: 'Give the path of a TypeScript or JavaScript file, relative to the working folder.',
  });
}

/**
 * The file that a folder stands for: the one that its package.json names, or its index.
 *
 * @throws UsageError where the folder has neither
 */
function entryOf(folder: string, where: string): string {
  const entry = createJiti(folder).esmResolve(folder, { try: true });
  if (entry !== undefined) return fileURLToPath(entry);
  throw new UsageError({
    where,
    what: `${folder} is a folder without a package.json or an index file that names the module to load.`,
    fix: 'Give the path of a TypeScript or JavaScript file.',
  });
}

/**
 * Imports a module and returns its exports. TypeScript needs no build. Inside the module `cairn-gym/envs`
 * resolves to this build, and `zod` resolves to ours where the module has none.
 *
 * @param options.idle what to do about an import that takes too long, such as `move the work into open of the
 * env`
 * @throws UsageError where the import fails or does not finish in time
 */
export async function importOwnModule(
  path: string,
  where: string,
  { modules = {}, deadlineMs = importMs, signal, idle }: ImportOptions & { readonly idle: string },
): Promise<unknown> {
  const envs = await import('./index.ts'); // imported late, because the index exports this file
  const jiti = createJiti(path, {
    fsCache: false, // leaves nothing on the user's disk
    virtualModules: { 'cairn-gym/envs': envs, ...modules, ...(hasOwnZod(path) ? {} : { zod }) },
  });
  using deadline = openDeadline(signal, {
    where: 'the import',
    ms: deadlineMs,
  });
  try {
    return await abortable(deadline.signal, jiti.import(path));
  } catch (thrown) {
    if (signal?.aborted === true) throw thrown;
    if (deadline.signal.aborted) throw unfinished(where, deadlineMs, idle);
    if (UsageError.is(thrown))
      throw new UsageError({ ...thrown.parts, where: `${where}, ${thrown.parts.where}` }, { cause: thrown });
    const frame = firstFrameIn(path, thrown);
    throw new UsageError(
      {
        where,
        what: `it could not be imported: ${messageOf(thrown).replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')}${frame === undefined ? '' : ` (${frame})`}.`,
        fix: 'Fix the module: it must import without errors and do nothing but define its exports.',
      },
      { cause: thrown },
    );
  }
}

/** The error of a module whose import does not finish. */
export function unfinished(where: string, ms: number, idle: string): UsageError {
  return new UsageError({
    where,
    what: `its import did not finish within ${ms / 1000} s.`,
    fix: `Remove waits and loops from the top level of the module: ${idle}.`,
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

/**
 * The place of an error in the user's files, such as `at maze.ts:3:7`. For the first line only the line
 * number, because jiti's own wrapper precedes it.
 */
function firstFrameIn(path: string, thrown: unknown): string | undefined {
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  const folder = dirname(path);
  const frame = stack
    .split('\n')
    .find(
      (line) => /^\s*at /.test(line) && (line.includes(folder) || line.includes(pathToFileURL(folder).href)),
    );
  return frame?.trim().replace(/:1:\d+(\)?)$/, ':1$1');
}

/**
 * Reads exports of a module. A getter among them may throw.
 *
 * @throws UsageError with the message of the getter
 */
export function readable<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (UsageError.is(thrown)) throw thrown;
    throw new UsageError(
      {
        where,
        what: `it cannot be read: ${messageOf(thrown).replaceAll(/\s+/g, ' ').trim()}.`,
        fix: 'Use plain values and functions for its keys, not getters.',
      },
      { cause: thrown },
    );
  }
}
