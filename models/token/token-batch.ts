import { UsageError } from '../../envs/core/errors.ts';
import { assertStarts, assertTrainingNumbers, refusalOf, type RefuseArray } from '../batch-checks.ts';
import { selectBags, type Bags } from '../kernels/bag.ts';
import type { TransformerConfig } from './transformer-config.ts';

/** R rows of T tokens in all, packed end to end, and the S tokens among them that are scored. */
export interface TokenBatch {
  readonly tokens: Int32Array; // (T)
  /** Row r is tokens rowStart[r] .. rowStart[r + 1]. */
  readonly rowStart: Int32Array; // (R + 1)
  /** Places among all tokens, rising, of those that the policy wrote; never the first of a row, which nothing foretells. */
  readonly scored: Int32Array; // (S)
  /** For each scored token those that it was drawn from, among which it is and over which its probability counts; none where it could be any. */
  readonly allowed?: Bags; // (S) bags of token ids
}

/** Tokens to learn from. All arrays of its own have one entry a scored token. */
export interface TokenTraining extends TokenBatch {
  readonly advantage: Float32Array; // (S)
  /** 0 = not trained. */
  readonly weight: Float32Array; // (S)
  readonly behaviourLogprob: Float32Array; // (S)
  readonly proximalLogprob: Float32Array; // (S)
  readonly referenceLogprob?: Float32Array; // (S)
  /**
   * What the sum over tokens is divided by; the sum of `weight` when absent. Parts of one batch that are accumulated one after the
   * other give the whole batch's gradient when each is divided by the whole batch's normaliser.
   */
  readonly normaliser?: number;
  /** Names the batch in errors. */
  readonly label?: string;
}

/** Where each row's scored tokens begin among all scored ones. */
export function scoredStarts({ rowStart, scored }: TokenBatch): Int32Array {
  const starts = new Int32Array(rowStart.length); // (R + 1)
  let at = 0;
  for (let row = 0; row < rowStart.length; row += 1) {
    while (at < scored.length && (scored[at] as number) < (rowStart[row] as number)) at += 1;
    starts[row] = at;
  }
  return starts;
}

/**
 * Selects the rows of `batch` named by `which`, in that order, as a batch of their own. Also returns the
 * numbers of its scored tokens in the whole batch.
 */
export function selectRows(
  batch: TokenBatch,
  which: ArrayLike<number>,
): { readonly batch: TokenBatch; readonly scored: Int32Array } {
  const starts = scoredStarts(batch);
  const rowStart = new Int32Array(which.length + 1);
  const numbers: number[] = [];
  const places: number[] = [];
  for (let at = 0; at < which.length; at += 1) {
    const row = which[at] as number;
    const first = batch.rowStart[row] as number;
    rowStart[at + 1] = (rowStart[at] as number) + (batch.rowStart[row + 1] as number) - first;
    for (let scored = starts[row] as number; scored < (starts[row + 1] as number); scored += 1) {
      numbers.push(scored);
      places.push((rowStart[at] as number) + (batch.scored[scored] as number) - first);
    }
  }
  const tokens = new Int32Array(rowStart[which.length] as number);
  for (let at = 0; at < which.length; at += 1) {
    const row = which[at] as number;
    tokens.set(batch.tokens.subarray(batch.rowStart[row], batch.rowStart[row + 1]), rowStart[at]);
  }
  const scored = Int32Array.from(numbers);
  const allowed = batch.allowed === undefined ? {} : { allowed: selectBags(batch.allowed, scored) };
  return { batch: { tokens, rowStart, scored: Int32Array.from(places), ...allowed }, scored };
}

const refuse: RefuseArray = refusalOf('token batch', 'TokenBatch');

/** Refuses a batch whose arrays do not fit together or do not fit the model, before a stray index can read what it must not. */
export function assertTokenBatch(batch: TokenBatch, { vocabulary, longestContext }: TransformerConfig): void {
  const { tokens, rowStart, scored, allowed } = batch;
  assertStarts(refuse, 'rowStart', rowStart, tokens.length);
  assertIds('tokens', tokens, vocabulary);
  for (let row = 0; row + 1 < rowStart.length; row += 1) {
    const length = (rowStart[row + 1] as number) - (rowStart[row] as number);
    if (length === 0) refuse(`rowStart[${row}]`, 'leaves a row without tokens.');
    if (length > longestContext) throw tooLong(`row ${row}`, length, longestContext);
  }
  const firsts = new Set(rowStart);
  for (let at = 0; at < scored.length; at += 1) {
    const place = scored[at] as number;
    if (place <= (at === 0 ? 0 : (scored[at - 1] as number)) || place >= tokens.length)
      refuse(`scored[${at}]`, `is ${place}: the places do not rise from 1 to ${tokens.length - 1}.`);
    if (firsts.has(place))
      refuse(`scored[${at}]`, `is ${place}, the first token of a row, which nothing foretells.`);
  }
  if (allowed !== undefined) assertAllowed(batch, allowed, vocabulary);
}

/** As {@link assertTokenBatch}, and the arrays that only training reads. `name` is the batch's in errors. */
export function assertTokenTraining(training: TokenTraining, config: TransformerConfig, name: string): void {
  assertTokenBatch(training, config);
  const { advantage, weight, behaviourLogprob, proximalLogprob, referenceLogprob, normaliser } = training;
  assertTrainingNumbers(refuse, name, {
    count: training.scored.length,
    numbers: { advantage, behaviourLogprob, proximalLogprob, referenceLogprob },
    weight,
    normaliser,
  });
}

function assertAllowed({ tokens, scored }: TokenBatch, { members, start }: Bags, vocabulary: number): void {
  if (start.length !== scored.length + 1)
    refuse('allowed.start', `has ${start.length} entries for ${scored.length} scored tokens.`);
  assertStarts(refuse, 'allowed.start', start, members.length);
  assertIds('allowed.members', members, vocabulary);
  for (let at = 0; at < scored.length; at += 1) {
    const token = tokens[scored[at] as number] as number;
    const among = members.subarray(start[at], start[at + 1]);
    if (among.length > 0 && !among.includes(token))
      refuse(`allowed, scored token ${at}`, `is ${token}, which is not among those that it was drawn from.`);
  }
}

function assertIds(name: string, ids: Int32Array, vocabulary: number): void {
  const at = ids.findIndex((id) => id < 0 || id >= vocabulary);
  if (at === -1) return;
  throw new UsageError({
    where: `token batch, ${name}[${at}]`,
    what: `its id is ${ids[at]}, but the model knows the ids below ${vocabulary}.`,
    fix: 'Use the tokenizer that belongs to the model.',
  });
}

function tooLong(row: string, length: number, longestContext: number): UsageError {
  return new UsageError({
    where: `token batch, ${row}`,
    what: `it has ${length} tokens, but the model's context has ${longestContext}.`,
    fix: 'Shorten what the policy is shown, or take a model with a longer context.',
  });
}
