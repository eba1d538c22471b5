import { z } from 'zod';
import type { Context } from '../../envs/core/context.ts';
import { boundaryNow, FaultError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Reply, Textual, ToolCall, ToolDescription } from '../../envs/core/textual.ts';
import type { ActingTurn } from '../../envs/core/step.ts';
import type { Agent, Answer, EpisodePlayer, ShownLess } from '../core/agent.ts';
import type { ChatModel, ChatReply } from './chat-model.ts';
import { listedCharacters, tellMessages, weigh } from './conversation.ts';
import type { Prompt } from './prompt.ts';
import { ContextBudget } from './context-budget.ts';
import { readReply, withoutThinking } from './read-reply.ts';
import { shorten } from './shorten.ts';
import { describeCall, offerTools, readCalls, type OfferedTools } from './tool-calls.ts';
import {
  listedActions,
  longestMalformed,
  Transcript,
  transcriptMemoryShape,
  type Limits,
  type TurnView,
  type TextView,
  type ToldTurn,
} from './transcript.ts';

/** Options of a text agent. */
export interface TextAgentOptions<Obs, Act> {
  readonly id: string;
  readonly model: ChatModel;
  readonly prompt: Prompt;
  readonly text: Textual<Obs, Act>;
  readonly view: TextView;
  /** The schema of actions, from which a prompt with native tool calls derives its tools. */
  readonly action?: z.ZodType<Act> | undefined;
}

/**
 * Plays by the text of a language model. An unreadable reply is malformed; the rollout charges a penalty and
 * applies a cap, and the model is given the reason.
 *
 * If a conversation exceeds the model's context, the oldest exchanges are left out. The task, the newest turn
 * and the examples stay. How many are left out is estimated from what was accepted and refused so far, and
 * recorded in the decision.
 *
 * If no exchanges are left, the longer of the observation and the list of actions is halved, repeatedly, down
 * to {@link fewestCharacters} each. The decision records how much was cut. If that is refused twice, the
 * episode faults.
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

/**
 * The observation and the list of actions are not cut below this many characters to fit the context: less
 * would not be useful.
 */
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
    const offered = this.#options.prompt.grammar === 'tools' ? this.#offer(turn, seen) : undefined;
    const { reply, shown, told, limits } = await this.#ask(seen, context, offered?.tools);
    const shownLess: ShownLess = {
      ...shown,
      ...this.#transcript.shownLess(seen, limits, {
        ...told,
        actionsLeftOut: offered?.leftOut ?? told.actionsLeftOut,
      }),
    };
    if (offered !== undefined) return this.#called(reply, offered, { told, shownLess });
    const spoken = this.#transcript.read(reply.text, reply.cut);
    this.#transcript.keep(told, this.#transcript.inForm(reply.text, spoken));
    return {
      reply: this.#transcript.replyOf(reply.text, spoken),
      decision: {
        kind: 'text',
        text: reply.text,
        usage: reply.usage,
        reasoningCharacters: reply.reasoningCharacters,
        ...shownLess,
      },
      policyVersion: undefined,
    };
  }

  async write(prompt: string, context: Context): Promise<string> {
    const reply = await this.#options.model.complete(
      { messages: [{ role: 'user', text: prompt }], stop: [] },
      context,
    );
    if (reply.kind === 'said') return withoutThinking(reply.text) ?? '';
    throw new FaultError({
      kind: 'sampler-failed',
      message: `agent ${this.#options.id}: a prompt of the env exceeds the context of the model${reply.why === '' ? '' : ` (${reply.why})`}`,
      retryable: false,
      code: 'prompt-too-long',
    });
  }

  #offer(turn: ActingTurn<Obs, Act>, { actions: words }: TurnView): OfferedTools<Act> {
    const { prompt } = this.#options;
    const { text, action } = this.#options.text.at?.(turn.observation) ?? this.#options;
    const admissible = words === undefined ? undefined : listedActions(text, turn.admissible);
    const listed =
      words === undefined || admissible === undefined ? undefined : { actions: admissible, words };
    return boundaryNow(
      (message) => ({ kind: 'env-crashed', where: 'text.tools', message }),
      () => offerTools({ text, action }, listed, prompt.actions.most),
    );
  }

  /** The answer of a reply with native tool calls. Of several calls the first counts, unless the env takes several. */
  #called(
    reply: Asked['reply'],
    offered: OfferedTools<Act>,
    of: { readonly told: ToldTurn; readonly shownLess: ShownLess },
  ): Answer<Act> {
    const calls = (reply.calls ?? []).slice(0, offered.readAll === undefined ? 1 : undefined);
    const { remember } = this.#options.prompt;
    const thought = (withoutThinking(reply.text) ?? '').trim();
    const text = [reply.text, ...calls.map(describeCall)].join('\n').trim();
    const read = calls.length === 0 ? undefined : readCalls(calls, offered);
    const isCalled = read?.kind === 'calls';
    this.#transcript.keep(
      of.told,
      isCalled ? (remember === 'reply' ? thought : '') : shorten(text, longestMalformed),
      isCalled ? calls : undefined,
    );
    return {
      reply: this.#meantBy(reply, read, offered, text),
      decision: {
        kind: 'text',
        text,
        usage: reply.usage,
        reasoningCharacters: reply.reasoningCharacters,
        ...of.shownLess,
      },
      policyVersion: undefined,
    };
  }

  #meantBy(
    { text: said, cut }: Asked['reply'],
    read: ReturnType<typeof readCalls> | undefined,
    offered: OfferedTools<Act>,
    text: string,
  ): Reply<Act> {
    if (read === undefined) {
      const spoken = readReply(said, { grammar: 'tools', cut });
      return spoken.kind === 'malformed'
        ? { ...spoken, text }
        : { kind: 'malformed', why: 'no tool was called.', text, code: 'no-action' };
    }
    if (read.kind === 'malformed')
      return { kind: 'malformed', why: read.why, text, code: cut ? 'cut-off' : 'no-action' };
    const meant = boundaryNow(
      (message) => ({ kind: 'env-crashed', where: 'text.tools', message }),
      () => meaningOf(read.calls, offered),
    );
    return meant.kind === 'action' ? meant : { ...meant, text };
  }

  /**
   * Asks the model. On each refusal it first drops exchanges, then shortens the observation. Weights that are
   * known to be too great are skipped, except for an occasional retry. The smallest request is sent twice.
   */
  async #ask(
    seen: TurnView,
    context: Context,
    tools: readonly ToolDescription[] | undefined,
  ): Promise<Asked> {
    const { model, prompt } = this.#options;
    const { wanted, carried } = this.#transcript;
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
          {
            messages: tellMessages(prompt, told.telling, keep),
            stop: prompt.stop,
            ...(tools === undefined ? {} : { tools }),
          },
          context,
        );
        if (reply.kind === 'said') {
          this.#budget.noteTaken(weight);
          return { reply, shown: this.#transcript.showed(keep), told, limits };
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
      keep = this.#fitting(told, Math.min(keep === 0 ? wanted + 1 : keep, carried + 1));
    }
  }

  /**
   * The fewest exchanges with which to retry the bound that excludes the wanted number; undefined if it is
   * not retried on this turn.
   */
  #keepToRetry(told: RetoldTurn, wanted: number): number | undefined {
    if (this.#transcript.carried < wanted) return undefined; // a full chunk ends
    if (this.#budget.mayTake(told.weight(wanted)) || !this.#budget.noteBounded()) return undefined;
    return weightsOf(told, wanted + 1).findIndex((weight) => !this.#budget.mayTake(weight));
  }

  /**
   * How many exchanges, fewer than `below`, to try next. Among numbers whose outcome is unknown it is the
   * middle one, otherwise the highest that is known to be accepted.
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
    const what = `the task and one turn exceed the context of the model${why === '' ? '' : ` (${why})`}, with at most ${longest} characters of the observation${listed}`;
    return new FaultError({
      kind: 'sampler-failed',
      message: `agent ${id}, task ${this.#task.index} of ${this.#task.panel}: ${what}`,
      retryable: false,
      code: 'prompt-too-long',
    });
  }
}

/** The action of the calls of a reply, of which there is at least one. */
function meaningOf<Act>(calls: readonly ToolCall[], { read, readAll }: OfferedTools<Act>): Reply<Act> {
  const [first] = calls;
  return first !== undefined && (calls.length === 1 || readAll === undefined)
    ? read(first)
    : (readAll?.(calls) ?? unread);
}

const unread: Reply<never> = { kind: 'malformed', why: 'no tool was called.', text: '', code: 'no-action' };

interface RetoldTurn extends ToldTurn {
  /** The weight with that many exchanges. */
  readonly weight: (keep: number) => number;
}

const weightsOf = ({ weight }: RetoldTurn, below: number): readonly number[] =>
  Array.from({ length: below }, (_, keep) => weight(keep));

interface Asked {
  readonly reply: Extract<ChatReply, { readonly kind: 'said' }>;
  readonly shown: Pick<ShownLess, 'leftOut' | 'contextStart'>;
  readonly told: ToldTurn;
  readonly limits: Limits;
}
