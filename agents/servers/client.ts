import { isBlank } from '../prompt/blank.ts';
import type { Context } from '../../envs/core/context.ts';
import type { ChatModel, ChatReply, ChatRequest } from '../prompt/chat-model.ts';
import type { ChatClientOptions } from './client-options.ts';
import type { WrittenCall } from '../prompt/tool-calls.ts';
import { chatReading, readCalls, readUsage, type Completion } from './completion.ts';
import { openRemoteServer, type RemoteServer } from './remote-server.ts';
import { assertFields, chatBody } from './request.ts';

/** A server of chat completions as a {@link ChatModel}. Close it after the last episode. */
export interface ChatClient extends ChatModel, AsyncDisposable {
  /** Model names that the server reports in its answers; usually one, and not always the requested one. */
  readonly served: readonly string[];
  /** Replies so far that had tool calls and no text, although no tools were offered. */
  readonly toolCallsOnly: number;
  /** Replies so far. */
  readonly replies: number;
}

/**
 * Opens a client. It connects on the first request.
 * @throws UsageError if `fields` has one that the caller must not set
 */
export async function openChatClient(options: ChatClientOptions): Promise<ChatClient> {
  assertFields(options.fields ?? {}, 'request field');
  return new ServerClient(options, await openRemoteServer(options, 'chat completions'));
}

/** Most model names to remember from answers. */
const mostNames = 20;
const longestName = 200;

class ServerClient implements ChatClient {
  readonly #options: ChatClientOptions;
  readonly #server: RemoteServer;
  readonly #served = new Set<string>();
  #toolCallsOnly = 0;
  #replies = 0;

  constructor(options: ChatClientOptions, server: RemoteServer) {
    this.#options = options;
    this.#server = server;
  }

  get served(): readonly string[] {
    return [...this.#served].filter((name) => name !== '');
  }

  get toolCallsOnly(): number {
    return this.#toolCallsOnly;
  }

  get replies(): number {
    return this.#replies;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  /** @throws the errors of {@link RemoteServer.ask} */
  async complete(request: ChatRequest, { now, rng, signal }: Context): Promise<ChatReply> {
    const luck = rng.fork('chat');
    const { endpoint, maxTokens, fields = {} } = this.#options;
    const question = {
      path: endpoint.chatPath,
      body: chatBody(request, this.#options, luck.fork('seed')),
      reading: chatReading(maxTokens, Object.keys(fields)),
    };
    const came = await this.#server.ask(question, { now, rng: luck.fork('backoff'), signal });
    return came.kind === 'too-long' ? came : this.#replyOf(came.result, (request.tools ?? []).length > 0);
  }

  #replyOf({ model, choices, usage }: Completion, hasTools: boolean): ChatReply {
    this.#replies += 1;
    if (this.#served.size < mostNames)
      this.#served.add(this.#server.redact(model ?? '').slice(0, longestName));
    const [choice] = choices;
    const message = choice?.message;
    const written = message?.content ?? message?.refusal ?? '';
    const text = this.#options.key?.redactWritten(written) ?? written;
    if (!hasTools && isBlank(text) && (message?.tool_calls ?? []).length > 0) this.#toolCallsOnly += 1;
    const calls = hasTools ? readCalls(message?.tool_calls).map((call) => this.#redacted(call)) : [];
    const reasoning = message?.reasoning_content ?? message?.reasoning ?? '';
    const cut = choice?.finish_reason === 'length' || choice?.finish_reason === 'content_filter';
    return {
      kind: 'said',
      text,
      ...(calls.length === 0 ? {} : { calls }),
      cut,
      usage: readUsage(usage),
      reasoningCharacters: reasoning.length,
    };
  }

  #redacted({ name, arguments: given }: WrittenCall): WrittenCall {
    const redact = (words: string): string => this.#options.key?.redactWritten(words) ?? words;
    return { name: redact(name), arguments: redact(given) };
  }
}
