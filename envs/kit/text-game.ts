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

/** A game under way: commands change its own world. */
export interface TextGame {
  readonly instruction: string;
  readonly isSolved: boolean;
  /** Performs a command and returns what the player reads; undefined where it is not admissible, and then nothing has changed. */
  perform(command: string): string | undefined;
  admissible(): readonly string[];
  stateKey(): string;
  anchorKey(): string;
  /** The world and what has been shown of it, as JSON; `observation` is what the player saw last. */
  save(observation: string): { readonly world: Json; readonly episode: Json };
}

/** A game with what its player saw last. */
export interface PlayedGame {
  readonly game: TextGame;
  readonly observation: string;
}

/** Where the games of an env come from. */
export interface TextGames {
  /** The family, for errors. */
  readonly where: string;
  /** Starts a task; `observation` is the opening text. */
  start(task: TaskRef): PlayedGame;
  /** The game of a snapshot. @throws UsageError where the snapshot does not fit */
  restore(snapshot: Snapshot): PlayedGame;
}

/** One player in a game of text that is won by reaching a goal: the goal pays 1, everything else 0. */
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
  const admissible = game.admissible(); // first: the list shows something too, and the anchor key holds what was shown
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
  /** Takes in the first text of the episode. */
  begin(observation: string): void;
  /** Takes in the answer to a command. */
  learn(command: string, observation: string): void;
}

/** Plays a game from its texts alone: it remembers, decides, and leaves the rest to what is admissible. */
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
  /** The command that serves the goal best; undefined where it knows none. */
  protected abstract decide(goal: Goal): string | undefined;
  /** That command where it can be performed, or another one. */
  protected abstract allow(wanted: string | undefined): string;
}

/** The item of greatest worth, the first of equals. */
export function bestOf(items: readonly string[], worth: (item: string) => number): string | undefined {
  let chosen: string | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const value = worth(item);
    if (value > most) [chosen, most] = [item, value];
  }
  return chosen;
}
