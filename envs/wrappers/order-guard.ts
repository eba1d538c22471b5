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

/** What came of a call that was given up: nobody hears of it. */
const late = new Error('late');

/** What an {@link OrderGuard} does beside keeping calls in order. */
export interface OrderGuardOptions<Obs, Act> {
  /** What everything that the env gives back passes through, from the first to the last. */
  readonly stages?: readonly ResultStage<Obs, Act>[];
  /** Throws on a task that there is not. */
  readonly assertTask?: (task: TaskRef) => void;
  /** Refuses actions that are none; the turns of the env must be known to have lists where they say so. */
  readonly actions?: ActionGuard<Act>;
  /** Whether a call ends with its signal, also where the env does not heed it. */
  readonly heedsSignal?: boolean;
}

/**
 * Throws a `UsageError` on a step before reset, after the end, after close, or before the last call has settled, and on a
 * reset to a task that `assertTask` does not let pass. It counts the steps of the episode for its stages and in its snapshots. A call whose
 * signal aborts rejects with the signal's reason; until it has come back from the env nothing but closing is left to do.
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
  #wait: AbortableWait<Opening<Obs, Act>> | AbortableWait<StepResult<Obs, Act>> | undefined; // the one that is under way
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
    if (!isBusy) this.#listenTo(undefined); // whoever waits for a call is still told of its signal
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
    if (this.#actions !== undefined) this.#listed = turn.admissible; // what has not been guarded may be no turn
    if (this.#phase === 'closed') this.#listenTo(undefined);
    else this.#phase = 'running';
  }

  /** A call has come back and nothing goes on; an env that was closed meanwhile stays closed. */
  #settle(phase: 'fresh' | 'ended'): void {
    if (this.#phase !== 'closed') this.#phase = phase;
    this.#listenTo(undefined);
  }

  #cannotBegin(): boolean {
    return this.#phase === 'closed' || this.#phase === 'busy' || this.#phase === 'abandoned';
  }

  /** One listener serves all calls with one signal, as those of an episode are: adding and taking away one a call costs more than a step. */
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
      busy: ['while another call is under way.', 'Await each call before the next one.'],
      abandoned: [
        'while a call that was given up is still under way.',
        'Close this env and create a new one.',
      ],
      running: ['in mid-episode.', 'Finish the episode first.'],
      ended: ['after the end of the episode.', 'Call reset for a new episode: nothing resets itself.'],
      closed: ['after close.', 'Create a new env.'],
    }[this.#phase] as [string, string];
    return new UsageError({ where: `${this.#id}.${call}`, what: `it was called ${why[0]}`, fix: why[1] });
  }
}
