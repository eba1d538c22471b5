import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { messageOf, UsageError } from '../core/errors.ts';
import { dialectOfGrammar, type GameDialect } from './dialect.ts';
import type { FoundGame } from './find-games.ts';
import { parseGameFile, type GameFile } from './game-file.ts';
import type { Family } from './goal-shape.ts';

export const splits = ['train', 'valid_seen', 'valid_unseen'] as const;

export type Split = (typeof splits)[number];

/** What is known of a game without playing it. */
export interface GameEntry extends FoundGame {
  readonly split: Split;
  /** From the name of its folder; undefined where the name does not show it. */
  readonly family: Family | undefined;
  /** The goal in words; undefined where the game must be opened to know it. */
  readonly instruction: string | undefined;
  /** Undefined where its grammar cannot be read. */
  readonly dialect: GameDialect | undefined;
  /** SHA-256 of its domain, problem and grammar. */
  readonly digest: string;
}

/** The most bytes of a game. The original games have some 100 kB. */
const mostBytes = 8 * 1024 * 1024;

/** Files that are read concurrently. */
const atOnce = 16;

/** The folder names of ALFWorld's kinds of tasks. */
const familyOfTask: readonly (readonly [prefix: string, family: Family])[] = [
  ['pick_and_place_simple', 'pick'],
  ['look_at_obj_in_light', 'look'],
  ['pick_clean_then_place_in_recep', 'clean'],
  ['pick_heat_then_place_in_recep', 'heat'],
  ['pick_cool_then_place_in_recep', 'cool'],
  ['pick_two_obj_and_place', 'pick2'],
];

/**
 * Reads all games once. `asOriginal` omits what ALFWorld omits: games whose folder has `movable` or `Sliced`
 * in its name, and those not known to be solvable.
 *
 * @throws UsageError that names the file, for a file that is no game; also where no game is left
 */
export async function indexGames(
  games: readonly FoundGame[],
  asOriginal: boolean,
  signal: AbortSignal,
): Promise<readonly GameEntry[]> {
  const wanted = games.filter(({ name }) => !asOriginal || !/movable|Sliced/.test(name));
  const entries: (GameEntry | undefined)[] = wanted.map(() => undefined);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < wanted.length; index = next++) {
      signal.throwIfAborted();
      const game = wanted[index] as FoundGame;
      const file = await readGame(game, signal);
      if (!asOriginal || file.solvable !== false) entries[index] = entryOf(game, file);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const left = entries.filter((entry) => entry !== undefined);
  if (left.length > 0) return left;
  throw new UsageError({
    where: 'config of alfworld-v1, files',
    what: `no playable game is left of ${games.length}: the rest are sliced or movable tasks, or not known to be solvable.`,
    fix: 'Name others, or set skip to "nothing".',
  });
}

async function readGame(game: FoundGame, signal: AbortSignal): Promise<GameFile> {
  const bytes = await readWhole(game.path, signal).catch((thrown: unknown) => {
    signal.throwIfAborted();
    if (UsageError.is(thrown)) throw thrown;
    throw new UsageError({
      where: game.path,
      what: `it cannot be read: ${messageOf(thrown)}.`,
      fix: 'Fix it, or remove it from the files.',
    });
  });
  return parseGame(game, bytes);
}

/** Reads a regular file within the size limit. A pipe would block, and a device never ends. */
async function readWhole(place: string, signal: AbortSignal): Promise<Buffer> {
  const is = await stat(place);
  if (!is.isFile())
    throw new UsageError({
      where: place,
      what: 'it is not a regular file.',
      fix: 'Remove it from the files.',
    });
  assertSize(place, is.size);
  return readFile(place, { signal });
}

function assertSize(place: string, bytes: number): void {
  if (bytes <= mostBytes) return;
  throw new UsageError({
    where: place,
    what: `it has ${bytes} bytes, and no game has more than ${mostBytes}.`,
    fix: 'Remove it from the files.',
  });
}

/** Parses the bytes of a game file. */
export function parseGame(game: Pick<FoundGame, 'path'>, bytes: Buffer): GameFile {
  assertSize(game.path, bytes.length);
  return parseGameFile(game.path, bytes.toString('utf8'));
}

function entryOf(game: FoundGame, file: GameFile): GameEntry {
  const folders = game.path.split(/[/\\]/);
  return {
    ...game,
    split: splits.find((split) => folders.includes(split)) ?? 'train',
    family: familyOfTask.find(([prefix]) =>
      folders.slice(-3).some((folder) => folder.startsWith(prefix)),
    )?.[1],
    instruction: plainInstruction(file.grammar),
    dialect: dialectOfGrammar(file.grammar),
    digest: digestOf(file),
  };
}

/** Identifies the content of a game: equal digests mean equal tasks. */
export function digestOf({ domain, problem, grammar }: GameFile): string {
  const hash = createHash('sha256');
  for (const text of [domain, problem, grammar]) hash.update(String(text.length)).update('\0').update(text);
  return hash.digest('hex');
}

const taskRule = /"task"\s*:\s*\[\s*\{\s*"rhs"\s*:\s*(?<text>"(?:[^"\\]|\\.)*")\s*\}/;

/** The goal in words where the grammar contains it literally, as ALFWorld's games do. */
function plainInstruction(grammar: string): string | undefined {
  const quoted = taskRule.exec(grammar)?.groups?.['text'];
  if (quoted === undefined || /[#{}[\]|<>;]|UNKNOWN GOAL/.test(quoted)) return undefined;
  try {
    return withoutLead(String(JSON.parse(quoted)).trimStart());
  } catch {
    return undefined;
  }
}

/** The goal's sentence without `Your task is to:`. */
export const withoutLead = (text: string): string => text.replace(/^Your task is to:?\s*/, '');
