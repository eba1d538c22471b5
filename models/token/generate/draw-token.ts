import type { TokenDecoding } from '../../../agents/core/token-sampler.ts';
import { RunError } from '../../../envs/core/errors.ts';

export interface DrawnToken {
  /** Its id; -1 where a backend found that the logits are not finite. */
  readonly token: number;
  /** Under the distribution that it was drawn from. */
  readonly logprob: number;
}

/** From what a token is drawn, and how. */
export interface TokenChoice {
  /** One for each id, before temperature. */
  readonly logits: Float32Array; // (V)
  /** The only ids that may be drawn, at least one; undefined for all. */
  readonly candidates: readonly number[] | undefined;
  readonly decoding: TokenDecoding;
  /** Uniform in [0, 1); asked once, and not at temperature 0. */
  readonly uniform: () => number;
  /** Names the request in errors. */
  readonly where: string;
}

/**
 * Draws the next token. The filters stand one behind the other, as in transformers: temperature, top-k, top-p of what top-k left, min-p;
 * of equal tokens the one named first, by candidates or by id, counts as the more likely.
 */
export function drawToken({ logits, candidates, decoding, uniform, where }: TokenChoice): DrawnToken {
  const values =
    candidates === undefined ? logits : Float32Array.from(candidates, (id) => logits[id] as number);
  const idOf = (place: number): number => candidates?.[place] ?? place;
  const best = mostLikely(values, idOf, where);
  if (decoding.temperature === 0) return { token: idOf(best), logprob: 0 };
  const largest = values[best] as number;
  const shares = sharesOf(values, largest, decoding.temperature);
  filter(shares, decoding);
  const total = sumOf(shares);
  const place = placeAt(shares, uniform() * total);
  return {
    token: idOf(place),
    logprob: ((values[place] as number) - largest) / decoding.temperature - Math.log(total),
  };
}

/** The softmax before it is divided by its sum. */
function sharesOf(values: Float32Array, largest: number, temperature: number): Float64Array {
  const shares = new Float64Array(values.length);
  for (let place = 0; place < values.length; place += 1)
    shares[place] = Math.exp(((values[place] as number) - largest) / temperature);
  return shares;
}

function mostLikely(values: Float32Array, idOf: (place: number) => number, where: string): number {
  let best = 0;
  let sum = 0; // finite only where all are
  for (let place = 0; place < values.length; place += 1) {
    sum += values[place] as number;
    if ((values[place] as number) > (values[best] as number)) best = place;
  }
  if (Number.isFinite(sum)) return best;
  const odd = values.findIndex((value) => !Number.isFinite(value));
  throw logitsNotFinite(where, `the logit of token ${idOf(odd)} is ${values[odd]}, not a finite number.`);
}

export function logitsNotFinite(where: string, what: string): RunError {
  return new RunError({
    where: `what is written for ${where}`,
    what,
    fix: 'The weights have diverged: go back to an earlier checkpoint and lower the learning rate; where nothing was trained yet, begin from another model.',
  });
}

/** Takes the shares of what is not drawn from to 0. The largest share is 1. */
function filter(shares: Float64Array, { topK, topP = 1, minP = 0 }: TokenDecoding): void {
  if ((topK !== undefined && topK < shares.length) || topP < 1)
    keepFirst(shares, countOfMost(shares, topK ?? shares.length, topP));
  if (minP > 0)
    for (let place = 0; place < shares.length; place += 1)
      if ((shares[place] as number) < minP) shares[place] = 0;
}

/** How many of the most likely have, of the `topK` most likely, a probability of `topP` together. */
function countOfMost(
  shares: Float64Array,
  topK: number,
  topP: number,
): { readonly count: number; readonly least: number } {
  const most = shares.toSorted().reverse().subarray(0, topK);
  const wanted = topP < 1 ? topP * sumOf(most) : Number.POSITIVE_INFINITY;
  let count = 0;
  for (let sum = 0; count < most.length && (count === 0 || sum < wanted); count += 1)
    sum += most[count] as number;
  return { count, least: most[count - 1] as number };
}

/** Keeps `count` shares: those above `least`, and the first that equal it. */
function keepFirst(shares: Float64Array, { count, least }: ReturnType<typeof countOfMost>): void {
  let equal = count - shares.reduce((above, share) => above + (share > least ? 1 : 0), 0);
  for (let place = 0; place < shares.length; place += 1) {
    const share = shares[place] as number;
    if (share > least) continue;
    if (share === least && equal > 0) equal -= 1;
    else shares[place] = 0;
  }
}

/** The place where the shares, one behind the other, reach the point. */
function placeAt(shares: Float64Array, point: number): number {
  let sum = 0;
  let last = 0;
  for (let place = 0; place < shares.length; place += 1) {
    if (shares[place] === 0) continue;
    last = place;
    sum += shares[place] as number;
    if (point < sum) return place;
  }
  return last; // where the point is the end, by rounding
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let place = 0; place < values.length; place += 1) sum += values[place] as number;
  return sum;
}
