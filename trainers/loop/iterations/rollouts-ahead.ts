import { openContextScope, type ContextScope } from '../../../agents/rollout/scope.ts';
import { playIteration, type PlayedIteration } from './iteration.ts';
import type { TrainingSetup } from '../setup/training-setup.ts';
import type { TrainState } from '../train-state.ts';

/**
 * The rollouts of a run, started before they are needed. While an iteration waits for its last episodes or
 * updates the weights, rollouts of later iterations run with the current weights.
 *
 * The random numbers of an iteration do not depend on this, nor do its tasks, unless they are chosen by what
 * is not solved yet. An iteration is learned from as a whole and in order: however long an episode takes, it
 * stays in its batch.
 */
export class RolloutsAhead implements AsyncDisposable {
  readonly #session: TrainingSetup;
  readonly #scope: ContextScope;
  readonly #onEpisode: (iteration: number, done: number) => void;
  readonly #begun = new Map<number, Promise<PlayedIteration>>();

  /** @param onEpisode receives the share of an iteration's episodes that are done */
  constructor(session: TrainingSetup, onEpisode: (iteration: number, done: number) => void) {
    this.#session = session;
    this.#scope = openContextScope(session.context);
    this.#onEpisode = onEpisode;
  }

  /** The rollouts of the iteration after `before`. Starts those that may run ahead. */
  async take(before: TrainState): Promise<PlayedIteration> {
    const { config } = this.#session;
    const number = before.iteration + 1;
    const last = Math.min(number + config.async, config.iterations);
    for (let iteration = number; iteration <= last; iteration += 1) this.#begin(iteration, before);
    const played = this.#begun.get(number);
    this.#begun.delete(number);
    if (played === undefined) throw new TypeError(`iteration ${number} is beyond the run`);
    return played;
  }

  /** Stops rollouts that are no longer needed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#scope.abort(new Error('the training is over'));
    await Promise.allSettled(this.#begun.values());
    this.#scope[Symbol.dispose]();
  }

  #begin(iteration: number, { curriculum }: TrainState): void {
    if (this.#begun.has(iteration)) return;
    const played = playIteration(
      { ...this.#session, context: this.#scope.context },
      { iteration, curriculum, onEpisode: (done) => this.#onEpisode(iteration, done) },
    );
    played.catch(() => undefined); // reported when it is awaited
    this.#begun.set(iteration, played);
  }
}
