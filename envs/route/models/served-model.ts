import { z } from 'zod';
import { openChatModel, type ChatModel, type ChatModelOptions } from '../../engines/chat/chat-model.ts';
import { modelConfigShape, modelIdentity } from '../../engines/chat/model-config.ts';
import type { Json } from '../../core/json.ts';
import type { CalledModel, Descriptor, ModelReply } from './descriptor.ts';

/** The longest name of a model in a route. Names have no colon: it ends them in `<search>NAME: question</search>`. */
const longestName = 64;

/** A model on a server that the router can call. */
export const servedModelSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[^:<>"\s][^:<>"\n]*$/, 'must have no colon, quote or angle bracket')
    .max(longestName)
    .describe('name by which the router calls it'),
  description: z.string().min(1).max(2_000).describe('what it is good at, in words that the router reads'),
  price: z.number().min(0).max(10_000).describe('dollars for a million tokens of its replies'),
  promptPrice: z
    .number()
    .min(0)
    .max(10_000)
    .default(0)
    .describe('dollars for a million tokens of the questions; Router-R1 counts none'),
  seconds: z.number().min(0).max(10_000).optional().describe('seconds of a reply, about, for the router'),
  ...modelConfigShape,
  maxTokens: z.int().min(16).max(100_000).default(512).describe('most tokens of a reply'),
  cached: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(10_000)
    .describe('number of replies kept in memory: equal questions get equal replies'),
});
export type ServedModelConfig = z.output<typeof servedModelSchema>;

/** What the replies of a model depend on, and what is said about it. */
export const servedIdentity = (config: ServedModelConfig): Json => {
  const { name, description, price, promptPrice, seconds = null } = config;
  return { name, description, price, promptPrice, seconds, ...modelIdentity(config) };
};

/** A model behind an OpenAI-compatible server. Its tokens are those that the server counts. */
export class ServedModel implements CalledModel {
  readonly descriptor: Descriptor;
  readonly #model: ChatModel;
  readonly #now: () => number;
  readonly #cached: number;
  readonly #replies = new Map<string, Promise<ModelReply>>();

  /** @throws UsageError where the address is no HTTP address, or the variable of the key is not set */
  constructor(config: ServedModelConfig, options: Pick<ChatModelOptions, 'system' | 'now'>) {
    const { name, description, price, promptPrice, seconds, cached } = config;
    this.descriptor = {
      name,
      description,
      price,
      promptPrice,
      seconds,
      tokens: undefined,
      levels: {},
      admits: undefined,
    };
    this.#model = openChatModel(config, { ...options, where: `model ${name}` });
    this.#now = options.now;
    this.#cached = cached;
  }

  async ask(query: string, signal: AbortSignal): Promise<ModelReply> {
    const known = this.#replies.get(query);
    if (known === undefined) return this.#keep(query, this.#send(query, signal));
    try {
      return await known;
    } catch {
      signal.throwIfAborted();
      // the episode that asked first was cancelled, or its request failed: this one has its own tries
      return this.#keep(query, this.#send(query, signal));
    }
  }

  async #keep(query: string, reply: Promise<ModelReply>): Promise<ModelReply> {
    this.#replies.delete(query);
    this.#replies.set(query, reply);
    for (const oldest of this.#replies.keys()) {
      if (this.#replies.size <= this.#cached) break;
      this.#replies.delete(oldest);
    }
    try {
      return await reply;
    } catch (thrown) {
      if (this.#replies.get(query) === reply) this.#replies.delete(query);
      throw thrown;
    }
  }

  async #send(query: string, signal: AbortSignal): Promise<ModelReply> {
    const began = this.#now();
    const answer = await this.#model.ask([{ role: 'user', content: promptFor(query) }], [], signal);
    if (answer.usage === undefined)
      throw this.#model.unusable('it counts no tokens (usage), so that a call has no price');
    const text = answer.content.replace(/^[\s\S]*<\/think>/, '').trim();
    return {
      text: text === '' ? 'No answer.' : text,
      promptTokens: answer.usage.promptTokens,
      tokens: answer.usage.completionTokens,
      seconds: Math.max(0, this.#now() - began) / 1_000,
    };
  }

  close(): Promise<void> {
    this.#replies.clear();
    return this.#model.close();
  }
}

/** What a called model is asked. Router-R1 asks for the same: an answer or useful background, or that it cannot help. */
const promptFor = (query: string): string =>
  [
    'Another model asks you a question that helps it to answer a larger one.',
    'Answer it and explain the answer briefly, or write background that helps. Stay on the topic, and below 400 words.',
    'If you can do neither, say so, and advise to ask another model.',
    `The question: ${query}`,
  ].join('\n');
