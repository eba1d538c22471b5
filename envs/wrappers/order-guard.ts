import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import { isRecord } from '../core/result-shape.ts';
import type { Opening, StepResult, Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import type { EpisodePlace, ResultStage } from './result-stage.ts';

type Phase = 'fresh' | 'busy' | 'running' | 'ended' | 'closed';

/** What an {@link OrderGuard} does beside keeping calls in order. */
export interface OrderGuardOptions<Obs, Act> {
  /** What everything that the env gives back passes through, from the first to the last. */
  readonly stages?: readonly ResultStage<Obs, Act>[];
  /** Throws on a task that there is not. */
  readonly assertTask?: (task: TaskRef) => void;
}

/**
 * Throws a `UsageError` on a step before reset, after the end, after close, or before the last call has settled, and on a
 * reset to a task that `assertTask` does not let pass. It counts the steps of the episode for its stages and in its snapshots.
 */
export class OrderGuard<Obs, Act> implements Env<Obs, Act> {
  readonly #inner: Env<Obs, Act>;
  readonly #id: string;
  readonly #stages: readonly ResultStage<Obs, Act>[];
  readonly #assertTask: ((task: TaskRef) => void) | undefined;
  readonly #place: { -readonly [Key in keyof EpisodePlace]: EpisodePlace[Key] } = { task: undefined, steps: 0 };
  #phase: Phase = 'fresh';
  readonly snapshots?: Snapshots<Obs, Act>;

  constructor(inner: Env<Obs, Act>, id: string, { stages = [], assertTask }: OrderGuardOptions<Obs, Act> = {}) {
    this.#inner = inner;
    this.#id = id;
    this.#stages = stages;
    this.#assertTask = assertTask;
    if (inner.snapshots !== undefined) this.snapshots = this.#guardSnapshots(inner.snapshots);
  }

  async reset(task: TaskRef, context: ResetContext): Promise<Opening<Obs, Act>> {
    if (this.#phase === 'closed' || this.#phase === 'busy') this.#refuse('reset');
    this.#assertTask?.(task);
    this.#phase = 'busy';
    try {
      let opening = await this.#inner.reset(task, context);
      this.#place.task = task;
      this.#place.steps = 0;
      for (const stage of this.#stages) opening = stage.opening(opening, this.#place);
      this.#settle('running');
      return opening;
    } catch (thrown) {
      this.#settle('fresh');
      throw thrown;
    }
  }

  async step(action: Act, context: Context): Promise<StepResult<Obs, Act>> {
    if (this.#phase !== 'running') this.#refuse('step');
    this.#phase = 'busy';
    try {
      let result = await this.#inner.step(action, context);
      this.#place.steps += 1;
      for (const stage of this.#stages) result = stage.result(result, this.#place);
      this.#settle(isRecord(result) && result.kind === 'ongoing' ? 'running' : 'ended');
      return result;
    } catch (thrown) {
      this.#settle('ended'); // a crashed episode cannot go on
      throw thrown;
    }
  }

  async close(): Promise<void> {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    await this.#inner.close();
  }

  /** A call has come back; an env that was closed meanwhile stays closed. */
  #settle(phase: Phase): void {
    if (this.#phase === 'busy') this.#phase = phase;
  }

  #guardSnapshots(snapshots: Snapshots<Obs, Act>): Snapshots<Obs, Act> {
    return {
      take: (): Snapshot => {
        if (this.#phase !== 'running') this.#refuse('snapshots.take');
        return { ...snapshots.take(), steps: this.#place.steps };
      },
      restore: (snapshot): Turn<Obs, Act> => {
        if (this.#phase === 'closed' || this.#phase === 'busy') this.#refuse('snapshots.restore');
        let turn = snapshots.restore(snapshot);
        this.#place.steps = snapshot.steps;
        for (const stage of this.#stages) turn = stage.restored(turn, this.#place);
        this.#phase = 'running';
        return turn;
      },
    };
  }

  #refuse(call: string): never {
    const why = {
      fresh: ['before reset.', 'Call reset(task, context) first.'],
      busy: ['while another call is under way.', 'Await each call before the next one.'],
      running: ['in mid-episode.', 'Finish the episode first.'],
      ended: ['after the end of the episode.', 'Call reset for a new episode: nothing resets itself.'],
      closed: ['after close.', 'Create a new env.'],
    }[this.#phase] as [string, string];
    throw new UsageError({ where: `${this.#id}.${call}`, what: `it was called ${why[0]}`, mend: why[1] });
  }
}
