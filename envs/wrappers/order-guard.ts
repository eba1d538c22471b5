import type { Context, ResetContext } from '../core/context.ts';
import type { Env, Snapshot, Snapshots } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import { isRecord } from '../core/result-shape.ts';
import type { Opening, StepResult, Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import type { ActionGuard } from './action-guard.ts';
import type { EpisodePlace, ResultStage } from './result-stage.ts';
import { AbortableWait } from './abortable-wait.ts';

/** `abandoned`: the signal of a call aborted, and the call has not come back. */
type Phase = 'fresh' | 'busy' | 'abandoned' | 'running' | 'ended' | 'closed';

/** The error of an abandoned call. Nobody receives it. */
const late = new Error('late');

/** What an {@link OrderGuard} does in addition to keeping calls in order. */
export interface OrderGuardOptions<Obs, Act> {
  /** Stages that all results of the env pass through, in order. */
  readonly stages?: readonly ResultStage<Obs, Act>[];
  /** Throws for a task that does not exist. */
  readonly assertTask?: (task: TaskRef) => void;
  /**
   * Refuses invalid actions. The results must have been validated before, so that `admissible` is a list or
   * undefined.
   */
  readonly actions?: ActionGuard<Act>;
  /** Whether a call rejects when its signal aborts, even where the env ignores the signal. */
  readonly heedsSignal?: boolean;
}

/**
 * Throws a `UsageError` for a step before reset, after the end, after close, or before the last call has
 * returned. Also for a reset to a task that `assertTask` rejects. It counts the steps of the episode for its
 * stages and in its snapshots. A call whose signal aborts rejects with the signal's reason. Until that call
 * returns, the env can only be closed.
 */
export class OrderGuard<Obs, Act> implements Env<Obs, Act> {
  readonly #inner: Env<Obs, Act>;
  readonly #id: string;
  readonly #stages: readonly ResultStage<Obs, Act>[];
  readonly #assertTask: ((task: TaskRef) => void) | undefined;
  readonly #place: { -readonly [Key in keyof EpisodePlace]: EpisodePlace[Key] } = {
    task: undefined,
    steps: 0,
  };
  readonly #actions: ActionGuard<Act> | undefined;
  readonly #heedsSignal: boolean;
  #phase: Phase = 'fresh';
  #listed: readonly Act[] | undefined;
  #signal: AbortSignal | undefined;
  // the running one
  #wait: AbortableWait<Opening<Obs, Act>> | AbortableWait<StepResult<Obs, Act>> | undefined;
  readonly snapshots?: Snapshots<Obs, Act>;

  constructor(
    inner: Env<Obs, Act>,
    id: string,
    { stages = [], assertTask, actions, heedsSignal = false }: OrderGuardOptions<Obs, Act> = {},
  ) {
    this.#inner = inner;
    this.#id = id;
    this.#stages = stages;
    this.#assertTask = assertTask;
    this.#actions = actions;
    this.#heedsSignal = heedsSignal;
    if (inner.snapshots !== undefined) this.snapshots = this.#guardSnapshots(inner.snapshots);
  }

  async reset(task: TaskRef, context: ResetContext): Promise<Opening<Obs, Act>> {
    if (this.#cannotBegin()) throw this.#refusal('reset');
    this.#assertTask?.(task);
    if (this.#heedsSignal) this.#listenTo(context.signal);
    this.#phase = 'busy';
    this.#place.task = task;
    return await (this.#wait = this.#resets).for(() => this.#inner.reset(task, context));
  }

  step(action: Act, context: Context): Promise<StepResult<Obs, Act>> {
    const refusal =
      this.#phase === 'running'
        ? this.#actions?.refusal(action, this.#listed, this.#place)
        : this.#refusal('step');
    if (refusal !== undefined) return Promise.reject(refusal);
    if (this.#heedsSignal) {
      if (context.signal.aborted) return Promise.reject(context.signal.reason as Error);
      if (context.signal !== this.#signal) this.#listenTo(context.signal);
    }
    this.#phase = 'busy';
    return (this.#wait = this.#steps).for(() => this.#inner.step(action, context));
  }

  async close(): Promise<void> {
    if (this.#phase === 'closed') return;
    const isBusy = this.#phase === 'busy';
    this.#phase = 'closed';
    if (!isBusy) this.#listenTo(undefined); // a caller that waits still gets the abort of its signal
    await this.#inner.close();
  }

  readonly #resets = new AbortableWait<Opening<Obs, Act>>({
    accept: (given) => {
      if (this.#phase === 'abandoned') throw late;
      this.#place.steps = 0;
      let opening = given;
      for (const stage of this.#stages) opening = stage.opening(opening, this.#place);
      this.#begin(opening);
      return opening;
    },
    fail: () => this.#settle('fresh'),
  });

  readonly #steps = new AbortableWait<StepResult<Obs, Act>>({
    accept: (given) => {
      if (this.#phase === 'abandoned') throw late;
      this.#place.steps += 1;
      let result = given;
      for (const stage of this.#stages) result = stage.result(result, this.#place);
      if (isRecord(result) && result.kind === 'ongoing') this.#begin(result);
      else this.#settle('ended');
      return result;
    },
    fail: () => this.#settle('ended'), // a crashed episode cannot go on
  });

  #begin(turn: Turn<Obs, Act>): void {
    if (this.#actions !== undefined) this.#listed = turn.admissible; // an unguarded result may be no turn
    if (this.#phase === 'closed') this.#listenTo(undefined);
    else this.#phase = 'running';
  }

  /**
   * Ends an episode or a failed reset once its call has returned. An env that was closed meanwhile stays
   * closed.
   */
  #settle(phase: 'fresh' | 'ended'): void {
    if (this.#phase !== 'closed') this.#phase = phase;
    this.#listenTo(undefined);
  }

  #cannotBegin(): boolean {
    return this.#phase === 'closed' || this.#phase === 'busy' || this.#phase === 'abandoned';
  }

  /**
   * Listens to the signal of the calls. All steps of an episode share one listener, because adding and
   * removing one costs more than a step.
   */
  #listenTo(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (signal === this.#signal) return;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  readonly #onAbort = (): void => {
    if (this.#phase === 'busy') this.#phase = 'abandoned';
    this.#wait?.cut(this.#signal?.reason);
  };

  #guardSnapshots(snapshots: Snapshots<Obs, Act>): Snapshots<Obs, Act> {
    return {
      take: (): Snapshot => {
        if (this.#phase !== 'running') throw this.#refusal('snapshots.take');
        return { ...snapshots.take(), steps: this.#place.steps };
      },
      restore: (snapshot): Turn<Obs, Act> => {
        if (this.#cannotBegin()) throw this.#refusal('snapshots.restore');
        let turn = snapshots.restore(snapshot);
        this.#place.steps = snapshot.steps;
        for (const stage of this.#stages) turn = stage.restored(turn, this.#place);
        this.#begin(turn);
        return turn;
      },
    };
  }

  #refusal(call: string): UsageError {
    const why = {
      fresh: ['before reset.', 'Call reset(task, context) first.'],
      busy: ['while another call is still running.', 'Await each call before the next one.'],
      abandoned: ['while an aborted call is still running.', 'Close this env and create a new one.'],
      running: ['in the middle of an episode.', 'Finish the episode first.'],
      ended: ['after the end of the episode.', 'Call reset to start a new episode.'],
      closed: ['after close.', 'Create a new env.'],
    }[this.#phase] as [string, string];
    return new UsageError({ where: `${this.#id}.${call}`, what: `it was called ${why[0]}`, fix: why[1] });
  }
}
