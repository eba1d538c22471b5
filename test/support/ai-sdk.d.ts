/**
 * What `examples/ai-sdk-agent.ts` uses of the AI SDK (`ai` 7 and `@ai-sdk/openai-compatible` 3), which are
 * not installed here: `ai` 7 needs Node 22.
 */

declare module 'ai' {
  /** A model of a provider. */
  export interface LanguageModel {
    readonly modelId: string;
  }
  export interface ModelMessage {
    readonly role: 'user' | 'assistant';
    readonly content: string;
  }
  export function generateText(options: {
    readonly model: LanguageModel;
    readonly instructions?: string;
    readonly messages: ModelMessage[];
    readonly temperature?: number;
    readonly seed?: number;
    readonly maxOutputTokens?: number;
    readonly abortSignal?: AbortSignal;
  }): Promise<{
    readonly text: string;
    readonly usage: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined };
  }>;
}

declare module '@ai-sdk/openai-compatible' {
  import type { LanguageModel } from 'ai';

  export function createOpenAICompatible(settings: {
    readonly name: string;
    readonly baseURL: string;
    readonly apiKey?: string;
    readonly includeUsage?: boolean;
  }): (modelId: string) => LanguageModel;
}
