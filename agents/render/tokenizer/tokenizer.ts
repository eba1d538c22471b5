import { UsageError } from '../../../envs/core/errors.ts';

/** Turns text into the ids that a language model reads, and back. */
export interface Tokenizer {
  /** Every id is below it. */
  readonly size: number;
  /**
   * The ids of a text. Special tokens are recognised by their exact text, none is added. Half a surrogate pair stands for no character
   * and becomes U+FFFD.
   */
  encode(text: string): number[];
  /** The text of ids, special tokens as they are written. Bytes that are no UTF-8 become U+FFFD, ids that have no token nothing. */
  decode(ids: readonly number[]): string;
  /** The ids of special tokens, by their texts. */
  readonly special: ReadonlyMap<string, number>;
  /** The same, and those of added tokens that steer a model without being special, such as `<think>`: texts that the world must not write. */
  readonly reserved: ReadonlyMap<string, number>;
  /** The ids that end a turn of the model; empty where the checkpoint names none. */
  readonly endOfTurn: ReadonlySet<number>;
}

/**
 * Refuses a tokenizer that has ids which the model does not know. Fewer ids than the model has are right: embeddings are often padded.
 *
 * @param vocabulary rows of the model's embedding
 * @throws UsageError
 */
export function assertFits(tokenizer: Pick<Tokenizer, 'size'>, vocabulary: number, where: string): void {
  if (tokenizer.size <= vocabulary) return;
  throw new UsageError({
    where,
    what: `the tokenizer has ids up to ${tokenizer.size - 1}, and the model knows those below ${vocabulary}.`,
    fix: 'Use the tokenizer that came with the checkpoint.',
  });
}
