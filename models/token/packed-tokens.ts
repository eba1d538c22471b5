import { UsageError } from '../../envs/core/errors.ts';
import type { Sight } from './operations/attention.ts';
import type { TransformerConfig } from './transformer-config.ts';

/** The tokens of all rows end to end, T in all, at least one, without padding. */
export interface PackedTokens extends Sight {
  readonly ids: Int32Array; // (T)
  /** Places within their rows, from 0. */
  readonly positions: Int32Array; // (T)
}

/** Packs rows of token ids, each of which sees itself alone. */
export function packRows(rows: readonly ArrayLike<number>[]): PackedTokens {
  const tokens = rows.reduce((total, row) => total + row.length, 0);
  const packed = {
    ids: new Int32Array(tokens),
    positions: new Int32Array(tokens),
    from: new Int32Array(tokens),
    until: new Int32Array(tokens),
  };
  let start = 0;
  for (const row of rows) {
    packed.ids.set(row, start);
    packed.from.fill(start, start, start + row.length);
    for (let place = 0; place < row.length; place += 1) {
      packed.positions[start + place] = place;
      packed.until[start + place] = start + place;
    }
    start += row.length;
  }
  return packed;
}

/**
 * @throws UsageError for a token that the model does not know, and for a token beyond the longest context. An
 *   unknown token would read beyond the embedding.
 */
export function assertTokensFit(
  { ids, positions }: PackedTokens,
  { vocabulary, longestContext }: TransformerConfig,
): void {
  const unknown = ids.findIndex((id) => id < 0 || id >= vocabulary);
  if (unknown !== -1) {
    throw new UsageError({
      where: `token ${unknown} of the batch`,
      what: `its id is ${ids[unknown]}, but the model knows the ids below ${vocabulary}.`,
      fix: 'Use the tokenizer that belongs to the model.',
    });
  }
  const late = positions.findIndex((position) => position < 0 || position >= longestContext);
  if (late !== -1) {
    throw new UsageError({
      where: `token ${late} of the batch`,
      what: `it stands at place ${positions[late]} of its row, but the model's context has ${longestContext} tokens.`,
      fix: 'Shorten what the policy is shown, or take a model with a longer context.',
    });
  }
}
