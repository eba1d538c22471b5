import { z } from 'zod';
import type { Context } from '../../envs/core/context.ts';
import { boundaryNow, FaultError, UsageError, type Fault } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { Reply, Textual } from '../../envs/core/textual.ts';
import type { ActingTurn, Agent, Answer, Player } from '../policy/agent.ts';
import type { ChatMessage, ChatModel, ChatReply } from './chat-model.ts';
import { actionsText, listedCharacters, openingText, retryText, tellMessages, turnText, type Exchange } from './conversation.ts';
import { fewestObservationCharacters, type History, type Prompt } from './prompt.ts';
import { Reach } from './reach.ts';
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
 * then told why. Where a conversation is longer than the model takes, its oldest exchanges are left out, as many as the lengths that
 * were taken and refused so far make likely, and the decision says how many; the task, the newest turn and the examples stay. Where there
 * is none to leave out, half of the longest of what is seen and the list of actions is, down to {@link fewestCharacters} each, and
 * the decision says how much was cut of what is seen. Where that is too much, the episode is faulted, or, of a model that has not taken
 * anything yet, the whole is wrong use.
 */
export function createTextAgent<Obs, Act>(options: TextAgentOptions<Obs, Act>): Agent<Obs, Act> {
  const standing: Standing = { hasTaken: false };
  return { id: options.id, begin: ({ instruction }) => new TextPlayer(options, standing, instruction) };
}

/** What the players of an agent know together. */
interface Standing {
  /** Whether the model has answered any prompt. */
  hasTaken: boolean;
}

const memorySchema = z.strictObject({
  firstSeen: z.string().optional(),
  firstCut: z.int().nonnegative(),
  past: z.array(z.strictObject({ shown: z.string(), reply: z.string() })),
  reach: z.strictObject({ taken: z.int().nonnegative(), refused: z.int().nonnegative().optional() }),
});

/** What is seen, and the list of actions, are cut no further than to so many characters because the model takes no more: a page would be none any more. */
const fewestCharacters = 1_000;

/** What a model that cannot write a command wrote is shown to it again up to here. */
const longestMalformed = 2_000;

class TextPlayer<Obs, Act> implements Player<Obs, Act> {
  readonly #options: TextAgentOptions<Obs, Act>;
  readonly #standing: Standing;
  readonly #instruction: string;
  /** The first observation, which is always shown. */
  #firstSeen: string | undefined;
  #past: Exchange[] = [];
  /** Characters of the first observation that were left out so far, which is told once. */
  #firstCut = 0;
  #reach = new Reach();

  constructor(options: TextAgentOptions<Obs, Act>, standing: Standing, instruction: string) {
    this.#options = options;
    this.#standing = standing;
    this.#instruction = instruction;
  }

  readonly snapshots = {
    take: (): Json => ({
      ...(this.#firstSeen === undefined ? {} : { firstSeen: this.#firstSeen }),
      firstCut: this.#firstCut,
      past: this.#past.map(({ shown, reply }) => ({ shown, reply })),
      reach: { ...this.#reach.memory() },
    }),
    restore: (memory: Json): void => {
      const { firstSeen, firstCut, past, reach } = memorySchema.parse(memory);
      this.#firstSeen = firstSeen;
      this.#firstCut = firstCut;
      this.#past = past;
      this.#reach = new Reach(reach);
    },
  };

  async act(turn: ActingTurn<Obs, Act>, context: Context, feedback?: string): Promise<Answer<Act>> {
    const { prompt, text } = this.#options;
    const observation = boundaryNow(crashed('observation'), () => text.observation(turn.observation));
    const isFirst = this.#firstSeen === undefined;
    this.#firstSeen ??= observation;
    const seen: Sight = { observation, isFirst, feedback, firstSeen: this.#firstSeen, actions: this.#actionsOf(turn) };
    const { reply, leftOut, shown, limits } = await this.#ask(seen, context);
    const cut = charactersCut(observation, limits.observation) + this.#newlyCutOfFirst(seen, limits);
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

  /** Asks, with less of the past each time that it is too much, and then with less of what is seen. What is known to be too much is not asked. */
  async #ask(seen: Sight, context: Context): Promise<Asked> {
    const { model, prompt, view } = this.#options;
    const wanted = Math.min(this.#past.length, view.history === 'all' ? Number.POSITIVE_INFINITY : view.history);
    let limits: Limits = { observation: charactersAtFirst(this.#options), actions: Number.POSITIVE_INFINITY };
    for (let keep = wanted; ; ) {
      const { messages, length, shown } = this.#tell(seen, limits, keep);
      const less = keep === 0 ? lessOf(seen, limits, prompt) : undefined;
      let why: string | undefined;
      if (this.#reach.mayTake(length) || (keep === 0 && less === undefined)) {
        const reply = await model.complete({ messages, stop: prompt.stop }, context);
        if (reply.kind === 'said') {
          this.#reach.noteTaken(length);
          this.#standing.hasTaken = true;
          return { reply, leftOut: wanted - keep, shown, limits };
        }
        this.#reach.noteRefused(length);
        ({ why } = reply);
      }
      if (keep === 0) {
        if (less === undefined) throw this.#tooLong(seen, limits, why ?? '');
        limits = less;
      }
      keep = this.#fitting(seen, limits, keep === 0 ? wanted + 1 : keep);
    }
  }

  /**
   * With how many exchanges, fewer than `below`, to ask next. Where it is not known of some numbers whether they are too much, it is the
   * one in their middle, else the highest that is known to be taken.
   */
  #fitting(seen: Sight, limits: Limits, below: number): number {
    const lengths = Array.from({ length: below }, (_, keep) => this.#tell(seen, limits, keep).length);
    const { taken, likely } = this.#reach;
    const most = (length: number): number => Math.max(0, lengths.findLastIndex((it) => it <= length));
    const open = lengths.findIndex((it, keep) => keep > 0 && it > taken && this.#reach.mayTake(it));
    return open < 0 ? most(taken) : Math.max(open, most(likely));
  }

  #tell(seen: Sight, limits: Limits, keep: number): { readonly messages: readonly ChatMessage[]; readonly length: number; readonly shown: string } {
    const { prompt } = this.#options;
    const opening = openingText(prompt, { instruction: this.#instruction, observation: seen.firstSeen }, limits.observation);
    const now = seen.isFirst ? undefined : nowText(prompt, seen, limits);
    const actions = seen.actions === undefined ? undefined : actionsText(prompt, seen.actions, limits.actions);
    const messages = tellMessages(prompt, { opening, now, actions, past: this.#past }, keep);
    return { messages, length: messages.reduce((sum, { text }) => sum + text.length, 0), shown: now ?? opening };
  }

  /** Characters of the first observation that are left out for the first time, on a later turn than its own. */
  #newlyCutOfFirst({ firstSeen, isFirst }: Sight, { observation: most }: Limits): number {
    const before = this.#firstCut;
    this.#firstCut = Math.max(before, charactersCut(firstSeen, most));
    return isFirst ? 0 : this.#firstCut - before;
  }

  /** One episode has more than the model takes; where the model took nothing at all, all have. */
  #tooLong(seen: Sight, limits: Limits, why: string): UsageError | FaultError {
    const { id } = this.#options;
    const longest = Math.min(limits.observation, Math.max(seen.observation.length, seen.firstSeen.length));
    const listed = seen.actions === undefined ? '' : ` and ${Math.min(limits.actions, listedCharacters(this.#options.prompt, seen.actions))} of the list of actions`;
    const what = `the task and one turn are more than the model takes${why === '' ? '' : ` (${why})`}, with no more than ${longest} characters of what is seen${listed}`;
    if (this.#standing.hasTaken) return new FaultError({ kind: 'sampler-failed', message: `agent ${id}: ${what}`, retryable: false });
    const ways = [
      'lower --max-tokens',
      ...(longest > fewestObservationCharacters ? [`give --observation-characters below ${longest}`] : []),
      `use a prompt with fewer examples${seen.actions === undefined ? '' : ' or without the list of actions (--hide-admissible)'}`,
    ];
    return new UsageError({ where: `agent ${id}`, what: `${what}.`, mend: `Serve the model with a longer context, ${ways.slice(0, -1).join(', ')}, or ${ways.at(-1) ?? ''}.` });
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

/** What a turn tells. */
interface Sight {
  readonly observation: string;
  readonly isFirst: boolean;
  /** Why the last reply could not be read, if there was one. */
  readonly feedback: string | undefined;
  readonly firstSeen: string;
  readonly actions: readonly string[] | undefined;
}

/** Characters that are shown at most of an observation and of the list of actions. */
interface Limits {
  readonly observation: number;
  readonly actions: number;
}

interface Asked {
  readonly reply: Extract<ChatReply, { readonly kind: 'said' }>;
  readonly leftOut: number;
  /** The newest message, without the list of actions. */
  readonly shown: string;
  readonly limits: Limits;
}

/** Half of the longest of what no prompt leaves out; undefined where nothing is left to be cut. */
function lessOf({ observation, firstSeen, actions = [] }: Sight, limits: Limits, prompt: Prompt): Limits | undefined {
  const seen = Math.min(limits.observation, Math.max(observation.length, firstSeen.length));
  const listed = Math.min(limits.actions, listedCharacters(prompt, actions));
  const longest = Math.max(seen, listed);
  if (longest <= fewestCharacters) return undefined;
  const half = Math.max(fewestCharacters, Math.floor(longest / 2));
  return listed === longest ? { ...limits, actions: half } : { ...limits, observation: half };
}

function nowText(prompt: Prompt, { observation, feedback }: Sight, limits: Limits): string {
  const turn = turnText(prompt, observation, limits.observation);
  return feedback === undefined ? turn : retryText(prompt, turn, feedback);
}

const charactersAtFirst = ({ view, prompt }: Pick<TextAgentOptions<unknown, unknown>, 'view' | 'prompt'>): number => view.observationCharacters ?? prompt.observationCharacters;

const crashed = (call: keyof Textual<unknown, unknown>) => (message: string): Fault => ({ kind: 'env-crashed', where: `text.${call}`, message });
