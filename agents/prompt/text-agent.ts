import { z } from 'zod';
import type { Context } from '../../envs/core/context.ts';
import { boundaryNow, UsageError, type Fault } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Reply, Textual } from '../../envs/core/textual.ts';
import type { ActingTurn, Agent, Answer, Player } from '../policy/agent.ts';
import type { ChatModel, ChatReply } from './chat-model.ts';
import { openingText, retryText, tellMessages, turnText, type Exchange } from './conversation.ts';
import type { History, Prompt } from './prompt.ts';
import { readReply, withoutThinking, writeReply, type Spoken } from './read-reply.ts';
import { charactersCut, shorten } from './shorten.ts';

/** How much a text agent is shown. */
export interface TextView {
  /** Whether it sees the admissible actions, where the env lists them. */
  readonly admissible: boolean;
  readonly history: History;
}

/** What is needed to make a text agent. */
export interface TextAgentOptions<Obs, Act> {
  readonly id: string;
  readonly model: ChatModel;
  readonly prompt: Prompt;
  readonly text: Textual<Obs, Act>;
  readonly view: TextView;
}

/**
 * Plays by what a language model writes. A reply that cannot be read is malformed, which the rollout prices and caps; the model is
 * then told why. Where a conversation is longer than the model takes, the oldest exchanges are left out, half of them at a time, and
 * the decision says how many; the task, the newest turn and the examples stay.
 */
export function createTextAgent<Obs, Act>(options: TextAgentOptions<Obs, Act>): Agent<Obs, Act> {
  return { id: options.id, begin: ({ instruction }) => new TextPlayer(options, instruction) };
}

const memorySchema = z.strictObject({
  opening: z.string().optional(),
  past: z.array(z.strictObject({ shown: z.string(), reply: z.string() })),
  most: z.int().nonnegative().optional(),
});

/** What a model that cannot write a command wrote is shown to it again up to here. */
const longestMalformed = 2_000;

class TextPlayer<Obs, Act> implements Player<Obs, Act> {
  readonly #options: TextAgentOptions<Obs, Act>;
  readonly #instruction: string;
  #opening: string | undefined;
  #past: Exchange[] = [];
  /** Exchanges that the model takes at most, once it took no more. */
  #most = Number.POSITIVE_INFINITY;

  constructor(options: TextAgentOptions<Obs, Act>, instruction: string) {
    this.#options = options;
    this.#instruction = instruction;
  }

  readonly snapshots = {
    take: (): Json => ({
      ...(this.#opening === undefined ? {} : { opening: this.#opening }),
      past: this.#past.map(({ shown, reply }) => ({ shown, reply })),
      ...(Number.isFinite(this.#most) ? { most: this.#most } : {}),
    }),
    restore: (memory: Json): void => {
      const { opening, past, most } = memorySchema.parse(memory);
      this.#opening = opening;
      this.#past = past;
      this.#most = most ?? Number.POSITIVE_INFINITY;
    },
  };

  async act(turn: ActingTurn<Obs, Act>, context: Context, feedback?: string): Promise<Answer<Act>> {
    const { prompt, text } = this.#options;
    const observation = boundaryNow(crashed('observation'), () => text.observation(turn.observation));
    const isFirst = this.#opening === undefined;
    this.#opening ??= openingText(prompt, { instruction: this.#instruction, observation });
    const plainTurn = turnText(prompt, observation);
    const now = feedback === undefined ? plainTurn : retryText(prompt, plainTurn, feedback);
    const { reply, leftOut } = await this.#ask({ opening: this.#opening, now: isFirst ? undefined : now, actions: this.#actionsOf(turn) }, context);
    const cut = charactersCut(observation, prompt.observationCharacters);
    const spoken = readReply(reply.text, prompt.grammar, reply.cut);
    this.#past.push({ shown: isFirst ? this.#opening : now, reply: this.#remembered(reply.text, spoken) });
    return {
      reply: this.#replyOf(reply.text, spoken),
      decision: { kind: 'text', text: reply.text, usage: reply.usage, reasoningCharacters: reply.reasoningCharacters, leftOut, ...(cut === 0 ? {} : { charactersCut: cut }) },
      policyVersion: undefined,
    };
  }

  #actionsOf({ admissible }: ActingTurn<Obs, Act>): readonly string[] | undefined {
    const { text, view } = this.#options;
    if (!view.admissible || admissible === undefined) return undefined;
    return boundaryNow(crashed('action'), () => admissible.map((action) => text.action(action)));
  }

  /** Asks, with less of the past each time that it was too much. */
  async #ask(
    told: { readonly opening: string; readonly now: string | undefined; readonly actions: readonly string[] | undefined },
    context: Context,
  ): Promise<{ readonly reply: Extract<ChatReply, { readonly kind: 'said' }>; readonly leftOut: number }> {
    const { model, prompt, view } = this.#options;
    const wanted = Math.min(this.#past.length, view.history === 'all' ? Number.POSITIVE_INFINITY : view.history);
    for (let keep = Math.min(wanted, this.#most); ; keep = Math.floor(keep / 2)) {
      const reply = await model.complete({ messages: tellMessages(prompt, { ...told, past: this.#past }, keep), stop: prompt.stop }, context);
      if (reply.kind === 'said') return { reply, leftOut: wanted - keep };
      if (keep === 0) throw tooLong(this.#options.id, reply.why);
      this.#most = Math.floor(keep / 2);
    }
  }

  #remembered(text: string, spoken: Spoken): string {
    const { grammar, remember } = this.#options.prompt;
    if (spoken.kind === 'malformed') return shorten((withoutThinking(text) ?? text).trim(), longestMalformed);
    return writeReply(remember === 'reply' ? spoken : { ...spoken, thought: '' }, grammar);
  }

  #replyOf(text: string, spoken: Spoken): Reply<Act> {
    if (spoken.kind === 'malformed') return { kind: 'malformed', why: spoken.why, text };
    const read = boundaryNow(crashed('parse'), () => this.#options.text.parse(spoken.command));
    return read.kind === 'action' ? read : { ...read, text };
  }
}

const crashed = (call: keyof Textual<unknown, unknown>) => (message: string): Fault => ({ kind: 'env-crashed', where: `text.${call}`, message });

function tooLong(id: string, why: string): UsageError {
  return new UsageError({
    where: `agent ${id}`,
    what: `the task and one turn are more than the model takes${why === '' ? '' : ` (${why})`}.`,
    mend: 'Serve the model with a longer context, lower --max-tokens, or use a prompt with fewer examples, fewer observationCharacters or without the list of actions.',
  });
}
