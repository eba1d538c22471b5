import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../core/env.ts';
import { reward, type Opening, type Reward, type StepResult, type Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { currentEpisode } from '../kit/current-episode.ts';
import { listAdmissible } from './admissible.ts';
import { perform } from './dynamics.ts';
import { Episode } from './episode.ts';
import { InformationKey } from './information.ts';
import type { Scene } from './scene.ts';
import { readSnapshot, restorePoint, savePoint } from './snapshot.ts';
import { nothingHappens } from './texts.ts';

const noReward: Reward = Object.freeze(reward(Object.freeze({})));
const goalReward: Reward = Object.freeze(reward(Object.freeze({ goal: 1 })));

/** One player in one room, in words. */
export class HouseholdEnv implements Env<string, string> {
  readonly snapshots: Snapshots<string, string> = {
    take: () => this.#take(),
    restore: (snapshot) => this.#restore(snapshot),
  };
  readonly #sceneOf: (task: TaskRef) => Scene;
  #play: Play | undefined;

  constructor(sceneOf: (task: TaskRef) => Scene) {
    this.#sceneOf = sceneOf;
  }

  async reset(task: TaskRef, context: ResetContext): Promise<Opening<string, string>> {
    context.signal.throwIfAborted();
    const scene = this.#sceneOf(task);
    this.#play = new Play(new Episode(scene), scene.openingText);
    return { ...this.#play.turn(), instruction: scene.task.instruction };
  }

  async step(action: string, _context: Context): Promise<StepResult<string, string>> {
    const play = this.#playing();
    const { episode } = play;
    const code = episode.scene.commands.code(action);
    const text = code === undefined ? undefined : perform(episode, code);
    const stateKey = episode.world.key();
    if (text !== undefined && episode.isSolved()) {
      this.#play = undefined;
      return {
        kind: 'terminated',
        outcome: 'solved',
        observation: text,
        reward: goalReward,
        inadmissible: false,
        stateKey,
      };
    }
    play.observation = text ?? nothingHappens;
    return {
      kind: 'ongoing',
      observation: play.observation,
      reward: noReward,
      inadmissible: text === undefined,
      stateKey,
      anchorKey: play.information.write(episode),
      admissible: listAdmissible(episode),
      stepsLeft: undefined,
      seat: 0,
    };
  }

  async close(): Promise<void> {
    this.#play = undefined;
  }

  #take(): Snapshot {
    const { episode, observation } = this.#playing();
    return { ...savePoint(episode, observation), steps: 0 };
  }

  #restore(snapshot: Snapshot): Turn<string, string> {
    const point = readSnapshot(snapshot);
    this.#play = new Play(restorePoint(this.#sceneOf(point.world.task), point), point.episode.observation);
    return this.#play.turn();
  }

  #playing(): Play {
    return currentEpisode('household', this.#play);
  }
}

/** An episode under way and what its player saw last. */
class Play {
  readonly episode: Episode;
  readonly information: InformationKey;
  observation: string;

  constructor(episode: Episode, observation: string) {
    this.episode = episode;
    this.information = new InformationKey(episode.scene);
    this.observation = observation;
  }

  turn(): Turn<string, string> {
    return {
      observation: this.observation,
      stateKey: this.episode.world.key(),
      anchorKey: this.information.write(this.episode),
      admissible: listAdmissible(this.episode),
      stepsLeft: undefined,
      seat: 0,
    };
  }
}
