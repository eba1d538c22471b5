import { Agent, request, type Dispatcher } from 'undici';
import { z } from 'zod';
import { codeOf, FaultError, messageOf, UsageError } from '../../core/errors.ts';
import { describeIssues } from '../../core/issues.ts';
import type { Json } from '../../core/json.ts';
import type { ToolDescription } from '../../core/textual.ts';
import { openDeadline, sleep } from '../../core/waiting.ts';

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

/** Bytes of an answer, at most. */
const longestAnswer = 4 * 2 ** 20;
const firstPauseMs = 500;

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
  readonly #agent: Agent;

  constructor(options: ChatModelOptions, model: string, base: string) {
    this.#options = options;
    this.#model = model;
    this.#base = base;
    this.#agent = new Agent({ connect: { timeout: options.timeoutMs } });
  }

  async ask(
    messages: readonly ChatMessage[],
    tools: readonly ToolDescription[],
    signal: AbortSignal,
  ): Promise<ChatAnswer> {
    const { timeoutMs, retries, where } = this.#options;
    const body = JSON.stringify({
      model: this.#model,
      messages,
      temperature: 0,
      ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    });
    using deadline = openDeadline(signal, { where, ms: timeoutMs });
    for (let attempt = 0; ; attempt += 1) {
      const reply = await this.#once(body, deadline.signal, signal);
      if (typeof reply === 'string') return this.#read(reply);
      if (!reply.mayPass || attempt === retries) throw reply.fault;
      await this.#pause(firstPauseMs * 2 ** attempt, deadline.signal, signal);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  /** The text of an answer, or why there is none. */
  async #once(
    body: string,
    signal: AbortSignal,
    parent: AbortSignal,
  ): Promise<string | { readonly fault: FaultError; readonly mayPass: boolean }> {
    const { key } = this.#options;
    try {
      const answer = await request(`${this.#base}/chat/completions`, {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        dispatcher: this.#agent,
        signal,
        headersTimeout: 0, // the deadline covers the whole exchange
        bodyTimeout: 0,
      });
      const text = await textOf(answer);
      if (text === undefined)
        return { fault: this.#fault(`the answer has more than ${longestAnswer} bytes`), mayPass: false };
      if (answer.statusCode === 200) return text;
      const mayPass = answer.statusCode >= 500 || answer.statusCode === 429 || answer.statusCode === 408;
      return { fault: this.#fault(`it answered ${answer.statusCode}: ${text.slice(0, 300)}`), mayPass };
    } catch (thrown) {
      parent.throwIfAborted();
      if (signal.aborted) throw this.#late();
      const code = codeOf(thrown);
      const why = code === undefined ? messageOf(thrown) : `${code}: ${messageOf(thrown)}`;
      return { fault: this.#fault(`it cannot be reached (${why})`, thrown), mayPass: true };
    }
  }

  async #pause(ms: number, signal: AbortSignal, parent: AbortSignal): Promise<void> {
    try {
      await sleep(ms, signal);
    } catch {
      parent.throwIfAborted();
      throw this.#late();
    }
  }

  #read(text: string): ChatAnswer {
    let given: unknown;
    try {
      given = JSON.parse(text);
    } catch {
      throw this.#fault(`its answer is no JSON: ${text.slice(0, 200)}`);
    }
    const read = answerSchema.safeParse(given);
    if (!read.success) throw this.#fault(`its answer has another shape: ${describeIssues(read.error)}`);
    const message = read.data.choices[0]?.message;
    return {
      content: message?.content ?? '',
      calls: (message?.tool_calls ?? []).map((call) => ({ ...call, type: 'function' as const })),
    };
  }

  #late(): FaultError {
    return this.#fault(`it did not answer within ${this.#options.timeoutMs} ms`);
  }

  #fault(why: string, cause?: unknown): FaultError {
    const { where, key } = this.#options;
    const message = `${this.#base}: ${key === undefined ? why : why.replaceAll(key, '[secret]')}`;
    return new FaultError({ kind: 'env-crashed', where, message }, { cause });
  }
}

/** The text of an answer; undefined where it is too long. */
async function textOf({ body }: Dispatcher.ResponseData): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longestAnswer) {
      body.destroy();
      return undefined;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
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
