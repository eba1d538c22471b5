/** An item sampled from a categorical distribution, and the natural logarithm of its probability. */
export interface Draw {
  readonly index: number;
  readonly logprob: number;
}

/**
 * Samples from softmax(logits / temperature) by inverse CDF at `uniform` in [0, 1), in double precision. The
 * greatest logit is subtracted first, so no exponential overflows and the sum is at least 1. Items that
 * underflow to 0 are never drawn.
 */
export function drawCategorical(logits: ArrayLike<number>, temperature: number, uniform: number): Draw {
  const greatest = logits[greatestIndex(logits)] as number;
  const exponent = (index: number): number => ((logits[index] as number) - greatest) / temperature;
  // (candidates); for so few items a typed array costs more to create than to use
  const weights: number[] = [];
  let sum = 0;
  for (let index = 0; index < logits.length; index += 1) {
    const weight = Math.exp(exponent(index));
    weights.push(weight);
    sum += weight;
  }
  const target = uniform * sum;
  let below = 0;
  let last = 0;
  for (let index = 0; index < weights.length; index += 1) {
    if (weights[index] === 0) continue;
    last = index; // used if rounding keeps the running sum below the target
    below += weights[index] as number;
    if (below > target) break;
  }
  return { index: last, logprob: exponent(last) - Math.log(sum) };
}

/**
 * The most probable items other than `chosen` in softmax(logits / temperature), at most `count`, with
 * probabilities rounded to four decimals. Equal ones come in the order of their indices.
 */
export function otherItems(
  logits: ArrayLike<number>,
  {
    chosen,
    temperature,
    count,
  }: { readonly chosen: number; readonly temperature: number; readonly count: number },
): readonly { readonly index: number; readonly probability: number }[] {
  const greatest = logits[greatestIndex(logits)] as number;
  const best: number[] = []; // indices, from the greatest logit
  let sum = 0;
  for (let index = 0; index < logits.length; index += 1) {
    const logit = logits[index] as number;
    sum += Math.exp((logit - greatest) / temperature);
    if (index === chosen) continue;
    let place = best.length;
    while (place > 0 && logit > (logits[best[place - 1] as number] as number)) place -= 1;
    if (place >= count) continue;
    best.splice(place, 0, index);
    if (best.length > count) best.pop();
  }
  return best.map((index) => {
    const share = Math.exp(((logits[index] as number) - greatest) / temperature) / sum;
    return { index, probability: Math.round(share * 10_000) / 10_000 };
  });
}

/** Index of the greatest number; the first one on a tie. */
export function greatestIndex(numbers: ArrayLike<number>): number {
  let best = 0;
  for (let index = 1; index < numbers.length; index += 1) {
    if ((numbers[index] as number) > (numbers[best] as number)) best = index;
  }
  return best;
}
