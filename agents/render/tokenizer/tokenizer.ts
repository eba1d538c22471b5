import { UsageError } from '../../../envs/core/errors.ts';

/** Encodes text to the ids that a language model reads, and decodes ids. */
export interface Tokenizer {
  /** Every id is below it. */
  readonly size: number;
  /**
   * Encodes a text. Special tokens are recognised by their exact text; none is added. Half a surrogate pair
   * is not a character and becomes U+FFFD.
   * @param after the last token of what the text continues. Tokenizers of SentencePiece's kind write a space
   * before a text, but not within one
   */
  encode(text: string, after?: number): number[];
  /**
   * Decodes ids, with special tokens as text. Invalid UTF-8 becomes U+FFFD, ids without a token become
   * nothing.
   * @param after the last token of what the ids continue: without it the space that encoding writes before a
   * text is removed
   */
  decode(ids: readonly number[], after?: number): string;
  /** Ids of special tokens, by text. */
  readonly special: ReadonlyMap<string, number>;
  /**
   * Special tokens and added tokens that steer a model without being special, such as `<think>`. Observations
   * must not contain their texts.
   */
  readonly reserved: ReadonlyMap<string, number>;
  /** Ids that end a turn of the model; empty if the checkpoint names none. */
  readonly endOfTurn: ReadonlySet<number>;
}

/**
 * Refuses a tokenizer with ids that the model does not have. Fewer ids than the model has are fine:
 * embeddings are often padded.
 * @param vocabulary rows of the model's embedding
 * @throws UsageError
 */
export function assertFits(tokenizer: Pick<Tokenizer, 'size'>, vocabulary: number, where: string): void {
  if (tokenizer.size <= vocabulary) return;
  throw new UsageError({
    where,
    what: `the tokenizer has ids up to ${tokenizer.size - 1}, and the model has ids below ${vocabulary}.`,
    fix: "Use the checkpoint's own tokenizer.",
  });
}
