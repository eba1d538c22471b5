import type { PackedTokens } from '../packed-tokens.ts';

/** Rows of keys and values: so many slots of so many tokens each, one after the other. */
export interface CacheSize {
  readonly slots: number;
  readonly rowsOfSlot: number;
}

/** Forward passes over a cache of keys and values, with a model's weights of the moment. */
export interface CachedPasses {
  readonly holdsMemory: boolean;
  /**
   * Computes tokens and keeps their keys and values: `from` is the first row of each token's slot, `until` its own. Gives the logits of the
   * places, row by row.
   */
  run(packed: PackedTokens, places: Int32Array): Promise<readonly Float32Array[]>;
  /** Frees the memory, which the next pass takes again. */
  free(): Promise<void>;
}
