import type { Context } from '../../envs/core/context.ts';
import type { Json } from '../../envs/core/json.ts';
import type { ActingTurn } from '../../envs/core/step.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Reply } from '../../envs/core/textual.ts';

/** A choice among listed actions: one row of the training batch. */
export interface ChoiceDecision {
  readonly kind: 'choice';
  /** The admissible actions in words, in the env's order. */
  readonly candidates: readonly string[];
  readonly index: number;
  /** Behaviour log-probability: under the distribution really drawn from, temperature included. */
  readonly logprob: number;
}

/** What of an episode a prompt left out, where it could not show all. */
export interface ShownLess {
  /** Earlier exchanges that were left out of the prompt because the model, or its chat template, could not take them all. */
  readonly leftOut: number;
  /**
   * Of what was seen, characters that were left out because the prompt shows, or the model takes, no more; absent where it was shown whole.
   * Of what was seen first, what is left out only from this turn on counts too.
   */
  readonly charactersCut?: number;
  /** Admissible actions that the list in the prompt left out because the prompt lists, or the model takes, no more; absent where it had all, or there was none. */
  readonly actionsLeftOut?: number;
}

/** Tokens that a policy was shown, and those that it wrote behind them. */
export interface TokenSpan {
  /**
   * So many tokens of the span before it in the episode, its prompt and what was written, stand at the beginning of this one's prompt.
   * Where all of them do, both are one row of training; else this one begins a new row, which has these tokens as its context.
   */
  readonly kept: number;
  /** The rest of the prompt. */
  readonly appended: readonly number[];
  /** What the policy wrote, as it was sampled. */
  readonly sampled: readonly number[];
  /** Behaviour log-probability of each of these; null where a server gave none. */
  readonly logprobs: readonly (number | null)[];
}

/** A text that was sampled token by token. */
export interface TokenDecision extends ShownLess {
  readonly kind: 'tokens';
  /** One, but for replies within which the context was reset. */
  readonly spans: readonly TokenSpan[];
  /** What it could write, token by token, where it was restricted; absent where it could write anything. */
  readonly allowed?: readonly (readonly number[])[];
}

/** Tokens of one exchange with a model, as its server counted them. */
export interface TokenUsage {
  readonly prompt: number;
  readonly completion: number;
  /** Of the prompt, taken from a cache; absent where the server does not say. */
  readonly cached?: number;
  /** Of the completion, spent on reasoning; absent where the server does not say. */
  readonly reasoning?: number;
}

/** A text that somebody else's model wrote: nothing is known of its probability, so nothing can be trained on it. */
export interface TextDecision extends ShownLess {
  readonly kind: 'text';
  /** The whole reply, as it came. */
  readonly text: string;
  /** Undefined where the server counts no tokens. */
  readonly usage: TokenUsage | undefined;
  /** Length of what the model reasoned apart from the reply, which nobody reads. */
  readonly reasoningCharacters: number;
}

export type Decision = ChoiceDecision | TokenDecision | TextDecision;

/** What a player answers. */
export interface Answer<Act> {
  readonly reply: Reply<Act>;
  /** How it was decided; undefined for players that are not trained. */
  readonly decision: Decision | undefined;
  /** Version of the policy that decided; undefined for players that have none. */
  readonly policyVersion: number | undefined;
}

/** Plays one episode and remembers what it must. */
export interface EpisodePlayer<Obs, Act> {
  /**
   * Decides. `feedback` says why the last reply could not be used. Heeds `context.signal`; what fails in the world
   * (a server, a model) is thrown as a `FaultError`.
   */
  act(turn: ActingTurn<Obs, Act>, context: Context, feedback?: string): Promise<Answer<Act>>;
  /** Present where memory can be saved in mid-episode; the law is that of env snapshots. */
  readonly snapshots?: { take(): Json; restore(memory: Json): void };
  /** Gives back what was held for the episode and cancels what is under way. Called once, when the episode is over, however it ended. */
  end?(): void;
}

/** Something that acts. It makes one player an episode and knows no env by name. */
export interface Agent<Obs, Act> {
  /** Stands in trajectories and tables, such as `random` or `choice:3f2a`. */
  readonly id: string;
  begin(
    episode: { readonly task: TaskRef; readonly instruction: string },
    context: Context,
  ): EpisodePlayer<Obs, Act>;
}
