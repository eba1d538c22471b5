import { z } from 'zod';
import type { Json } from '../../envs/core/json.ts';
import type { ChatMessage } from '../prompt/chat-model.ts';

/** Encodes text to tokens and decodes it. */
export interface TokenCodec {
  /**
   * Recognises special tokens in the text and adds none.
   * @param after the last token of what the text continues
   */
  encode(text: string, after?: number): readonly number[];
  /**
   * Writes special tokens as text.
   * @param after the last token of what the tokens continue
   */
  decode(tokens: readonly number[], after?: number): string;
}

/** Formats messages as text. Content of a message never becomes a special token. */
export interface MessageTemplate {
  render(messages: readonly ChatMessage[], options: { readonly addGenerationPrompt: boolean }): string;
}

/** A prompt in tokens. */
export interface TokenPrompt {
  readonly tokens: readonly number[];
  /**
   * How many tokens it shares with the previous prompt and reply, from the beginning; all of those if it
   * extends them.
   */
  readonly kept: number;
  /** The decoded text of the tokens. */
  readonly text: string;
}

/**
 * The tokens of an episode: the last prompt and reply. The next prompt reuses them and encodes only new text.
 */
export class TokenTranscript {
  readonly #codec: TokenCodec;
  /** Tokens of the last prompt and its reply. */
  #tokens: readonly number[] = [];
  /** How many of them belong to the prompt. */
  #shown = 0;
  #text = '';

  constructor(codec: TokenCodec) {
    this.#codec = codec;
  }

  /**
   * A prompt of that text that extends the last prompt and reply; undefined if the text begins differently.
   */
  extended(text: string): TokenPrompt | undefined {
    if (this.#shown === 0 || !text.startsWith(this.#text)) return undefined;
    return {
      tokens: [...this.#tokens, ...this.#codec.encode(text.slice(this.#text.length), this.#tokens.at(-1))],
      kept: this.#tokens.length,
      text,
    };
  }

  /** A separate prompt of that text. It keeps no written tokens; replies shown in it are encoded again. */
  separate(text: string): TokenPrompt {
    const tokens = this.#codec.encode(text);
    const most = Math.min(tokens.length, this.#shown);
    let kept = 0;
    while (kept < most && tokens[kept] === this.#tokens[kept]) kept += 1;
    return { tokens, kept, text };
  }

  /** The prompt followed by the last written tokens, without what came between. */
  carried({ tokens, text }: TokenPrompt, carried: readonly number[]): TokenPrompt {
    return {
      tokens: [...tokens, ...carried],
      kept: tokens.length,
      text: text + this.#codec.decode(carried, tokens.at(-1)),
    };
  }

  /** Records what was written after a prompt. */
  wrote({ tokens, text }: TokenPrompt, written: readonly number[]): void {
    this.#tokens = [...tokens, ...written];
    this.#shown = tokens.length;
    this.#text = text + this.#codec.decode(written, tokens.at(-1));
  }

  /** The state as plain JSON. */
  memory(): Readonly<Record<string, Json>> {
    return { tokens: this.#tokens, shown: this.#shown, text: this.#text };
  }

  restore({ tokens, shown, text }: z.output<typeof transcriptMemorySchema>): void {
    this.#tokens = tokens;
    this.#shown = shown;
    this.#text = text;
  }
}

/** Schema of {@link TokenTranscript.memory}. */
export const transcriptMemorySchema = z.strictObject({
  tokens: z.array(z.int().nonnegative()),
  shown: z.int().nonnegative(),
  text: z.string(),
});
