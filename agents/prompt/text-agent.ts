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
  /** Characters of an observation that it sees at most; those of the prompt when left out. */
  readonly observationCharacters?: number | undefined;
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
 * the decision says how many; the task, the newest turn and the examples stay. Where there is none to leave out, less and less of what is
 * seen is shown, down to {@link fewestCharacters}, and the decision says how much was cut.
 */
export function createTextAgent<Obs, Act>(options: TextAgentOptions<Obs, Act>): Agent<Obs, Act> {
  return { id: options.id, begin: ({ instruction }) => new TextPlayer(options, instruction) };
}

const memorySchema = z.strictObject({
  firstSeen: z.string().optional(),
  past: z.array(z.strictObject({ shown: z.string(), reply: z.string() })),
  most: z.int().nonnegative().optional(),
  characters: z.int().positive().optional(),
});

/** What is seen is cut no further than to so many characters because the model takes no more: a page would be none any more. */
const fewestCharacters = 1_000;

/** What a model that cannot write a command wrote is shown to it again up to here. */
const longestMalformed = 2_000;

class TextPlayer<Obs, Act> implements Player<Obs, Act> {
  readonly #options: TextAgentOptions<Obs, Act>;
  readonly #instruction: string;
  /** The first observation, which is always shown. */
  #firstSeen: string | undefined;
  #past: Exchange[] = [];
  /** Exchanges that the model takes at most, once it took no more. */
  #most = Number.POSITIVE_INFINITY;
  /** Characters of an observation that are shown: fewer once the model took no more. */
  #characters: number;

  constructor(options: TextAgentOptions<Obs, Act>, instruction: string) {
    this.#options = options;
    this.#instruction = instruction;
    this.#characters = charactersAtFirst(options);
  }

  readonly snapshots = {
    take: (): Json => ({
      ...(this.#firstSeen === undefined ? {} : { firstSeen: this.#firstSeen }),
      past: this.#past.map(({ shown, reply }) => ({ shown, reply })),
      ...(Number.isFinite(this.#most) ? { most: this.#most } : {}),
      ...(this.#characters === charactersAtFirst(this.#options) ? {} : { characters: this.#characters }),
    }),
    restore: (memory: Json): void => {
      const { firstSeen, past, most, characters } = memorySchema.parse(memory);
      this.#firstSeen = firstSeen;
      this.#past = past;
      this.#most = most ?? Number.POSITIVE_INFINITY;
      this.#characters = characters ?? charactersAtFirst(this.#options);
    },
  };

  async act(turn: ActingTurn<Obs, Act>, context: Context, feedback?: string): Promise<Answer<Act>> {
    const { prompt, text } = this.#options;
    const observation = boundaryNow(crashed('observation'), () => text.observation(turn.observation));
    const charactersBefore = this.#characters;
    const newest: Sight = { observation, isFirst: this.#firstSeen === undefined, feedback };
    this.#firstSeen ??= observation;
    const { reply, leftOut, shown } = await this.#ask({ ...newest, firstSeen: this.#firstSeen, actions: this.#actionsOf(turn) }, context);
    const cutOfFirst = newest.isFirst ? 0 : charactersCut(this.#firstSeen, this.#characters) - charactersCut(this.#firstSeen, charactersBefore);
    const cut = charactersCut(observation, this.#characters) + cutOfFirst;
    const spoken = readReply(reply.text, prompt.grammar, reply.cut);
    this.#past.push({ shown, reply: this.#remembered(reply.text, spoken) });
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

  /** Asks, with less of the past each time that it was too much, and then with less of what is seen. */
  async #ask(
    seen: Sight & { readonly firstSeen: string; readonly actions: readonly string[] | undefined },
    context: Context,
  ): Promise<{ readonly reply: Extract<ChatReply, { readonly kind: 'said' }>; readonly leftOut: number; readonly shown: string }> {
    const { model, prompt, view } = this.#options;
    const wanted = Math.min(this.#past.length, view.history === 'all' ? Number.POSITIVE_INFINITY : view.history);
    const mostBefore = this.#most;
    for (let keep = Math.min(wanted, this.#most); ; ) {
      const { opening, now } = this.#tell(seen);
      const reply = await model.complete({ messages: tellMessages(prompt, { opening, now, actions: seen.actions, past: this.#past }, keep), stop: prompt.stop }, context);
      if (reply.kind === 'said') return { reply, leftOut: wanted - keep, shown: now ?? opening };
      if (keep === 0) {
        this.#seeLess(seen, reply.why);
        this.#most = mostBefore; // it was not the past that was too much
      } else {
        keep = Math.floor(keep / 2);
        this.#most = keep;
      }
    }
  }

  #tell({ observation, isFirst, feedback, firstSeen }: Sight & { readonly firstSeen: string }): { readonly opening: string; readonly now: string | undefined } {
    const { prompt } = this.#options;
    const opening = openingText(prompt, { instruction: this.#instruction, observation: firstSeen }, this.#characters);
    if (isFirst) return { opening, now: undefined };
    const turn = turnText(prompt, observation, this.#characters);
    return { opening, now: feedback === undefined ? turn : retryText(prompt, turn, feedback) };
  }

  /** Halves what is shown of the longer of the two observations that no prompt leaves out. */
  #seeLess({ observation, firstSeen }: Sight & { readonly firstSeen: string }, why: string): void {
    const shown = Math.min(this.#characters, Math.max(observation.length, firstSeen.length));
    if (shown <= fewestCharacters) throw tooLong(this.#options.id, why);
    this.#characters = Math.max(fewestCharacters, Math.floor(shown / 2));
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

/** What is seen on a turn, and why the last reply to it could not be read, if there was one. */
interface Sight {
  readonly observation: string;
  readonly isFirst: boolean;
  readonly feedback: string | undefined;
}

const charactersAtFirst = ({ view, prompt }: Pick<TextAgentOptions<unknown, unknown>, 'view' | 'prompt'>): number => view.observationCharacters ?? prompt.observationCharacters;

const crashed = (call: keyof Textual<unknown, unknown>) => (message: string): Fault => ({ kind: 'env-crashed', where: `text.${call}`, message });

function tooLong(id: string, why: string): UsageError {
  return new UsageError({
    where: `agent ${id}`,
    what: `the task and one turn are more than the model takes${why === '' ? '' : ` (${why})`}, with no more than ${fewestCharacters} characters of what is seen.`,
    mend: 'Serve the model with a longer context, lower --max-tokens or --observation-characters, or use a prompt with fewer examples or without the list of actions (--hide-admissible).',
  });
}
