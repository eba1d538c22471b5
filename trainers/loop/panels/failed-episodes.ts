import * as fileSystem from 'node:fs/promises';
import { openTrajectoryStore, type TrajectoryStore } from '../../../agents/rollout/store/store.ts';
import { listStoreFiles } from '../../../agents/rollout/store/store-files.ts';
import { isSolved, type TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import { failedStore } from '../../run/checkpoint-names.ts';
import type { TrainingRun } from '../setup/training-setup.ts';

/**
 * The failed episodes of one player in the final evaluation, stored in the run folder, where `cairn-gym inspect`
 * shows them. Solved episodes are not stored.
 */
export class FailedEpisodes implements AsyncDisposable {
  readonly #run: TrainingRun['run'];
  readonly #maxBytes: number;
  readonly #name: string;
  #store: TrajectoryStore | undefined;

  private constructor({ run, config }: Pick<TrainingRun, 'run' | 'config'>, name: string) {
    this.#run = run;
    this.#maxBytes = Math.round(config.trajectories.maxMegabytes * 2 ** 20);
    this.#name = name;
  }

  /**
   * Starts empty: episodes of an evaluation that was interrupted are removed, because they are played again.
   * @param result name of the result whose episodes they are
   */
  static async begin(of: Pick<TrainingRun, 'run' | 'config'>, result: string): Promise<FailedEpisodes> {
    const name = failedStore(result);
    const { trajectories } = of.run.paths;
    for (const { path } of await listStoreFiles(fileSystem, trajectories, name)) await fileSystem.rm(path);
    return new FailedEpisodes(of, name);
  }

  /** Stores the group unless all its episodes are solved. */
  async keep(group: TrajectoryGroup): Promise<void> {
    if (group.members.every(isSolved)) return;
    this.#store ??= await openTrajectoryStore({
      folder: this.#run.paths.trajectories,
      name: this.#name,
      maxFileBytes: Math.round(this.#maxBytes / 4),
      maxTotalBytes: this.#maxBytes,
      goOn: `resume with \`npx cairn-gym train --resume ${this.#run.folder}\``,
    });
    await this.#store.append(group);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store?.close();
  }
}
