import type { Context } from '../../envs/core/context.ts';
import type { ToolDescription } from '../../envs/core/textual.ts';
import type { TokenUsage } from '../core/agent.ts';
import type { WrittenCall } from './tool-calls.ts';

/** One message of a conversation. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
  /** Of the assistant: the tools that it called, in order; absent for none. */
  readonly calls?: readonly (WrittenCall & { readonly id: string })[];
  /** Of the user: the id of the call whose result this is. */
  readonly answers?: string;
}

/** A request to a model. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** Texts that end the reply. The reply does not include them. */
  readonly stop: readonly string[];
  /** Tools that the model can call; none by default. */
  readonly tools?: readonly ToolDescription[];
}

/** The answer of a model. */
export type ChatReply =
  | {
      readonly kind: 'said';
      readonly text: string;
      /** Tools that it called, in order; absent for none. */
      readonly calls?: readonly WrittenCall[];
      /** True if the token limit cut the reply off. */
      readonly cut: boolean;
      readonly usage: TokenUsage | undefined;
      /** Characters of reasoning that the model returned apart from the text. */
      readonly reasoningCharacters: number;
    }
  /** The conversation exceeds the model's context: retry with a shorter one. */
  | { readonly kind: 'too-long'; readonly why: string };

/** How a text agent reaches a language model. */
export interface ChatModel {
  /** Asks the model. The call respects `context.signal`. @throws FaultError if the server fails */
  complete(request: ChatRequest, context: Context): Promise<ChatReply>;
}
