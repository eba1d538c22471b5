/** Keeps what the world says apart from the tokens by which a model is steered, such as `<|im_end|>` and `<think>`, whose texts are reserved. */
export interface TextGuard {
  /** What an env or a person says, in which no reserved text stands any more: each is broken, so that the model reads it letter by letter. */
  tell(text: string): string;
  /** Undoes {@link tell}: what a model means that writes what it was told. */
  mean(text: string): string;
  /** A whole message, in which no text of a special token stands: as `tell` where there is one, and as it is where there is none. */
  message(text: string): string;
}

/** For models that are given texts, whose tokens are not ours. */
export const openGuard: TextGuard = { tell: (text) => text, mean: (text) => text, message: (text) => text };
