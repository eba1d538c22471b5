import { z } from 'zod';
import type { Json } from '../../envs/core/json.ts';
import type { ChatMessage } from '../prompt/chat-model.ts';

/** Text to tokens and back. */
export interface TokenCodec {
  /** Special tokens that stand in the text are recognised, and none are added. */
  encode(text: string): readonly number[];
  /** Special tokens are written out. */
  decode(tokens: readonly number[]): string;
}

/** Messages to text. What a message says never becomes a special token. */
export interface MessageTemplate {
  render(messages: readonly ChatMessage[], options: { readonly addGenerationPrompt: boolean }): string;
}

/** What a model is shown, in tokens. */
export interface TokenPrompt {
  readonly tokens: readonly number[];
  /** So many of them are the beginning of what was shown and written last; all of that where this goes on behind it. */
  readonly kept: number;
  /** What the tokens say. */
  readonly text: string;
}

/** The tokens of an episode: what was shown and written last, so that the next prompt takes it over and encodes only what is new. */
export class TokenTranscript {
  readonly #codec: TokenCodec;
  /** Of the last prompt and what was written behind it. */
  #tokens: readonly number[] = [];
  /** How many of them are the prompt's. */
  #shown = 0;
  #text = '';

  constructor(codec: TokenCodec) {
    this.#codec = codec;
  }

  /** A prompt of that text which goes on behind what was written last; undefined where the text begins otherwise. */
  extended(text: string): TokenPrompt | undefined {
    if (this.#shown === 0 || !text.startsWith(this.#text)) return undefined;
    return {
      tokens: [...this.#tokens, ...this.#codec.encode(text.slice(this.#text.length))],
      kept: this.#tokens.length,
      text,
    };
  }

  /** A prompt of that text by itself. It keeps nothing of what was written: that is encoded again where it is shown again. */
  separate(text: string): TokenPrompt {
    const tokens = this.#codec.encode(text);
    const most = Math.min(tokens.length, this.#shown);
    let kept = 0;
    while (kept < most && tokens[kept] === this.#tokens[kept]) kept += 1;
    return { tokens, kept, text };
  }

  /** The prompt with the last tokens of what was written behind it, and nothing of what came between. */
  carried({ tokens, text }: TokenPrompt, carried: readonly number[]): TokenPrompt {
    return { tokens: [...tokens, ...carried], kept: tokens.length, text: text + this.#codec.decode(carried) };
  }

  /** Notes what was written behind a prompt. */
  wrote({ tokens, text }: TokenPrompt, written: readonly number[]): void {
    this.#tokens = [...tokens, ...written];
    this.#shown = tokens.length;
    this.#text = text + this.#codec.decode(written);
  }

  /** As plain JSON. */
  memory(): Readonly<Record<string, Json>> {
    return { tokens: this.#tokens, shown: this.#shown, text: this.#text };
  }

  restore({ tokens, shown, text }: z.output<typeof transcriptMemorySchema>): void {
    this.#tokens = tokens;
    this.#shown = shown;
    this.#text = text;
  }
}

/** What {@link TokenTranscript.memory} gives. */
export const transcriptMemorySchema = z.strictObject({
  tokens: z.array(z.int().nonnegative()),
  shown: z.int().nonnegative(),
  text: z.string(),
});
