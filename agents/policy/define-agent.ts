import { z } from 'zod';
import type { Context } from '../../envs/core/context.ts';
import { boundaryNow, FaultError, messageOf, RunError, UsageError } from '../../envs/core/errors.ts';
import type { Json } from '../../envs/core/json.ts';
import type { PluginDefinition } from '../../envs/core/plugin.ts';
import type { ActingTurn } from '../../envs/core/step.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import { textAt, type Textual } from '../../envs/core/textual.ts';
import { abortable } from '../../envs/core/waiting.ts';
import type { Agent, TextDecision, TokenUsage } from '../core/agent.ts';
import { listedActions } from '../prompt/transcript.ts';

/** An episode as a user's agent learns of it when it begins. */
export interface AgentEpisode {
  readonly env: { readonly id: string; readonly config: Json };
  readonly task: TaskRef;
  readonly instruction: string;
}

/** One turn, in the words of the environment. */
export interface AgentTurn {
  readonly observation: string;
  /**
   * The admissible actions. Undefined if the environment lists none, or lists only samples of what may be
   * written.
   */
  readonly actions: readonly string[] | undefined;
  /** Undefined if the environment has no turn limit. */
  readonly stepsLeft: number | undefined;
  /** Why the last answer could not be read as an action; undefined if it could. */
  readonly feedback: string | undefined;
  /** The observation as the environment made it, for agents of one environment. */
  readonly raw: unknown;
}

/** What an agent may use while it answers. */
export interface AgentCall {
  /** Aborts when the episode is over or cancelled. Pass it to every request. */
  readonly signal: AbortSignal;
  /** A number from 0 up to 1, from the random stream of the episode: the same in each repetition. */
  readonly random: () => number;
}

/** An action in words, alone or with what is worth keeping about it. */
export type AgentAnswer =
  | string
  | {
      readonly action: string;
      /** All that the agent wrote, such as its thoughts; default: the action. `cairn-gym inspect` shows it. */
      readonly text?: string;
      /** Tokens that the answer took, for tables. */
      readonly usage?: TokenUsage | undefined;
    };

/** Plays one episode: called once a turn. A rejection is a fault of the episode, which is then played again. */
export type AgentPlay = (turn: AgentTurn, call: AgentCall) => AgentAnswer | Promise<AgentAnswer>;

/** What tables say about a user's agent. */
export interface AgentFacts {
  /** Whether it uses the admissible actions; default: true. */
  readonly admissible?: boolean;
  /** How much of the episode it remembers; default: `all steps`. */
  readonly history?: string;
}

/** An agent of the user's own, for `--agent FILE`. */
export interface AgentDefinition<Options extends z.ZodObject = z.ZodObject> extends PluginDefinition<
  string,
  Options
> {
  readonly facts?: AgentFacts;
  /** Called once an evaluation. It returns what begins each episode. */
  create(options: z.output<Options>): (episode: AgentEpisode) => AgentPlay;
}

const none = z.strictObject({});

/**
 * Defines an agent that `cairn-gym eval --agent FILE` plays. Export it as `agent`. `kind` is its name in tables.
 * It reads and writes words, so that it can play every environment.
 */
export function defineAgent<Options extends z.ZodObject = typeof none>(
  definition: Omit<AgentDefinition<Options>, 'options'> & { readonly options?: Options },
): AgentDefinition<Options> {
  const options: z.ZodObject = definition.options ?? none;
  return { ...definition, options: options as Options }; // without options, Options is that of none
}

const countSchema = z.int().nonnegative();
const usageSchema = z.strictObject({
  prompt: countSchema,
  completion: countSchema,
  cached: countSchema.optional(),
  reasoning: countSchema.optional(),
});
const answerSchema = z.union([
  z.string(),
  z.strictObject({
    action: z.string(),
    text: z.string().optional(),
    usage: usageSchema.optional(),
  }),
]);

/** Options of {@link createOwnAgent}. */
export interface OwnAgentOptions {
  /** Name in trajectories. */
  readonly id: string;
  readonly begin: (episode: AgentEpisode) => AgentPlay;
  readonly env: AgentEpisode['env'];
  /** The words of the env, which refuse what is no action: see `strictTextual`. */
  readonly text: Textual<unknown, unknown>;
  /** Runs each call into the user's code; default: calls it. */
  readonly around?: <T>(call: () => T) => T;
}

/** A user's agent as an {@link Agent}. It never waits longer than the episode. */
export function createOwnAgent(options: OwnAgentOptions): Agent<unknown, unknown> {
  const { id, begin, env, text, around = (call) => call() } = options;
  return {
    id,
    begin: ({ task, instruction }, context) => {
      const where = `agent ${id}, task ${task.index} of ${task.panel}`;
      let play: AgentPlay | undefined;
      return {
        act: async (turn, { signal, rng }, feedback) => {
          const call: AgentCall = { signal, random: () => rng.uniform() };
          const seen = turnOf(turn, text, feedback);
          const answer = await guarded(where, context, signal, async () => {
            play ??= around(() => begin({ env, task, instruction }));
            const playing = play;
            return await abortable(signal, Promise.resolve(around(() => playing(seen, call))));
          });
          const { action, ...rest } = readAnswer(answer, where);
          const reply = boundaryNow(
            (message) => ({ kind: 'env-crashed', where: 'text.parse', message }),
            () => textAt(text, turn.observation).parse(action),
          );
          return { reply, decision: decisionOf(rest, action), policyVersion: undefined };
        },
      };
    },
  };
}

function turnOf(
  turn: ActingTurn<unknown, unknown>,
  text: Textual<unknown, unknown>,
  feedback: string | undefined,
): AgentTurn {
  const words = <T>(call: string, say: () => T): T =>
    boundaryNow((message) => ({ kind: 'env-crashed', where: `text.${call}`, message }), say);
  return {
    observation: words('observation', () => text.observation(turn.observation)),
    actions: words('action', () =>
      listedActions(text, turn.admissible)?.map((action) => text.action(action)),
    ),
    stepsLeft: turn.stepsLeft,
    feedback,
    raw: turn.observation,
  };
}

/** Errors of the user's code are faults of the episode, unless they say that the run is wrong. */
async function guarded<T>(
  where: string,
  context: Context,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    context.signal.throwIfAborted();
    signal.throwIfAborted();
    if (UsageError.is(thrown) || RunError.is(thrown) || FaultError.is(thrown)) throw thrown;
    throw new FaultError(
      { kind: 'sampler-failed', message: `${where}: ${messageOf(thrown)}`, retryable: true },
      { cause: thrown },
    );
  }
}

function readAnswer(answer: unknown, where: string): Exclude<AgentAnswer, string> {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success)
    throw new UsageError({
      where,
      what: `it answered ${answer === undefined ? 'undefined' : `a ${typeof answer}`}, which is neither text nor { action, text, usage }.`,
      fix: 'Return the action in words, such as one of turn.actions.',
    });
  if (typeof parsed.data === 'string') return { action: parsed.data };
  const { action, text, usage } = parsed.data;
  return {
    action,
    ...(text === undefined ? {} : { text }),
    ...(usage === undefined ? {} : { usage: usageOf(usage) }),
  };
}

function usageOf({ prompt, completion, cached, reasoning }: z.output<typeof usageSchema>): TokenUsage {
  return {
    prompt,
    completion,
    ...(cached === undefined ? {} : { cached }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

const decisionOf = (
  { text, usage }: Omit<Exclude<AgentAnswer, string>, 'action'>,
  action: string,
): TextDecision => ({
  kind: 'text',
  text: text ?? action,
  usage,
  reasoningCharacters: 0,
  leftOut: 0,
});
