import type { ResetContext } from '../core/context.ts';
import type { EnvHost } from '../core/env.ts';
import { FaultError, UsageError } from '../core/errors.ts';
import { mostWorlds } from '../engines/planning/find-plan.ts';
import { countDialects, sharedDialect, type DialectShare } from './dialect.ts';
import { AlfworldEnv } from './env.ts';
import { findGames } from './find-games.ts';
import { indexGames } from './game-index.ts';
import { GameShelf } from './game-shelf.ts';
import { AlfworldPanels } from './panels.ts';
import { AlfworldSearcher } from './searcher.ts';
import { swapHiddenIn } from './swap-hidden.ts';

/** The part of the config that opening uses. */
export interface AlfworldOptions {
  /** An empty list is refused. */
  readonly files: string | readonly string[];
  readonly skip: 'as-original' | 'nothing';
  readonly dev: number;
  readonly maxSteps: number;
}

/**
 * Opens the games that the config names. All files are read once, and each again when it is first played.
 * Where their dialects differ, the log reports it with the first game of each dialect. Wrong rules within a
 * game fault its episodes.
 *
 * @throws UsageError where no files are named, and for a file that is missing or is no game
 */
export async function openAlfworld(
  { files, skip, dev, maxSteps }: AlfworldOptions,
  context: ResetContext,
): Promise<EnvHost<string, string>> {
  const { signal } = context;
  const named = [files].flat().filter((entry) => entry !== '');
  if (named.length === 0) throw noFiles();
  const found = await findGames(named, signal);
  const entries = await indexGames(found, skip === 'as-original', signal);
  const shelf = new GameShelf();
  const dialects = countDialects(entries);
  if (dialects.length > 1) tellDialects(dialects, context);
  const panels = new AlfworldPanels(entries, shelf, {
    dev,
    identity: { dialect: sharedDialect(dialects), skip, maxSteps },
  });
  return {
    panels: panels.panels,
    identity: panels.identity,
    describeTask: (ref) => panels.describeTask(ref),
    create: async () => new AlfworldEnv((ref) => panels.game(ref)),
    close: async () => shelf.clear(),
    experts: {
      planner: (ref) => panels.game(ref).plan(maxSteps) ?? refuseUnplanned(panels.entry(ref).path),
      searcher: (rng) => new AlfworldSearcher(rng),
    },
    audit: { swapHidden: swapHiddenIn((ref) => panels.game(ref)) },
  };
}

function tellDialects(shares: readonly DialectShare[], { path, log }: ResetContext): void {
  for (const { dialect, first, games } of shares) {
    log.event(path, {
      type: 'opening-tally',
      part: 'games of several dialects',
      name: `${dialect}, the first ${first}`,
      count: games,
    });
  }
}

function refuseUnplanned(place: string): never {
  const message = `no commands that solve this game were found: it has no walkthrough that does, and a search of ${mostWorlds} worlds came to nothing. If nothing solves it, take it out of the files; it may still be played.`;
  throw new FaultError({ kind: 'task-broken', where: place, message });
}

function noFiles(): UsageError {
  return new UsageError({
    where: 'config of alfworld-v1, files',
    what: 'no game files are named, and this env has no games of its own.',
    fix:
      'Download the original games with their command `alfworld-download` and set `--set files=FOLDER/json_2.1.1`; ' +
      'or write household games with `npx cairn-gym games FOLDER` and name that folder.',
  });
}
