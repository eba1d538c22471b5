import { deriveContext, type Context } from '../../envs/core/context.ts';
import { openScope } from '../../envs/core/waiting.ts';

/**
 * A context that its owner can abort without aborting the parent. Path and random stream are the parent's.
 */
export interface ContextScope extends Disposable {
  readonly context: Context;
  abort(reason: unknown): void;
}

/** Opens a scope below `parent`. Dispose it to remove its listener from the parent's signal. */
export function openContextScope(parent: Context): ContextScope {
  const { signal, ...scope } = openScope(parent.signal);
  return { context: deriveContext(parent, { signal }), ...scope };
}

/**
 * Distributes many units of work over several scopes. Adding a listener to a signal scans all its listeners,
 * so n episodes on one signal cost n scans of n. Shards reduce each scan to about the square root of n.
 */
export class SignalShards implements Disposable {
  readonly #lanes: readonly ContextScope[];
  #next = 0;

  constructor(parent: Context, width: number) {
    this.#lanes = Array.from({ length: Math.ceil(Math.sqrt(width)) }, () => openContextScope(parent));
  }

  /** The context of the next shard. */
  next(): Context {
    this.#next = (this.#next + 1) % this.#lanes.length;
    return (this.#lanes[this.#next] as ContextScope).context;
  }

  [Symbol.dispose](): void {
    for (const lane of this.#lanes) lane[Symbol.dispose]();
  }
}
