import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, UsageError } from '../core/errors.ts';
import { describeReadError } from '../core/user-file.ts';

/** A game file and its place. */
export interface FoundGame {
  readonly path: string;
  /** Its path from the named folder, with forward slashes. It is the same on every machine. */
  readonly name: string;
}

const gameEnding = '.tw-pddl';

/** A folder with such a name is listed as a game, and refused when it is read, wherever it was found. */
const isCalledGame = (name: string): boolean => name.endsWith(gameEnding);

/** Deeper folders are no dataset. */
const deepest = 32;

/**
 * Finds the game files that the user named: files as they are, folders with all their `*.tw-pddl` files, and
 * patterns. In a pattern `*` and `?` match part of a name, and `**` matches any folders. Sorted by name.
 *
 * @throws UsageError for a missing path, and for a folder or pattern without games
 */
export async function findGames(
  entries: readonly string[],
  signal: AbortSignal,
): Promise<readonly FoundGame[]> {
  const found = new Map<string, FoundGame>();
  for (const entry of entries) {
    signal.throwIfAborted();
    const games = /[*?]/.test(entry) ? await matching(entry, signal) : await named(entry, signal);
    if (games.length === 0)
      throw refusal(
        entry,
        'it contains no game files.',
        `Games are files whose names end in "${gameEnding}".`,
      );
    for (const game of games) if (!found.has(game.path)) found.set(game.path, game);
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function named(entry: string, signal: AbortSignal): Promise<readonly FoundGame[]> {
  const place = path.resolve(entry);
  const is = await statOf(place, entry);
  if (is === undefined)
    throw refusal(
      entry,
      'there is no such file or folder.',
      'Name a folder of games, a game file, or a pattern such as "games/**/*.tw-pddl".',
    );
  if (is.isDirectory() && !isCalledGame(place))
    return (await filesIn(place, signal)).filter(({ name }) => isCalledGame(name));
  return [{ path: place, name: lastFolders(place) }];
}

/** Undefined where nothing exists there. */
async function statOf(place: string, entry: string): Promise<Stats | undefined> {
  return stat(place).catch((thrown: unknown) => {
    if (codeOf(thrown) === 'ENOENT' || codeOf(thrown) === 'ENOTDIR') return undefined;
    throw unreadable(entry, thrown);
  });
}

const unreadable = (entry: string, thrown: unknown): UsageError =>
  refusal(
    entry,
    `it cannot be read: ${describeReadError(thrown)}.`,
    'Check that you have permission to read it, or name other games.',
  );

/**
 * The last four parts of a path. A file that was named alone keeps the folders that identify it: split, task
 * and trial.
 */
const lastFolders = (place: string): string => place.split(path.sep).slice(-4).join('/');

async function matching(pattern: string, signal: AbortSignal): Promise<readonly FoundGame[]> {
  const parts = path.resolve(pattern).split(path.sep);
  const first = parts.findIndex((part) => /[*?]/.test(part));
  const root = parts.slice(0, first).join(path.sep) || path.sep;
  const is = await statOf(root, pattern);
  if (is?.isDirectory() !== true)
    throw refusal(
      pattern,
      `there is no folder ${root}.`,
      'Fix the part of the pattern before the first star.',
    );
  const expression = expressionOf(parts.slice(first));
  return (await filesIn(root, signal)).filter(({ name }) => expression.test(name));
}

function expressionOf(parts: readonly string[]): RegExp {
  const pieces = parts.map((part, index) => {
    const isLast = index === parts.length - 1;
    if (part === '**') return isLast ? '.*' : '(?:[^/]+/)*';
    const text = part
      .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll('*', '[^/]*')
      .replaceAll('?', '[^/]');
    return isLast ? text : `${text}/`;
  });
  return new RegExp(`^${pieces.join('')}$`);
}

/**
 * Everything below a folder except folders. Links to files are followed. Links to folders are not, because
 * they may form a cycle. Entries that are no files are refused when they are read.
 */
async function filesIn(root: string, signal: AbortSignal): Promise<readonly FoundGame[]> {
  const found: FoundGame[] = [];
  const open = [{ folder: root, name: '', depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    signal.throwIfAborted();
    if (next.depth > deepest)
      throw refusal(
        next.folder,
        `folders are nested more than ${deepest} deep.`,
        'Name the folder of the games.',
      );
    const { folder } = next;
    const entries = await readdir(folder, { withFileTypes: true }).catch((thrown: unknown) => {
      throw unreadable(folder, thrown);
    });
    for (const entry of entries) {
      const at = {
        folder: path.join(folder, entry.name),
        name: next.name === '' ? entry.name : `${next.name}/${entry.name}`,
        depth: next.depth + 1,
      };
      if (entry.isDirectory() && !isCalledGame(entry.name)) open.push(at);
      else found.push({ path: at.folder, name: at.name });
    }
  }
  return found;
}

function refusal(entry: string, what: string, fix: string): UsageError {
  return new UsageError({ where: `config of alfworld-v1, files: ${entry}`, what, fix });
}
