/** How the rows of queries, keys and values are made up. */
export interface HeadShape {
  readonly heads: number;
  /** Divides the number of heads. */
  readonly keyValueHeads: number;
  /** Numbers of a head. */
  readonly size: number;
}

/** Which keys each query sees: rows `from[t]` to `until[t]` of them, both included. */
export interface SightArrays {
  readonly from: Int32Array; // (T)
  readonly until: Int32Array; // (T)
}

export interface AttentionArrays extends HeadShape, SightArrays {
  readonly query: Float32Array; // (T, heads size)
  readonly key: Float32Array; // (S, keyValueHeads size)
  readonly value: Float32Array; // (S, keyValueHeads size)
}

export interface AttentionResult {
  readonly output: Float32Array; // (T, heads size)
  readonly logSum: Float32Array; // (T, heads)
}

export interface AttentionSlopes {
  readonly query: Float32Array; // (T, heads size)
  readonly key: Float32Array; // (S, keyValueHeads size)
  readonly value: Float32Array; // (S, keyValueHeads size)
}

/** Attention query by query, and its gradient. */
export interface AttentionLoops {
  /** `scores` is room for as many numbers as {@link scoreRoom} says, `shifts` for those of logSum. */
  attend(
    given: AttentionArrays,
    made: AttentionResult & { readonly scores: Float32Array; readonly shifts: Float32Array },
  ): void;
  /**
   * The gradient of `attend` (Dao 2023, algorithm 2): with P the probabilities and D the inner product of output and its gradient,
   * dS = P (dP - D). Adds to what the slopes by key and value hold. `scores` and `overScores` are room as above.
   */
  attendBackwards(
    given: AttentionArrays & AttentionResult & { readonly overOutput: Float32Array },
    made: AttentionSlopes & { readonly scores: Float32Array; readonly overScores: Float32Array },
  ): void;
}

/** Room for the scores of the query that sees most keys, and as much beyond them as a vector is wide. */
export function scoreRoom({ from, until }: SightArrays): number {
  let most = 0;
  for (let token = 0; token < from.length; token += 1)
    most = Math.max(most, (until[token] as number) + 1 - (from[token] as number));
  return 4 * Math.ceil(most / 4) + 4;
}
