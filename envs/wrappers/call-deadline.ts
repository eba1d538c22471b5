import { deriveContext, type Context, type ResetContext } from '../core/context.ts';
import type { Env, Snapshots } from '../core/env.ts';
import type { Opening, StepResult } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { abortable, openDeadline } from '../core/waiting.ts';

/**
 * Limits the time of each `reset` and `step`. It is for episodes whose other parts may take any time, such as
 * a human player. A late call is a fault of kind `deadline-passed`, and the env's signal aborts.
 */
export class CallDeadline<Obs, Act> implements Env<Obs, Act> {
  readonly #inner: Env<Obs, Act>;
  readonly #id: string;
  readonly #ms: number;
  readonly snapshots?: Snapshots<Obs, Act>;

  constructor(inner: Env<Obs, Act>, id: string, ms: number) {
    this.#inner = inner;
    this.#id = id;
    this.#ms = ms;
    if (inner.snapshots !== undefined) this.snapshots = inner.snapshots;
  }

  async reset(task: TaskRef, context: ResetContext): Promise<Opening<Obs, Act>> {
    using deadline = openDeadline(context.signal, { where: `${this.#id}.reset`, ms: this.#ms });
    return await abortable(deadline.signal, this.#inner.reset(task, { ...context, signal: deadline.signal }));
  }

  async step(action: Act, context: Context): Promise<StepResult<Obs, Act>> {
    using deadline = openDeadline(context.signal, { where: `${this.#id}.step`, ms: this.#ms });
    return await abortable(
      deadline.signal,
      this.#inner.step(action, deriveContext(context, { signal: deadline.signal })),
    );
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
