import type { Context } from '../../envs/core/context.ts';
import type { TokenUsage } from '../core/agent.ts';

/** One message of a conversation. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
}

/** What a model is asked. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** Texts before which the reply ends. */
  readonly stop: readonly string[];
}

/** What came back. */
export type ChatReply =
  | {
      readonly kind: 'said';
      readonly text: string;
      /** True when the limit of tokens cut it off. */
      readonly cut: boolean;
      readonly usage: TokenUsage | undefined;
      /** Length of what the model reasoned apart from the text. */
      readonly reasoningCharacters: number;
    }
  /** The conversation has more tokens than the model takes: ask with less. */
  | { readonly kind: 'too-long'; readonly why: string };

/** The narrow port through which a text agent reaches a language model. */
export interface ChatModel {
  /** Heeds `context.signal`; what fails in the world is thrown as a `FaultError`. */
  complete(request: ChatRequest, context: Context): Promise<ChatReply>;
}
