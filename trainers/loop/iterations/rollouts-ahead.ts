import { openContextScope, type ContextScope } from '../../../agents/rollout/scope.ts';
import { playIteration, type PlayedIteration } from './iteration.ts';
import type { TrainingSetup } from '../setup/training-setup.ts';
import type { TrainState } from '../train-state.ts';

/**
 * The rollouts of a run, begun before they are learned from: while an iteration waits for its last episodes or updates the weights,
 * those of so many iterations after it are under way, by the weights of the moment. An iteration's luck is its own, as are its tasks
 * unless they are drawn by what is not solved yet, and it is learned from whole and in order: however long an episode takes,
 * it is in the batch in which it was to be.
 */
export class RolloutsAhead implements AsyncDisposable {
  readonly #session: TrainingSetup;
  readonly #scope: ContextScope;
  readonly #onEpisode: (iteration: number, done: number) => void;
  readonly #begun = new Map<number, Promise<PlayedIteration>>();

  /** @param onEpisode is told the share of an iteration's episodes that are done */
  constructor(session: TrainingSetup, onEpisode: (iteration: number, done: number) => void) {
    this.#session = session;
    this.#scope = openContextScope(session.context);
    this.#onEpisode = onEpisode;
  }

  /** The rollouts of the iteration after `before`; begins those that may run ahead of it. */
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

  /** Ends what nobody waits for any more. */
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
    played.catch(() => undefined); // told when it is waited for
    this.#begun.set(iteration, played);
  }
}
