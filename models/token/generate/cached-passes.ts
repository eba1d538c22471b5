import type { PackedTokens } from '../packed-tokens.ts';
import type { DrawnToken } from './draw-token.ts';

/** Rows of keys and values: so many slots of so many tokens each, one after the other. */
export interface CacheSize {
  readonly slots: number;
  readonly rowsOfSlot: number;
}

/** How a token is drawn from all of the vocabulary. */
export interface PlainDraw {
  /** 0 takes the most likely. */
  readonly temperature: number;
  /** Uniform in [0, 1). */
  readonly point: number;
}

/** Forward passes over a cache of keys and values, with a model's weights of the moment. */
export interface CachedPasses {
  readonly holdsMemory: boolean;
  /**
   * Computes tokens and keeps their keys and values: `from` is the first row of each token's slot, `until` its own. Gives the logits of the
   * places, row by row.
   */
  run(packed: PackedTokens, places: Int32Array): Promise<readonly Float32Array[]>;
  /**
   * The same, but what follows each place is drawn where the logits are, for backends from which it takes long to bring them here; undefined
   * for others.
   */
  readonly draw:
    | ((
        packed: PackedTokens,
        places: Int32Array,
        draws: readonly PlainDraw[],
      ) => Promise<readonly DrawnToken[]>)
    | undefined;
  /** Frees the memory, which the next pass takes again. */
  free(): Promise<void>;
}
