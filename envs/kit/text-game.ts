import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Searcher, Snapshot, Snapshots } from '../core/env.ts';
import type { Json } from '../core/json.ts';
import type { Rng } from '../core/rng.ts';
import { reward, type Ongoing, type Opening, type Reward, type StepResult, type Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import type { Textual } from '../core/textual.ts';
import { currentEpisode } from './current-episode.ts';

const noReward: Reward = Object.freeze(reward(Object.freeze({})));
const goalReward: Reward = Object.freeze(reward(Object.freeze({ goal: 1 })));

/** The answer to a command that is not admissible. */
export const nothingHappens = 'Nothing happens.';

/** Observations are texts, and an action is a command on one line. */
export const commandText: Textual<string, string> = {
  observation: (observation) => observation,
  action: (action) => action,
  parse: (text) => {
    const action = text.trim();
    if (action === '')
      return { kind: 'malformed', why: 'The reply is empty: answer with one command.', text };
    if (/[\r\n]/.test(action))
      return {
        kind: 'malformed',
        why: 'The reply has several lines: answer with one command on one line.',
        text,
      };
    return { kind: 'action', action };
  },
};

/** A running game. Commands change its own world. */
export interface TextGame {
  readonly instruction: string;
  readonly isSolved: boolean;
  /**
   * Performs a command and returns the answer for the player. Returns undefined for an inadmissible command,
   * which changes nothing.
   */
  perform(command: string): string | undefined;
  admissible(): readonly string[];
  stateKey(): string;
  anchorKey(): string;
  /** The world and what has been shown of it, as JSON. `observation` is the text that the player saw last. */
  save(observation: string): { readonly world: Json; readonly episode: Json };
}

/** A game with the text that its player saw last. */
export interface PlayedGame {
  readonly game: TextGame;
  readonly observation: string;
}

/** The source of an env's games. */
export interface TextGames {
  /** The family, for errors. */
  readonly where: string;
  /** Starts a task. `observation` is the opening text. */
  start(task: TaskRef): PlayedGame;
  /**
   * Restores the game of a snapshot.
   *
   * @throws UsageError where the snapshot does not fit
   */
  restore(snapshot: Snapshot): PlayedGame;
}

/**
 * An env for one player of a text game that is won by reaching a goal. The goal pays 1, everything else 0.
 */
export class TextGameEnv implements Env<string, string> {
  readonly snapshots: Snapshots<string, string> = {
    take: () => {
      const { game, observation } = this.#playing();
      return { ...game.save(observation), steps: 0 };
    },
    restore: (snapshot) => {
      this.#played = this.#games.restore(snapshot);
      return turnOf(this.#played);
    },
  };
  readonly #games: TextGames;
  #played: PlayedGame | undefined;

  constructor(games: TextGames) {
    this.#games = games;
  }

  async reset(task: TaskRef, context: ResetContext): Promise<Opening<string, string>> {
    context.signal.throwIfAborted();
    const played = this.#games.start(task);
    this.#played = played;
    return { ...turnOf(played), instruction: played.game.instruction };
  }

  async step(action: string, _context: Context): Promise<StepResult<string, string>> {
    const { game } = this.#playing();
    const text = game.perform(action);
    const [observation, inadmissible] = [text ?? nothingHappens, text === undefined];
    if (game.isSolved) {
      this.#played = undefined;
      const stateKey = game.stateKey();
      return {
        kind: 'terminated',
        outcome: 'solved',
        observation,
        reward: goalReward,
        inadmissible,
        stateKey,
      };
    }
    this.#played = { game, observation };
    return { kind: 'ongoing', ...turnOf(this.#played), reward: noReward, inadmissible };
  }

  async close(): Promise<void> {
    this.#played = undefined;
  }

  #playing(): PlayedGame {
    return currentEpisode(this.#games.where, this.#played);
  }
}

function turnOf({ game, observation }: PlayedGame): Turn<string, string> {
  // read before the anchor key: the list also shows facts, and the anchor key contains what was shown
  const admissible = game.admissible();
  return {
    observation,
    stateKey: game.stateKey(),
    anchorKey: game.anchorKey(),
    admissible,
    stepsLeft: undefined,
    seat: 0,
  };
}

/** What a searcher remembers of an episode. */
export interface SearcherMemory {
  /** Records the first text of the episode. */
  begin(observation: string): void;
  /** Records the answer to a command. */
  learn(command: string, observation: string): void;
}

/**
 * Plays a game from its texts alone: it remembers the texts, decides on a command, and makes it admissible.
 */
export abstract class GameSearcher<Goal> implements Searcher<string, string> {
  protected readonly rng: Rng;
  protected admissible: readonly string[] = [];
  readonly #memory: SearcherMemory;
  #goal: Goal | undefined;
  #last: string | undefined;

  constructor(rng: Rng, memory: SearcherMemory) {
    this.rng = rng;
    this.#memory = memory;
  }

  act(turn: Opening<string, string> | Ongoing<string, string>): string {
    if ('instruction' in turn) {
      this.#goal = this.readGoal(turn.instruction);
      this.#memory.begin(turn.observation);
    } else if (this.#last !== undefined) {
      this.#memory.learn(this.#last, turn.observation);
    }
    this.admissible = turn.admissible ?? [];
    this.#last = this.allow(this.#goal === undefined ? undefined : this.decide(this.#goal));
    return this.#last;
  }

  protected abstract readGoal(instruction: string): Goal | undefined;
  /** The command that serves the goal best; undefined where no command is known. */
  protected abstract decide(goal: Goal): string | undefined;
  /** The wanted command where it is admissible, or another one. */
  protected abstract allow(wanted: string | undefined): string;
}

/** The item with the greatest worth. Ties go to the first. */
export function bestOf(items: readonly string[], worth: (item: string) => number): string | undefined {
  let chosen: string | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const value = worth(item);
    if (value > most) [chosen, most] = [item, value];
  }
  return chosen;
}
