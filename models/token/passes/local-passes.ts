import { setImmediate as nextTurn } from 'node:timers/promises';
import { learnPass, scorePass, type PassComputer } from './compute-pass.ts';
import type { LearnedPass, LearnJob, Passes, ScoreJob } from './passes.ts';

/** Passes in this thread, on the model's own backend, one after the other. */
export class LocalPasses implements Passes {
  readonly #model: PassComputer;

  /** @param model whose transformer is that of the moment */
  constructor(model: PassComputer) {
    this.#model = model;
  }

  async *score(job: ScoreJob, plan: readonly Int32Array[]): AsyncGenerator<Float32Array, void, undefined> {
    for (const rows of plan) {
      await nextTurn();
      yield await scorePass(this.#model, job, rows);
    }
  }

  async *learn(
    job: LearnJob,
    plan: readonly Int32Array[],
    signal: AbortSignal,
  ): AsyncGenerator<LearnedPass, void, undefined> {
    for (const rows of plan) {
      await nextTurn(); // nothing that a pass on the processor waits for lets anything else run, and an update has many
      signal.throwIfAborted();
      yield await learnPass(this.#model, job, rows);
    }
  }

  cached(): undefined {
    return undefined;
  }

  async close(): Promise<void> {}
}
