import type { Context } from '../../envs/core/context.ts';
import type { Json } from '../../envs/core/json.ts';
import type { ActingTurn } from '../../envs/core/step.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import type { Reply } from '../../envs/core/textual.ts';

/** A choice among listed actions. It becomes one row of the training batch. */
export interface ChoiceDecision {
  readonly kind: 'choice';
  /** The admissible actions as text, in the env's order. */
  readonly candidates: readonly string[];
  readonly index: number;
  /**
   * Behaviour log-probability (natural log) under the distribution that was sampled from, temperature
   * included.
   */
  readonly logprob: number;
  /**
   * The most probable other candidates, at most {@link mostOthers}, from the most probable one. Absent for
   * players without probabilities, and in episodes of older versions.
   */
  readonly others?: readonly OtherCandidate[];
}

/** A candidate that was not chosen. */
export interface OtherCandidate {
  /** Among the candidates. */
  readonly index: number;
  /**
   * Under the policy, rounded to four decimals: at the temperature of sampling, or at temperature 1 for a
   * greedy choice.
   */
  readonly probability: number;
}

/** Other candidates that a decision records. More are rarely of interest, and every step is stored. */
export const mostOthers = 5;

/** What the prompt left out because it could not show everything. */
export interface ShownLess {
  /** Earlier exchanges left out because the model, or its chat template, could not take them all. */
  readonly leftOut: number;
  /**
   * Where the context is in chunks and a new one begins on this turn: the first earlier step that its prompt
   * shows. Absent on all other turns.
   */
  readonly contextStart?: number;
  /**
   * Characters cut from observations because the prompt, or the model, takes no more. Absent if nothing was
   * cut. Characters cut from the first observation count only from the turn that first cuts them.
   */
  readonly charactersCut?: number;
  /**
   * Admissible actions missing from the prompt's list because the prompt, or the model, takes no more. Absent
   * if the list was complete, or the prompt has none.
   */
  readonly actionsLeftOut?: number;
}

/** The tokens of a prompt and the tokens that the policy wrote after it. */
export interface TokenSpan {
  /**
   * How many tokens of the previous span (its prompt and its reply) this span's prompt begins with. If it
   * keeps all of them, both spans share one training row. Otherwise this span begins a new row with these
   * tokens as its context.
   */
  readonly kept: number;
  /** The rest of the prompt. */
  readonly appended: readonly number[];
  /** What the policy wrote, as it was sampled. */
  readonly sampled: readonly number[];
  /** Behaviour log-probability of each sampled token; null if the server gave none. */
  readonly logprobs: readonly (number | null)[];
}

/** A text that was sampled token by token. */
export interface TokenDecision extends ShownLess {
  readonly kind: 'tokens';
  /** One span, or several if the context was reset within the reply. */
  readonly spans: readonly TokenSpan[];
  /** If output was restricted: the token sequences that were allowed. Absent if any token was allowed. */
  readonly allowed?: readonly (readonly number[])[];
}

/** Tokens of one exchange with a model, as its server counted them. */
export interface TokenUsage {
  readonly prompt: number;
  readonly completion: number;
  /** Prompt tokens that were taken from a cache. Absent if the server does not report them. */
  readonly cached?: number;
  /** Completion tokens spent on reasoning. Absent if the server does not report them. */
  readonly reasoning?: number;
}

/** A reply of an external model. Its probability is unknown, so it cannot be used for training. */
export interface TextDecision extends ShownLess {
  readonly kind: 'text';
  /** The whole reply, unchanged. */
  readonly text: string;
  /** Undefined if the server does not count tokens. */
  readonly usage: TokenUsage | undefined;
  /**
   * Characters of reasoning that the model returned apart from its reply. The reasoning itself is not used.
   */
  readonly reasoningCharacters: number;
}

export type Decision = ChoiceDecision | TokenDecision | TextDecision;

/** A player's answer in one turn. */
export interface Answer<Act> {
  readonly reply: Reply<Act>;
  /** How it was decided; undefined for players that are not trained. */
  readonly decision: Decision | undefined;
  /** Version of the policy that decided; undefined for players that have none. */
  readonly policyVersion: number | undefined;
}

/** Plays one episode and keeps its memory. */
export interface EpisodePlayer<Obs, Act> {
  /**
   * Chooses an action. `feedback` says why the last reply was unusable. The call must respect
   * `context.signal`.
   * @throws FaultError if a server or a model fails
   */
  act(turn: ActingTurn<Obs, Act>, context: Context, feedback?: string): Promise<Answer<Act>>;
  /**
   * Present if a language model plays: its reply to a prompt that is no turn, without its thinking. The player does not
   * remember it. The call must respect `context.signal`.
   * @throws FaultError if a server or a model fails
   */
  write?(prompt: string, context: Context): Promise<string>;
  /**
   * Present if the memory can be saved in mid-episode. The law of env snapshots applies: a restored player
   * goes on exactly as the original.
   */
  readonly snapshots?: { take(): Json; restore(memory: Json): void };
  /**
   * Releases the episode's resources and cancels pending work. Called once when the episode is over, however
   * it ended.
   */
  end?(): void;
}

/** Something that acts. It creates one player for each episode and knows no env by name. */
export interface Agent<Obs, Act> {
  /** Name in trajectories and tables, such as `random` or `choice:3f2a`. */
  readonly id: string;
  begin(
    episode: { readonly task: TaskRef; readonly instruction: string },
    context: Context,
  ): EpisodePlayer<Obs, Act>;
}
