import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run-program.ts';

/** The folders of the project that hold TypeScript. */
export const sourceFolders = [
  'gym',
  'envs',
  'sandbox',
  'agents',
  'files',
  'models',
  'trainers',
  'lab',
  'serve',
  'cli',
  'bench',
  'examples',
  'test',
] as const;

/** The folders whose code is published. */
export const publishedFolders = [
  'gym',
  'envs',
  'sandbox',
  'agents',
  'files',
  'models',
  'trainers',
  'lab',
  'serve',
  'cli',
] as const;

export interface SourceFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/** A module that a file imports: a file of the project, or a package. */
export type Import =
  | { readonly kind: 'file'; readonly path: string; readonly typeOnly: boolean }
  | { readonly kind: 'package'; readonly name: string; readonly typeOnly: boolean };

/** Every TypeScript file of the folders that exist, in one order. */
export function readSources(folders: readonly string[] = sourceFolders): readonly SourceFile[] {
  return folders
    .flatMap(filesUnder)
    .filter((file) => file.endsWith('.ts') && !file.startsWith('test/project/consumer/'))
    .toSorted()
    .map((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return { path: file, text, imports: readImports(file, text) };
    });
}

function filesUnder(folder: string): readonly string[] {
  try {
    const entries = readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return [];
    throw thrown;
  }
}

const importPattern =
  /^\s*(?:import|export)\s+(type\s)?[^'"`;]*?\bfrom\s+'([^']+)'|^\s*import\s+'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

/** What a file imports, read without a compiler: static, re-exported, for its effect, and dynamic. */
export function readImports(file: string, text: string): readonly Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/`(?:[^`\\]|\\.)*`/g, '``');
  return [...code.matchAll(importPattern)].map((match) => {
    const target = match[2] ?? match[3] ?? match[4] ?? '';
    const typeOnly = match[1] !== undefined;
    if (target.startsWith('.'))
      return { kind: 'file', path: path.posix.join(path.posix.dirname(file), target), typeOnly };
    return { kind: 'package', name: packageOf(target), typeOnly };
  });
}

function packageOf(target: string): string {
  if (target.startsWith('node:')) return target;
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}
