import { z } from 'zod';
import type { Context } from '../../envs/core/context.ts';
import { FaultError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Textual } from '../../envs/core/textual.ts';
import type { ActingTurn } from '../../envs/core/step.ts';
import type { Agent, Answer, EpisodePlayer } from '../core/agent.ts';
import type { ChatModel, ChatReply } from './chat-model.ts';
import { listedCharacters, tellMessages, weigh } from './conversation.ts';
import type { Prompt } from './prompt.ts';
import { ContextBudget } from './context-budget.ts';
import { readReply } from './read-reply.ts';
import {
  Transcript,
  transcriptMemoryShape,
  type Limits,
  type TurnView,
  type TextView,
  type ToldTurn,
} from './transcript.ts';

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
  ...transcriptMemoryShape,
  reach: z.strictObject({
    taken: z.int().nonnegative(),
    refused: z.int().nonnegative().optional(),
    waited: z.int().nonnegative(),
    patience: z.int().positive(),
  }),
});

/** What is seen, and the list of actions, are cut no further than to so many characters because the model takes no more: a page would be none any more. */
const fewestCharacters = 1_000;

class TextPlayer<Obs, Act> implements EpisodePlayer<Obs, Act> {
  readonly #options: TextAgentOptions<Obs, Act>;
  readonly #task: TaskRef;
  readonly #transcript: Transcript<Obs, Act>;
  #budget = new ContextBudget();

  constructor(
    options: TextAgentOptions<Obs, Act>,
    { task, instruction }: { readonly task: TaskRef; readonly instruction: string },
  ) {
    this.#options = options;
    this.#task = task;
    this.#transcript = new Transcript(options, instruction);
  }

  readonly snapshots = {
    take: (): Json => ({ ...this.#transcript.memory(), reach: { ...this.#budget.memory() } }),
    restore: (memory: Json): void => {
      const { reach, ...said } = memorySchema.parse(memory);
      this.#transcript.restore(said);
      this.#budget = new ContextBudget(reach);
    },
  };

  async act(turn: ActingTurn<Obs, Act>, context: Context, feedback?: string): Promise<Answer<Act>> {
    const seen = this.#transcript.see(turn, feedback);
    const { reply, leftOut, told, limits } = await this.#ask(seen, context);
    const shownLess = this.#transcript.shownLess(seen, limits, told);
    const spoken = readReply(reply.text, this.#options.prompt.grammar, reply.cut);
    this.#transcript.keep(told.shown, this.#transcript.inForm(reply.text, spoken));
    return {
      reply: this.#transcript.replyOf(reply.text, spoken),
      decision: {
        kind: 'text',
        text: reply.text,
        usage: reply.usage,
        reasoningCharacters: reply.reasoningCharacters,
        leftOut,
        ...shownLess,
      },
      policyVersion: undefined,
    };
  }

  /**
   * Asks, with less of the past each time that it is too much, and then with less of what is seen. What is known to be too much is not
   * asked, but for a try now and then whether it still is. The least is asked twice.
   */
  async #ask(seen: TurnView, context: Context): Promise<Asked> {
    const { model, prompt } = this.#options;
    const { wanted } = this.#transcript;
    let limits = this.#transcript.limitsAtFirst;
    let told = this.#tell(seen, limits);
    const retried = this.#keepToRetry(told, wanted);
    let keep = retried ?? wanted;
    for (let mustAsk = retried !== undefined, isLast = false; ; mustAsk = false) {
      const less = keep === 0 ? this.#transcript.lessOf(seen, limits, fewestCharacters) : undefined;
      const isLeast = keep === 0 && less === undefined;
      const weight = told.weight(keep);
      if (mustAsk || isLeast || this.#budget.mayTake(weight)) {
        const reply = await model.complete(
          { messages: tellMessages(prompt, told.telling, keep), stop: prompt.stop },
          context,
        );
        if (reply.kind === 'said') {
          this.#budget.noteTaken(weight);
          return { reply, leftOut: wanted - keep, told, limits };
        }
        this.#budget.noteRefused(weight);
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
  #keepToRetry(told: RetoldTurn, wanted: number): number | undefined {
    if (this.#budget.mayTake(told.weight(wanted)) || !this.#budget.noteBounded()) return undefined;
    return weightsOf(told, wanted + 1).findIndex((weight) => !this.#budget.mayTake(weight));
  }

  /**
   * With how many exchanges, fewer than `below`, to ask next. Where it is not known of some numbers whether they are too much, it is the
   * one in their middle, else the highest that is known to be taken.
   */
  #fitting(told: RetoldTurn, below: number): number {
    const weights = weightsOf(told, below);
    const { taken, likely } = this.#budget;
    const most = (weight: number): number =>
      Math.max(
        0,
        weights.findLastIndex((it) => it <= weight),
      );
    const open = weights.findIndex((it, keep) => keep > 0 && it > taken && this.#budget.mayTake(it));
    return open < 0 ? most(taken) : Math.max(open, most(likely));
  }

  #tell(seen: TurnView, limits: Limits): RetoldTurn {
    const told = this.#transcript.tell(seen, limits);
    return { ...told, weight: weigh(this.#options.prompt, told.telling) };
  }

  #tooLong(seen: TurnView, limits: Limits, why: string): FaultError {
    const { id } = this.#options;
    const longest = Math.min(limits.observation, Math.max(seen.observation.length, seen.firstSeen.length));
    const listed =
      seen.actions === undefined
        ? ''
        : ` and ${Math.min(limits.actions, listedCharacters(this.#options.prompt, seen.actions))} of the list of actions`;
    const what = `the task and one turn are more than the model takes${why === '' ? '' : ` (${why})`}, with no more than ${longest} characters of what is seen${listed}`;
    return new FaultError({
      kind: 'sampler-failed',
      message: `agent ${id}, task ${this.#task.index} of ${this.#task.panel}: ${what}`,
      retryable: false,
      code: 'prompt-too-long',
    });
  }
}

interface RetoldTurn extends ToldTurn {
  /** What it weighs with so many exchanges. */
  readonly weight: (keep: number) => number;
}

const weightsOf = ({ weight }: RetoldTurn, below: number): readonly number[] =>
  Array.from({ length: below }, (_, keep) => weight(keep));

interface Asked {
  readonly reply: Extract<ChatReply, { readonly kind: 'said' }>;
  readonly leftOut: number;
  readonly told: ToldTurn;
  readonly limits: Limits;
}
