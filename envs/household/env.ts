import type { TaskRef } from '../core/task.ts';
import { TextGameEnv, type TextGame } from '../kit/text-game.ts';
import { listAdmissible } from './admissible.ts';
import { perform } from './dynamics.ts';
import { Episode } from './episode.ts';
import { InformationKey } from './information.ts';
import type { Scene } from './scene.ts';
import { readPoint, restorePoint, savePoint } from './snapshot.ts';

/** An env for one player in one room, in words. */
export class HouseholdEnv extends TextGameEnv {
  constructor(sceneOf: (task: TaskRef) => Scene) {
    super({
      where: 'household',
      start: (task) => {
        const scene = sceneOf(task);
        return { game: new HouseholdGame(new Episode(scene)), observation: scene.openingText };
      },
      restore: (snapshot) => {
        const point = readPoint(snapshot);
        const { observation } = point.episode;
        return { game: new HouseholdGame(restorePoint(sceneOf(point.world.task), point)), observation };
      },
    });
  }
}

class HouseholdGame implements TextGame {
  readonly #episode: Episode;
  readonly #information: InformationKey;

  constructor(episode: Episode) {
    this.#episode = episode;
    this.#information = new InformationKey(episode.scene);
  }

  get instruction(): string {
    return this.#episode.scene.task.instruction;
  }

  get isSolved(): boolean {
    return this.#episode.isSolved();
  }

  perform(command: string): string | undefined {
    const code = this.#episode.scene.commands.code(command);
    return code === undefined ? undefined : perform(this.#episode, code);
  }

  admissible(): readonly string[] {
    return listAdmissible(this.#episode);
  }

  stateKey(): string {
    return this.#episode.world.key();
  }

  anchorKey(): string {
    return this.#information.write(this.#episode);
  }

  save(observation: string) {
    return savePoint(this.#episode, observation);
  }
}
