import { z } from 'zod';
import { FaultError, UsageError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { ToolDescription } from '../../core/textual.ts';
import { baseOf, JsonClient, type RequestFailure } from '../json-client/json-client.ts';
import type { ModelConfig } from './model-config.ts';

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

/** The tokens of a request, as the server counts them. */
export interface ChatUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** What a model answers. */
export interface ChatAnswer {
  readonly content: string;
  readonly calls: readonly ChatCall[];
  /** Undefined where the server does not count tokens. */
  readonly usage: ChatUsage | undefined;
}

export interface ChatModelOptions {
  /** What the model is for, such as `user simulator`. Errors and faults name it. */
  readonly where: string;
  /** The environment, in which `keyName` is looked up. */
  readonly system?: Readonly<Record<string, string | undefined>> | undefined;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** The fault of a server that fails. Default: `env-crashed` at `where`. */
  readonly faultOf?: (failure: RequestFailure) => FaultError;
}

/** A model of an OpenAI-compatible server that plays a part of an env. */
export interface ChatModel {
  /**
   * Asks for one reply.
   *
   * @throws FaultError where the server is down, late, or answers with something else
   */
  ask(
    messages: readonly ChatMessage[],
    tools: readonly ToolDescription[],
    signal: AbortSignal,
  ): Promise<ChatAnswer>;
  /** The fault of a reply that cannot be used. */
  unusable(why: string): FaultError;
  close(): Promise<void>;
}

const path = 'chat/completions';
const count = z.int().min(0);

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
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish(),
});

/**
 * Opens a model.
 *
 * @throws UsageError where the address is no HTTP address, or the environment variable with the key is not set
 */
export const openChatModel = (config: ModelConfig, options: ChatModelOptions): ChatModel =>
  new HttpChatModel(config, options);

class HttpChatModel implements ChatModel {
  readonly #config: ModelConfig;
  readonly #client: JsonClient;

  constructor(config: ModelConfig, { where, system, now, faultOf = crashedAt(where) }: ChatModelOptions) {
    const base = `${baseOf(config.url, where, /\/(?:v1\/?)?(?:chat\/completions)?$/)}/v1`;
    const key = keyOf(config, where, system);
    const hide = (text: string): string => (key === undefined ? text : text.replaceAll(key, '[secret]'));
    this.#config = config;
    this.#client = new JsonClient(base, config, {
      now,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      faultOf: (failure) => faultOf({ ...failure, message: hide(failure.message) }),
    });
  }

  async ask(
    messages: readonly ChatMessage[],
    tools: readonly ToolDescription[],
    signal: AbortSignal,
  ): Promise<ChatAnswer> {
    const { model, maxTokens, temperature } = this.#config;
    const body = {
      model,
      messages,
      temperature,
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    };
    const { choices, usage } = await this.#client.post(path, body, answerSchema, signal);
    const message = choices[0]?.message;
    return {
      content: message?.content ?? '',
      calls: (message?.tool_calls ?? []).map((call) => ({ ...call, type: 'function' as const })),
      usage:
        usage == null
          ? undefined
          : { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens },
    };
  }

  unusable(why: string): FaultError {
    return this.#client.shape(path, why);
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

const crashedAt =
  (where: string) =>
  ({ message, cause }: RequestFailure): FaultError =>
    new FaultError({ kind: 'env-crashed', where, message }, { cause });

/**
 * The key of a server; undefined where it needs none.
 *
 * @throws UsageError where the environment variable that a config names is not set
 */
export function keyOf(
  { keyName }: Pick<ModelConfig, 'keyName'>,
  where: string,
  system: ChatModelOptions['system'],
): string | undefined {
  if (keyName === undefined) return undefined;
  const key = system?.[keyName];
  if (key !== undefined && key !== '') return key;
  throw new UsageError({
    where: `${where}, keyName`,
    what: `the environment variable ${keyName} is not set.`,
    fix: 'Export it with the key of the server, or leave keyName out for a server that needs none.',
  });
}

/** JSON of messages, for the state of an episode. */
export const messagesJson = (messages: readonly ChatMessage[]): Json => messages as unknown as Json; // they are JSON by their types
