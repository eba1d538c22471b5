import { z } from 'zod';
import { FaultError, UsageError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { ToolDescription } from '../../core/textual.ts';
import { openDeadline } from '../../core/waiting.ts';
import { JsonClient } from '../json-client/json-client.ts';

/** A message in the form of OpenAI's chat completions. */
export type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls?: readonly ChatCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** A call of a tool. `arguments` is the text of a JSON object, which models may write wrong. */
export interface ChatCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** What a model answers. */
export interface ChatAnswer {
  readonly content: string;
  readonly calls: readonly ChatCall[];
}

export interface ChatModelOptions {
  /** What the model is for, such as `user simulator`. Faults name it. */
  readonly where: string;
  /** `openai:MODEL@URL`. */
  readonly address: string;
  /** The key of the server; undefined: none is sent. It appears in no error. */
  readonly key: string | undefined;
  /** Milliseconds for one answer, with all tries. */
  readonly timeoutMs: number;
  /** Tries after the first one that failed, for failures that may pass. */
  readonly retries: number;
}

/** A model of an OpenAI-compatible server that plays a part of an env. */
export interface ChatModel {
  /**
   * Asks at temperature 0.
   *
   * @throws FaultError where the server is down, late, or answers with something else
   */
  ask(
    messages: readonly ChatMessage[],
    tools: readonly ToolDescription[],
    signal: AbortSignal,
  ): Promise<ChatAnswer>;
  close(): Promise<void>;
}

/** Requests at once. */
const concurrency = 64;

const answerSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
});

/**
 * Opens a model.
 *
 * @throws UsageError for an address that is not `openai:MODEL@URL`
 */
export function openChatModel(options: ChatModelOptions): ChatModel {
  const { model, base } = parseAddress(options);
  return new HttpChatModel(options, model, base);
}

class HttpChatModel implements ChatModel {
  readonly #options: ChatModelOptions;
  readonly #model: string;
  readonly #base: string;
  readonly #client: JsonClient;

  constructor(options: ChatModelOptions, model: string, base: string) {
    const { key, timeoutMs, retries } = options;
    this.#options = options;
    this.#model = model;
    this.#base = base;
    this.#client = new JsonClient(
      base,
      { timeoutMs, retries, concurrency },
      {
        now: () => 0, // requests are not spaced
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        faultOf: ({ message, cause }) => this.#fault(message, cause),
      },
    );
  }

  async ask(
    messages: readonly ChatMessage[],
    tools: readonly ToolDescription[],
    signal: AbortSignal,
  ): Promise<ChatAnswer> {
    const { timeoutMs, where } = this.#options;
    const body = {
      model: this.#model,
      messages,
      temperature: 0,
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    };
    using deadline = openDeadline(signal, { where, ms: timeoutMs }); // of all tries
    try {
      const { choices } = await this.#client.post('chat/completions', body, answerSchema, deadline.signal);
      const message = choices[0]?.message;
      return {
        content: message?.content ?? '',
        calls: (message?.tool_calls ?? []).map((call) => ({ ...call, type: 'function' as const })),
      };
    } catch (thrown) {
      signal.throwIfAborted();
      throw deadline.signal.aborted
        ? this.#fault(`${this.#base}: it did not answer within ${timeoutMs} ms`)
        : thrown;
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  #fault(why: string, cause?: unknown): FaultError {
    const { where, key } = this.#options;
    const message = key === undefined ? why : why.replaceAll(key, '[secret]');
    return new FaultError({ kind: 'env-crashed', where, message }, { cause });
  }
}

/** An address of `openai:MODEL@URL`. */
export const addressPattern = /^openai:(.+)@(https?:\/\/.+)$/;

function parseAddress({ where, address }: ChatModelOptions): {
  readonly model: string;
  readonly base: string;
} {
  const [, model, url] = addressPattern.exec(address) ?? [];
  if (model !== undefined && url !== undefined && URL.canParse(url))
    return { model, base: url.replace(/\/+$/, '') };
  throw new UsageError({
    where,
    what: `${JSON.stringify(address)} is no model of a server.`,
    fix: 'Write openai:MODEL@URL, such as openai:Qwen/Qwen3-8B@http://localhost:8000/v1.',
  });
}

/** JSON of messages, for the state of an episode. */
export const messagesJson = (messages: readonly ChatMessage[]): Json => messages as unknown as Json; // they are JSON by their types
