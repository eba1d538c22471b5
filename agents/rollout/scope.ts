import { deriveContext, type Context } from '../../envs/core/context.ts';
import { openScope } from '../../envs/core/waiting.ts';

/** A context that its holder can abort without aborting the caller's. Path and luck are the caller's. */
export interface ContextScope extends Disposable {
  readonly context: Context;
  abort(reason: unknown): void;
}

/** Opens a scope under `parent`. Dispose it, so that it leaves the parent's signal. */
export function openContextScope(parent: Context): ContextScope {
  const { signal, ...scope } = openScope(parent.signal);
  return { context: deriveContext(parent, { signal }), ...scope };
}

/**
 * Scopes that units of work take in turn. A signal looks through all its listeners to add one, so a thousand episodes on one
 * signal would cost each other a thousand looks; on lanes it is about the square root of that.
 */
export class SignalShards implements Disposable {
  readonly #lanes: readonly ContextScope[];
  #next = 0;

  constructor(parent: Context, width: number) {
    this.#lanes = Array.from({ length: Math.ceil(Math.sqrt(width)) }, () => openContextScope(parent));
  }

  /** The context of the next lane. */
  next(): Context {
    this.#next = (this.#next + 1) % this.#lanes.length;
    return (this.#lanes[this.#next] as ContextScope).context;
  }

  [Symbol.dispose](): void {
    for (const lane of this.#lanes) lane[Symbol.dispose]();
  }
}
