import { z } from 'zod';
import type { Context } from '../../envs/core/context.ts';
import { boundaryNow, FaultError, type Fault } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Reply, Textual } from '../../envs/core/textual.ts';
import type { ActingTurn, Agent, Answer, Player } from '../policy/agent.ts';
import type { ChatModel, ChatReply } from './chat-model.ts';
import { listActions, listedCharacters, openingText, retryText, tellMessages, turnText, weigh, type Telling } from './conversation.ts';
import { Past } from './past.ts';
import type { History, Prompt } from './prompt.ts';
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
 * then told why. Where a conversation is longer than the model takes, its oldest exchanges are left out, as many as what was taken and
 * refused so far makes likely, and the decision says how many; the task, the newest turn and the examples stay. Where there
 * is none to leave out, half of the longest of what is seen and the list of actions is, down to {@link fewestCharacters} each, and
 * the decision says how much was cut of either. Where that is refused twice, the episode is faulted.
 */
export function createTextAgent<Obs, Act>(options: TextAgentOptions<Obs, Act>): Agent<Obs, Act> {
  return { id: options.id, begin: (episode) => new TextPlayer(options, episode) };
}

const memorySchema = z.strictObject({
  firstSeen: z.string().optional(),
  firstCut: z.int().nonnegative(),
  past: z.array(z.strictObject({ shown: z.string(), reply: z.string() })),
  reach: z.strictObject({ taken: z.int().nonnegative(), refused: z.int().nonnegative().optional(), waited: z.int().nonnegative(), patience: z.int().positive() }),
});

/** What is seen, and the list of actions, are cut no further than to so many characters because the model takes no more: a page would be none any more. */
const fewestCharacters = 1_000;

/** What a model that cannot write a command wrote is shown to it again up to here. */
const longestMalformed = 2_000;

class TextPlayer<Obs, Act> implements Player<Obs, Act> {
  readonly #options: TextAgentOptions<Obs, Act>;
  readonly #task: TaskRef;
  readonly #instruction: string;
  /** The first observation, which is always shown. */
  #firstSeen: string | undefined;
  #past = new Past();
  /** Characters of the first observation that were left out so far, which is told once. */
  #firstCut = 0;
  #reach = new Reach();

  constructor(options: TextAgentOptions<Obs, Act>, { task, instruction }: { readonly task: TaskRef; readonly instruction: string }) {
    this.#options = options;
    this.#task = task;
    this.#instruction = instruction;
  }

  readonly snapshots = {
    take: (): Json => ({
      ...(this.#firstSeen === undefined ? {} : { firstSeen: this.#firstSeen }),
      firstCut: this.#firstCut,
      past: this.#past.exchanges.map(({ shown, reply }) => ({ shown, reply })),
      reach: { ...this.#reach.memory() },
    }),
    restore: (memory: Json): void => {
      const { firstSeen, firstCut, past, reach } = memorySchema.parse(memory);
      this.#firstSeen = firstSeen;
      this.#firstCut = firstCut;
      this.#past = new Past(past);
      this.#reach = new Reach(reach);
    },
  };

  async act(turn: ActingTurn<Obs, Act>, context: Context, feedback?: string): Promise<Answer<Act>> {
    const { prompt, text } = this.#options;
    const observation = boundaryNow(crashed('observation'), () => text.observation(turn.observation));
    const isFirst = this.#firstSeen === undefined;
    this.#firstSeen ??= observation;
    const seen: Sight = { observation, isFirst, feedback, firstSeen: this.#firstSeen, actions: this.#actionsOf(turn) };
    const { reply, leftOut, shown, limits, actionsLeftOut } = await this.#ask(seen, context);
    const cut = charactersCut(observation, limits.observation) + this.#newlyCutOfFirst(seen, limits);
    const spoken = readReply(reply.text, prompt.grammar, reply.cut);
    this.#past.push({ shown, reply: this.#remembered(reply.text, spoken) });
    return {
      reply: this.#replyOf(reply.text, spoken),
      decision: { kind: 'text', text: reply.text, usage: reply.usage, reasoningCharacters: reply.reasoningCharacters, leftOut, ...(cut === 0 ? {} : { charactersCut: cut }), ...(actionsLeftOut === 0 ? {} : { actionsLeftOut }) },
      policyVersion: undefined,
    };
  }

  #actionsOf({ admissible }: ActingTurn<Obs, Act>): readonly string[] | undefined {
    const { text, view } = this.#options;
    if (!view.admissible || admissible === undefined) return undefined;
    return boundaryNow(crashed('action'), () => admissible.map((action) => text.action(action)));
  }

  /**
   * Asks, with less of the past each time that it is too much, and then with less of what is seen. What is known to be too much is not
   * asked, but for a try now and then whether it still is. The least is asked twice.
   */
  async #ask(seen: Sight, context: Context): Promise<Asked> {
    const { model, prompt, view } = this.#options;
    const wanted = Math.min(this.#past.exchanges.length, view.history === 'all' ? Number.POSITIVE_INFINITY : view.history);
    let limits: Limits = { observation: charactersAtFirst(this.#options), actions: Number.POSITIVE_INFINITY };
    let told = this.#tell(seen, limits);
    const retried = this.#keepToRetry(told, wanted);
    let keep = retried ?? wanted;
    for (let mustAsk = retried !== undefined, isLast = false; ; mustAsk = false) {
      const less = keep === 0 ? lessOf(seen, limits, prompt) : undefined;
      const isLeast = keep === 0 && less === undefined;
      const weight = told.weight(keep);
      if (mustAsk || isLeast || this.#reach.mayTake(weight)) {
        const reply = await model.complete({ messages: tellMessages(prompt, told.telling, keep), stop: prompt.stop }, context);
        if (reply.kind === 'said') {
          this.#reach.noteTaken(weight);
          return { reply, leftOut: wanted - keep, shown: told.shown, limits, actionsLeftOut: told.actionsLeftOut };
        }
        this.#reach.noteRefused(weight);
        if (isLast) throw this.#tooLong(seen, limits, reply.why);
      }
      isLast = isLeast;
      if (isLeast) continue;
      if (less !== undefined) {
        limits = less;
        told = this.#tell(seen, limits);
      }
      keep = this.#fitting(told, keep === 0 ? wanted + 1 : keep);
    }
  }

  /** The fewest exchanges with which the bound that rules out the wanted ones is tried again; undefined where it is not on this turn. */
  #keepToRetry(told: Told, wanted: number): number | undefined {
    if (this.#reach.mayTake(told.weight(wanted)) || !this.#reach.noteBounded()) return undefined;
    return weightsOf(told, wanted + 1).findIndex((weight) => !this.#reach.mayTake(weight));
  }

  /**
   * With how many exchanges, fewer than `below`, to ask next. Where it is not known of some numbers whether they are too much, it is the
   * one in their middle, else the highest that is known to be taken.
   */
  #fitting(told: Told, below: number): number {
    const weights = weightsOf(told, below);
    const { taken, likely } = this.#reach;
    const most = (weight: number): number => Math.max(0, weights.findLastIndex((it) => it <= weight));
    const open = weights.findIndex((it, keep) => keep > 0 && it > taken && this.#reach.mayTake(it));
    return open < 0 ? most(taken) : Math.max(open, most(likely));
  }

  #tell(seen: Sight, limits: Limits): Told {
    const { prompt } = this.#options;
    const opening = openingText(prompt, { instruction: this.#instruction, observation: seen.firstSeen }, limits.observation);
    const now = seen.isFirst ? undefined : nowText(prompt, seen, limits);
    const list = seen.actions === undefined ? undefined : listActions(prompt, seen.actions, limits.actions);
    const telling: Telling = { opening, now, actions: list?.text, past: this.#past };
    return { telling, weight: weigh(prompt, telling), shown: now ?? opening, actionsLeftOut: list?.leftOut ?? 0 };
  }

  /** Characters of the first observation that are left out for the first time, on a later turn than its own. */
  #newlyCutOfFirst({ firstSeen, isFirst }: Sight, { observation: most }: Limits): number {
    const before = this.#firstCut;
    this.#firstCut = Math.max(before, charactersCut(firstSeen, most));
    return isFirst ? 0 : this.#firstCut - before;
  }

  #tooLong(seen: Sight, limits: Limits, why: string): FaultError {
    const { id } = this.#options;
    const longest = Math.min(limits.observation, Math.max(seen.observation.length, seen.firstSeen.length));
    const listed = seen.actions === undefined ? '' : ` and ${Math.min(limits.actions, listedCharacters(this.#options.prompt, seen.actions))} of the list of actions`;
    const what = `the task and one turn are more than the model takes${why === '' ? '' : ` (${why})`}, with no more than ${longest} characters of what is seen${listed}`;
    return new FaultError({ kind: 'sampler-failed', message: `agent ${id}, task ${this.#task.index} of ${this.#task.panel}: ${what}`, retryable: false });
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

/** A turn as it is told with some limits, whatever is kept of the past. */
interface Told {
  readonly telling: Telling;
  /** What it weighs with so many exchanges. */
  readonly weight: (keep: number) => number;
  /** The newest message, without the list of actions. */
  readonly shown: string;
  readonly actionsLeftOut: number;
}

const weightsOf = ({ weight }: Told, below: number): readonly number[] => Array.from({ length: below }, (_, keep) => weight(keep));

interface Asked {
  readonly reply: Extract<ChatReply, { readonly kind: 'said' }>;
  readonly leftOut: number;
  /** The newest message, without the list of actions. */
  readonly shown: string;
  readonly limits: Limits;
  readonly actionsLeftOut: number;
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
