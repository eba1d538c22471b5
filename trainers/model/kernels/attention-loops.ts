import type { RowLoops, Rows } from './kernel-loops.ts';

/** How the rows of queries, keys and values are made up. */
export interface HeadShape {
  readonly heads: number;
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

/** One query of one head, and the rows of the keys and values that it sees. */
interface Look {
  /** Among the queries of all heads. */
  readonly place: number;
  /** Where the query begins, and so its output. */
  readonly at: number;
  readonly rows: Omit<Rows, 'values'>;
}

/** Attention query by query. `scores` is room for so many numbers as {@link mostSeen} says. */
export function attend(loops: RowLoops, given: AttentionArrays, { output, logSum, scores }: AttentionResult & { readonly scores: Float32Array }): void {
  const scale = 1 / Math.sqrt(given.size);
  for (const { place, at, rows } of looks(given)) {
    loops.dots({ values: given.query, at }, { values: given.key, ...rows }, scale, scores);
    const { sum, shift } = loops.exponentials(scores, rows.count, undefined);
    loops.weightedSum(scores, { values: given.value, ...rows }, 1 / sum, { values: output, at });
    logSum[place] = shift + Math.log(sum);
  }
}

/**
 * The gradient of {@link attend} (Dao 2023, algorithm 2): with P the probabilities and D the inner product of output and its
 * gradient, dS = P (dP - D). Adds to what the slopes by key and value hold. `scores` and `overScores` are room as above.
 */
export function attendBackwards(
  loops: RowLoops,
  given: AttentionArrays & AttentionResult & { readonly overOutput: Float32Array },
  made: AttentionSlopes & { readonly scores: Float32Array; readonly overScores: Float32Array },
): void {
  const scale = 1 / Math.sqrt(given.size);
  const { scores, overScores } = made;
  for (const { place, at, rows } of looks(given)) {
    const [query, overOutput] = [{ values: given.query, at }, { values: given.overOutput, at }];
    const key = { values: given.key, ...rows };
    loops.dots(overOutput, { values: given.output, at, stride: 0, count: 1, width: given.size }, 1, overScores);
    const along = overScores[0] as number;
    loops.dots(query, key, scale, scores);
    loops.exponentials(scores, rows.count, given.logSum[place]);
    loops.dots(overOutput, { values: given.value, ...rows }, 1, overScores);
    for (let seen = 0; seen < rows.count; seen += 1) overScores[seen] = scale * (scores[seen] as number) * ((overScores[seen] as number) - along);
    loops.weightedSum(overScores, key, 1, { values: made.query, at });
    loops.addScaled(overScores, query, { values: made.key, ...rows });
    loops.addScaled(scores, overOutput, { values: made.value, ...rows });
  }
}

/** The most keys that a query sees, up to the next multiple of four. */
export function mostSeen({ from, until }: SightArrays): number {
  let most = 0;
  for (let token = 0; token < from.length; token += 1) most = Math.max(most, (until[token] as number) + 1 - (from[token] as number));
  return 4 * Math.ceil(most / 4);
}

function* looks({ heads, keyValueHeads, size, from, until }: HeadShape & SightArrays): Generator<Look> {
  const stride = keyValueHeads * size;
  for (let token = 0; token < from.length; token += 1) {
    const first = from[token] as number;
    const count = (until[token] as number) + 1 - first;
    for (let head = 0; head < heads; head += 1) {
      const group = Math.floor((head * keyValueHeads) / heads);
      const place = token * heads + head;
      yield { place, at: place * size, rows: { at: first * stride + group * size, stride, count, width: size } };
    }
  }
}
