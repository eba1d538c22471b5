import { createRng } from '../../../envs/core/rng.ts';
import { scoredStarts, type TokenBatch, type TokenTraining } from '../../../models/token/token-batch.ts';

/** The rows with all of their tokens but the first scored. */
export function batchOf(rows: readonly (readonly number[])[]): TokenBatch {
  const rowStart = [0];
  for (const row of rows) rowStart.push((rowStart.at(-1) as number) + row.length);
  const firsts = new Set(rowStart);
  const tokens = Int32Array.from(rows.flat());
  return {
    tokens,
    rowStart: Int32Array.from(rowStart),
    scored: Int32Array.from(tokens.keys()).filter((place) => !firsts.has(place)),
  };
}

/** To be imitated, all tokens alike. */
export function imitationOf(batch: TokenBatch): TokenTraining {
  const filled = (value: number): Float32Array => new Float32Array(batch.scored.length).fill(value);
  return {
    ...batch,
    advantage: filled(0),
    weight: filled(1),
    behaviourLogprob: filled(0),
    proximalLogprob: filled(0),
  };
}

/**
 * Rows of 2 to 9 random tokens, two thirds of them scored, one in eight of weight 0; log-probabilities near those of a policy that knows
 * nothing. At least one token is trained.
 */
export function randomTraining(
  seed: number,
  of: { readonly rows: number; readonly vocabulary: number },
): TokenTraining & { readonly referenceLogprob: Float32Array } {
  const rng = createRng(seed).fork('tokens');
  const rows = Array.from({ length: of.rows }, () =>
    Array.from({ length: 2 + Math.floor(8 * rng.uniform()) }, () =>
      Math.floor(of.vocabulary * rng.uniform()),
    ),
  );
  const all = batchOf(rows);
  const scored = all.scored.filter((_, at) => at === 0 || rng.uniform() < 2 / 3);
  const values = (make: () => number): Float32Array => Float32Array.from(scored, make);
  const near = (): number => -Math.log(of.vocabulary) + rng.uniform() - 0.5;
  const proximalLogprob = values(near);
  return {
    ...all,
    scored,
    advantage: values(() => 3 * rng.uniform() - 1.5),
    weight: Float32Array.from(scored, (_, at) => (at > 0 && rng.uniform() < 1 / 8 ? 0 : 0.5 + rng.uniform())),
    proximalLogprob,
    behaviourLogprob: proximalLogprob.map((logprob) => logprob + 0.4 * rng.uniform() - 0.2),
    referenceLogprob: values(near),
  };
}

/** The rows named, as a batch to learn from of their own, under the normaliser of the whole. */
export function rowsOfTraining(
  training: TokenTraining & { readonly referenceLogprob: Float32Array },
  which: readonly number[],
): TokenTraining {
  const starts = scoredStarts(training);
  const rows = which.map((row) => [
    ...training.tokens.subarray(training.rowStart[row], training.rowStart[row + 1]),
  ]);
  const { tokens, rowStart } = batchOf(rows);
  const numbers = which.flatMap((row) =>
    Array.from(
      { length: (starts[row + 1] as number) - (starts[row] as number) },
      (_, at) => (starts[row] as number) + at,
    ),
  );
  const scored = which.flatMap((row, at) =>
    [...training.scored.subarray(starts[row], starts[row + 1])].map(
      (place) => place - (training.rowStart[row] as number) + (rowStart[at] as number),
    ),
  );
  const pick = (values: Float32Array): Float32Array =>
    Float32Array.from(numbers, (at) => values[at] as number);
  return {
    tokens,
    rowStart,
    scored: Int32Array.from(scored),
    advantage: pick(training.advantage),
    weight: pick(training.weight),
    proximalLogprob: pick(training.proximalLogprob),
    behaviourLogprob: pick(training.behaviourLogprob),
    referenceLogprob: pick(training.referenceLogprob),
    normaliser: training.normaliser ?? training.weight.reduce((total, weight) => total + weight, 0),
  };
}
