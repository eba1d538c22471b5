import type { TaskRef } from '../core/task.ts';
import { pythonStrip } from '../engines/python-text/python-text.ts';
import { TextGameEnv, type TextGame } from '../kit/text-game.ts';
import { playable } from './broken-game.ts';
import { Episode } from './episode.ts';
import type { LoadedGame } from './game-shelf.ts';
import { readPoint, restorePoint, savePoint } from './snapshot.ts';

/** An env for one player of ALFWorld games. */
export class AlfworldEnv extends TextGameEnv {
  constructor(gameOf: (task: TaskRef) => LoadedGame) {
    super({
      where: 'alfworld',
      start: (task) => {
        const loaded = gameOf(task);
        const episode = new Episode(loaded.game);
        const observation = playable(() => episode.open());
        return { game: new AlfworldGame(task, loaded, episode), observation };
      },
      restore: (snapshot) => {
        const point = readPoint(snapshot);
        const { task } = point.world;
        const loaded = gameOf(task);
        const episode = restorePoint(loaded.game, loaded.digest, point);
        return { game: new AlfworldGame(task, loaded, episode), observation: point.episode.observation };
      },
    });
  }
}

/**
 * A game whose file turns out to have wrong rules faults the episode. Every access to the game goes through
 * `playable`.
 */
class AlfworldGame implements TextGame {
  readonly #task: TaskRef;
  readonly #loaded: LoadedGame;
  readonly #episode: Episode;
  readonly #prefix: string;

  constructor(task: TaskRef, loaded: LoadedGame, episode: Episode) {
    this.#task = task;
    this.#loaded = loaded;
    this.#episode = episode;
    this.#prefix = `${task.panel}/${task.index}|`;
  }

  get instruction(): string {
    return this.#loaded.instruction;
  }

  get isSolved(): boolean {
    return playable(() => this.#episode.isSolved);
  }

  /** Blanks around the command are ignored, as in TextWorld. Otherwise it must be exactly as listed. */
  perform(command: string): string | undefined {
    return playable(() => this.#episode.perform(pythonStrip(command)));
  }

  admissible(): readonly string[] {
    return playable(() => this.#episode.choices.texts);
  }

  /** The task, and the facts that differ from the start. */
  stateKey(): string {
    const { world, denied, game } = this.#episode;
    const write = (list: readonly number[]): string => list.map((fact) => fact.toString(36)).join(',');
    return `${this.#prefix}${write(world.difference(game.task.initial))}|${write(denied.members())}`;
  }

  anchorKey(): string {
    return playable(() => `${this.#prefix}${this.#loaded.information.write(this.#episode)}`);
  }

  save(observation: string) {
    return savePoint(this.#episode, { task: this.#task, digest: this.#loaded.digest, observation });
  }
}
