import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import * as zod from 'zod';
import { messageOf, UsageError } from './core/errors.ts';
import { abortable, openDeadline } from './core/waiting.ts';

/** How a user's own module is imported. */
export interface ImportOptions {
  /** More modules of this build to hand in, such as `{ 'cairn-gym/agents': agents }`. */
  readonly modules?: Readonly<Record<string, object>>;
  /** Milliseconds that the import may take; 30 seconds unless given. Code that never yields cannot be stopped from here. */
  readonly deadlineMs?: number;
  /** Stops waiting for the import. */
  readonly signal?: AbortSignal;
}

const importMs = 30_000;

/** The absolute path of the module that `file` names: a path, a file URL or an installed package. @throws UsageError where there is none */
export function locateModule(file: string, where: string, from = process.cwd()): string {
  const path = file.startsWith('file:') ? fileURLToPath(file) : resolve(from, file);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return entryOf(path, where);
  if (found !== undefined) return path;
  const looksLikePath = /^(?:file:|[./\\]|[A-Za-z]:)|\.[cm]?[jt]sx?$/.test(file);
  try {
    if (!looksLikePath)
      return createJiti(resolve(from, 'from'))
        .esmResolve(file)
        .replace(/^file:.*/, (url) => fileURLToPath(url));
  } catch {
    // said below
  }
  throw new UsageError({
    where,
    what: looksLikePath
      ? `there is no file ${path}.`
      : `there is no file ${path}, and no package "${file}" is installed there.`,
    fix: 'Give the path of a TypeScript or JavaScript file, from the folder that you run the command in.',
  });
}

/** The file that stands for a folder: the one that its package.json names, or its index. */
function entryOf(folder: string, where: string): string {
  const entry = createJiti(folder).esmResolve(folder, { try: true });
  if (entry !== undefined) return fileURLToPath(entry);
  throw new UsageError({
    where,
    what: `${folder} is a folder, and neither a package.json nor an index file in it says which module to load.`,
    fix: 'Give the path of a TypeScript or JavaScript file.',
  });
}

/**
 * What the module exports. TypeScript needs no build; inside it `cairn-gym/envs` is this very build, and `zod` is ours where it has none.
 * @param options.idle where that which takes time belongs, such as `what an env needs belongs in its open`
 */
export async function importOwnModule(
  path: string,
  where: string,
  { modules = {}, deadlineMs = importMs, signal, idle }: ImportOptions & { readonly idle: string },
): Promise<unknown> {
  const envs = await import('./index.ts'); // not at the top: the index exports this file
  const jiti = createJiti(path, {
    fsCache: false, // nothing is left on the disk of whoever runs this
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
        fix: 'Fix the module: it has to load by itself, with nothing done at import but defining.',
      },
      { cause: thrown },
    );
  }
}

/** The error of a module whose import does not come to its end. */
export function unfinished(where: string, ms: number, idle: string): UsageError {
  return new UsageError({
    where,
    what: `its import did not end within ${ms / 1000} s.`,
    fix: `Let nothing wait or loop at the top of the module: ${idle}.`,
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
  const frame = stack
    .split('\n')
    .find(
      (line) => /^\s*at /.test(line) && (line.includes(folder) || line.includes(pathToFileURL(folder).href)),
    );
  return frame?.trim().replace(/:1:\d+(\)?)$/, ':1$1');
}

/** Reads what a module exports: a getter of it may throw. */
export function readable<T>(where: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (UsageError.is(thrown)) throw thrown;
    throw new UsageError(
      {
        where,
        what: `it cannot be read: ${messageOf(thrown).replaceAll(/\s+/g, ' ').trim()}.`,
        fix: 'Write its keys as plain values and functions, not as getters.',
      },
      { cause: thrown },
    );
  }
}
