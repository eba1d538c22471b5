/**
 * Protects tokens that steer a model, such as `<|im_end|>` and `<think>`: their texts are reserved and must
 * not come from an env.
 */
export interface TextGuard {
  /**
   * Text of an env or a person without reserved texts: each one is split, so that the model reads its
   * characters.
   */
  tell(text: string): string;
  /** The inverse of {@link tell}: what a model means that repeats the text it was given. */
  mean(text: string): string;
  /**
   * A whole message without texts of special tokens: changed as by `tell` if it has one, otherwise unchanged.
   */
  message(text: string): string;
}

/** For models that receive text and tokenise it themselves. */
export const openGuard: TextGuard = { tell: (text) => text, mean: (text) => text, message: (text) => text };
