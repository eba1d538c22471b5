import { readFileSync } from 'node:fs';
import { messageOf, UsageError } from '../core/errors.ts';
import { playable } from './broken-game.ts';
import { Episode } from './episode.ts';
import { GameBuilder, type Game } from './game.ts';
import { digestOf, parseGame, withoutLead, type GameEntry } from './game-index.ts';
import type { GameFile } from './game-file.ts';
import { InformationKey } from './information.ts';
import { planGame } from './planner.ts';

/** A game that is ready to be played, with what its episodes share. */
export interface LoadedGame {
  readonly game: Game;
  readonly information: InformationKey;
  readonly instruction: string;
  readonly digest: string;
  /** Commands that solve it within that many steps, see `planGame`. Computed on demand. */
  readonly plan: (maxSteps: number) => readonly string[] | undefined;
}

/** The instruction of a game that does not state its goal. */
export const anyGoal = 'Reach the goal of the game.';

/** Games cached for the next episode of their task. Running episodes hold their own games. */
const kept = 256;

/** Builds games on demand and keeps the most recently used ones. */
export class GameShelf {
  readonly #builder = new GameBuilder();
  readonly #games = new Map<string, LoadedGame>(); // by path

  /**
   * Returns a game.
   *
   * @throws FaultError of kind `task-broken` for a file with wrong rules, or one that has changed since it
   * was indexed
   */
  get(entry: GameEntry): LoadedGame {
    const loaded = this.#games.get(entry.path) ?? playable(() => this.#load(entry));
    this.#games.delete(entry.path); // moves it to the end of the queue
    this.#games.set(entry.path, loaded);
    const [oldest] = this.#games.keys();
    if (this.#games.size > kept && oldest !== undefined) this.#games.delete(oldest);
    return loaded;
  }

  clear(): void {
    this.#games.clear();
  }

  #load(entry: GameEntry): LoadedGame {
    const file = readAgain(entry);
    if (digestOf(file) !== entry.digest) {
      throw new UsageError({
        where: entry.path,
        what: 'the file has changed since the env was opened.',
        fix: 'Open the env again.',
      });
    }
    const game = this.#builder.build(entry.path, file);
    let plan: { readonly commands: readonly string[] | undefined } | undefined;
    return {
      game,
      information: new InformationKey(game),
      instruction: entry.instruction ?? instructionOf(game),
      digest: entry.digest,
      plan: (maxSteps) => (plan ??= { commands: planGame(game, maxSteps) }).commands,
    };
  }
}

function readAgain(entry: GameEntry): GameFile {
  let bytes: Buffer;
  try {
    bytes = readFileSync(entry.path);
  } catch (thrown) {
    throw new UsageError({
      where: entry.path,
      what: `it can no longer be read: ${messageOf(thrown)}.`,
      fix: 'Restore it, or open the env again.',
    });
  }
  return parseGame(entry, bytes);
}

function instructionOf(game: Game): string {
  const text = game.taskText?.write(new Int32Array(), new Episode(game)) ?? '';
  return withoutLead(text) || anyGoal;
}
