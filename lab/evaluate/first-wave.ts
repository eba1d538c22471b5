import type { TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { TaskPanel } from '../../envs/core/task.ts';
import { describeFault, type Fault } from '../../envs/core/errors.ts';

const isTooLong = (fault: Fault): boolean =>
  fault.kind === 'sampler-failed' && fault.code === 'prompt-too-long';

/** A wave has no fewer episodes, however few are under way at once. */
const fewestEpisodes = 16;

/**
 * The first episodes of a panel. Where they all turn out to be more than the model takes, the others will, too, and need not be asked for:
 * they are refused as fast as they are asked, which may be a thousand requests.
 */
export class FirstWave {
  readonly episodes: number;
  readonly #left: Set<number>;
  #isRefused = true;

  /** @param concurrency episodes under way at once */
  constructor(
    panel: TaskPanel,
    { concurrency, episodesPerTask }: { readonly concurrency: number; readonly episodesPerTask: number },
  ) {
    const tasks = panel.tasks.slice(0, Math.ceil(Math.max(fewestEpisodes, concurrency) / episodesPerTask));
    this.episodes = tasks.length * episodesPerTask;
    this.#left = new Set(tasks.map(({ index }) => index));
  }

  /** Hears of a group that has ended; the fault of its first episode where with it the whole wave has turned out to be too much. */
  hear({ task, members }: TrajectoryGroup): string | undefined {
    if (!this.#left.delete(task.index)) return undefined;
    const faults = members.flatMap(({ stop }) => (stop.kind === 'faulted' ? [stop.fault] : []));
    this.#isRefused &&= faults.length === members.length && faults.every(isTooLong);
    const [first] = faults;
    return this.#isRefused && this.#left.size === 0 && first !== undefined ? describeFault(first) : undefined;
  }
}
