import { UsageError } from '../../envs/core/errors.ts';
import { scoredStarts, type TokenBatch } from './token-batch.ts';

/**
 * Shares the rows that have a scored token out among passes of at most so many tokens, rows of like length together: the longest
 * first, each into the first pass that has room for it. No row is cut. Throws a `UsageError` for a row that is too long.
 */
export function planMicroBatches(batch: TokenBatch, tokensAtOnce: number): readonly Int32Array[] {
  const starts = scoredStarts(batch);
  const lengthOf = (row: number): number =>
    (batch.rowStart[row + 1] as number) - (batch.rowStart[row] as number);
  const rows = Array.from({ length: batch.rowStart.length - 1 }, (_, row) => row).filter(
    (row) => starts[row] !== starts[row + 1],
  );
  const passes: { readonly rows: number[]; room: number }[] = [];
  for (const row of rows.toSorted((a, b) => lengthOf(b) - lengthOf(a) || a - b)) {
    const length = lengthOf(row);
    if (length > tokensAtOnce) throw tooLong(row, length, tokensAtOnce);
    let pass = passes.find(({ room }) => room >= length);
    if (pass === undefined) passes.push((pass = { rows: [], room: tokensAtOnce }));
    pass.rows.push(row);
    pass.room -= length;
  }
  return passes.map((pass) => Int32Array.from(pass.rows));
}

/** Parts of a batch that workers can share out, at least, where they are not too small. */
const sharesAtLeast = 16;
/** Tokens of a pass below which the work around it counts: at 256 a time a small model's step takes a fifteenth longer than at 1,024, at 512 a fiftieth. */
const smallestShare = 512;

/**
 * Tokens of a pass where workers share the batch. It goes by the batch alone, never by their number, so that sums are rounded the same
 * however many there are.
 */
export function tokensOfShare(
  { tokens, longest }: { readonly tokens: number; readonly longest: number },
  tokensAtOnce: number,
): number {
  return Math.min(tokensAtOnce, Math.max(longest, smallestShare, Math.ceil(tokens / sharesAtLeast)));
}

/** Tokens of the longest row. */
export function longestRow({ rowStart }: Pick<TokenBatch, 'rowStart'>): number {
  let longest = 0;
  for (let row = 0; row + 1 < rowStart.length; row += 1)
    longest = Math.max(longest, (rowStart[row + 1] as number) - (rowStart[row] as number));
  return longest;
}

function tooLong(row: number, length: number, tokensAtOnce: number): UsageError {
  return new UsageError({
    where: `token batch, row ${row}`,
    what: `it has ${length} tokens, more than the ${tokensAtOnce} that the model takes at once.`,
    fix: `Raise tokensAtOnce to ${length} or more, with recompute where memory is short, or shorten what the policy is shown.`,
  });
}
