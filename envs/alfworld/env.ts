import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../core/env.ts';
import { reward, type Opening, type Reward, type StepResult, type Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { currentEpisode } from '../kit/current-episode.ts';
import { pythonStrip } from '../engines/python-text/python-text.ts';
import { Episode, nothingHappens } from './episode.ts';
import { playable } from './broken-game.ts';
import type { LoadedGame } from './game-shelf.ts';
import { readSnapshot, restorePoint, savePoint } from './snapshot.ts';

const noReward: Reward = Object.freeze(reward(Object.freeze({})));
const goalReward: Reward = Object.freeze(reward(Object.freeze({ goal: 1 })));

/** One player in one of ALFWorld's games. */
export class AlfworldEnv implements Env<string, string> {
  readonly snapshots: Snapshots<string, string> = {
    take: () => this.#take(),
    restore: (snapshot) => this.#restore(snapshot),
  };
  readonly #gameOf: (task: TaskRef) => LoadedGame;
  #play: Play | undefined;

  constructor(gameOf: (task: TaskRef) => LoadedGame) {
    this.#gameOf = gameOf;
  }

  async reset(task: TaskRef, context: ResetContext): Promise<Opening<string, string>> {
    context.signal.throwIfAborted();
    const loaded = this.#gameOf(task);
    return playable(() => {
      const episode = new Episode(loaded.game);
      this.#play = new Play(task, loaded, episode, episode.open());
      return { ...this.#play.turn(), instruction: loaded.instruction };
    });
  }

  /** Blanks around the command do not count, as in TextWorld; in anything else it must be as it is listed. */
  async step(action: string, _context: Context): Promise<StepResult<string, string>> {
    const play = this.#playing();
    return playable(() => this.#perform(play, pythonStrip(action)));
  }

  #perform(play: Play, action: string): StepResult<string, string> {
    const text = play.episode.perform(action);
    play.observation = text ?? nothingHappens;
    const inadmissible = text === undefined;
    if (play.episode.isSolved) {
      this.#play = undefined;
      return {
        kind: 'terminated',
        outcome: 'solved',
        observation: play.observation,
        reward: goalReward,
        inadmissible,
        stateKey: play.stateKey(),
      };
    }
    return { kind: 'ongoing', ...play.turn(), reward: noReward, inadmissible };
  }

  async close(): Promise<void> {
    this.#play = undefined;
  }

  #take(): Snapshot {
    const { episode, task, loaded, observation } = this.#playing();
    return { ...savePoint(episode, { task, digest: loaded.digest, observation }), steps: 0 };
  }

  #restore(snapshot: Snapshot): Turn<string, string> {
    const point = readSnapshot(snapshot);
    const loaded = this.#gameOf(point.world.task);
    this.#play = new Play(
      point.world.task,
      loaded,
      restorePoint(loaded.game, loaded.digest, point),
      point.episode.observation,
    );
    return this.#play.turn();
  }

  #playing(): Play {
    return currentEpisode('alfworld', this.#play);
  }
}

/** An episode under way and what its player saw last. */
class Play {
  readonly task: TaskRef;
  readonly loaded: LoadedGame;
  readonly episode: Episode;
  observation: string;
  readonly #prefix: string;

  constructor(task: TaskRef, loaded: LoadedGame, episode: Episode, observation: string) {
    this.task = task;
    this.loaded = loaded;
    this.episode = episode;
    this.observation = observation;
    this.#prefix = `${task.panel}/${task.index}|`;
  }

  /** The task, and the facts that are not as at the start. */
  stateKey(): string {
    const { world, denied, game } = this.episode;
    const write = (list: readonly number[]): string => list.map((fact) => fact.toString(36)).join(',');
    return `${this.#prefix}${write(world.difference(game.task.initial))}|${write(denied.members())}`;
  }

  turn(): Turn<string, string> {
    return {
      observation: this.observation,
      admissible: this.episode.choices.texts,
      stateKey: this.stateKey(),
      anchorKey: `${this.#prefix}${this.loaded.information.write(this.episode)}`,
      stepsLeft: undefined,
      seat: 0,
    };
  }
}
