import type { Context } from '../../envs/core/context.ts';

/**
 * How a token agent reaches a model. Trainers and clients implement it, so that agents never import trainers.
 */
export interface TokenSampler {
  /** Increases by one with each update of the weights. */
  readonly version: number;
  /** Most tokens that a prompt and its reply may have together. */
  readonly contextLength: number;
  /** Opens a session for one episode. A sampler may cache the prefix of its prompts. */
  begin(): TokenSession;
}

/** Samples with the weights of a model in training. */
export interface TrainingSampler extends TokenSampler {
  /**
   * Whether a server computes the log-probabilities. If so, an update recomputes them and weights each token
   * by the ratio.
   */
  readonly isRemote: boolean;
  /** Signals that the weights have changed. The next request uses the new ones. */
  outdate(): void;
  /** Releases all resources. No request may follow. */
  dispose(): Promise<void>;
}

/** One episode in a sampler. A prompt usually begins with the previous prompt and reply. */
export interface TokenSession {
  /**
   * Writes a reply to a prompt. Requests of all live episodes are batched. All randomness comes from
   * `context.rng`, so the reply does not depend on what else is in the batch. The call respects
   * `context.signal`.
   * @throws FaultError if a server or a model fails
   */
  sample(request: TokenRequest, context: Context): Promise<SampledTokens>;
  /** Releases the episode's resources and cancels pending work. */
  end(): void;
}

/** How the next token is drawn. */
export interface TokenDecoding {
  /** Divides the logits. 0 takes the most likely token. */
  readonly temperature: number;
  /** Samples only from this many most likely tokens. */
  readonly topK?: number;
  /**
   * Nucleus sampling: samples from the smallest set of most likely tokens whose probabilities sum to at least
   * this.
   */
  readonly topP?: number;
  /** Samples only from tokens whose probability is at least this share of the most likely token's. */
  readonly minP?: number;
}

/** A request to a sampler. */
export interface TokenRequest {
  /** The whole prompt, including what earlier prompts of the session had. */
  readonly prompt: readonly number[];
  /** Most tokens of the reply; at least 1. */
  readonly maxTokens: number;
  /** The reply ends with the first of these tokens and includes it. */
  readonly stopTokens: readonly number[];
  /** The reply ends with the token that completes one of these texts and includes it. */
  readonly stopTexts: readonly string[];
  readonly decoding: TokenDecoding;
  /**
   * If given, the reply is one of these sequences, sampled token by token from {@link allowedNext}. It alone
   * decides where the reply ends.
   */
  readonly allowed?: readonly (readonly number[])[];
}

/** The reply of a sampler. */
export interface SampledTokens {
  readonly tokens: readonly number[];
  /**
   * Log-probability of each token under the distribution that was sampled from: temperature, filters and
   * restriction included. 0 if only one token was possible, null if unknown.
   */
  readonly logprobs: readonly (number | null)[];
  /** Whether the reply ended by itself or was cut off at the limit. */
  readonly finish: 'stop' | 'length';
  /** Version of the weights. If they changed during sampling, the oldest version. */
  readonly version: number;
}

/**
 * The tokens that may follow `written` if only `allowed` may be written: in the order of `allowed`, without
 * duplicates.
 */
export function allowedNext(
  allowed: readonly (readonly number[])[],
  written: readonly number[],
): readonly number[] {
  const next = allowed.flatMap((tokens) =>
    written.every((token, place) => tokens[place] === token) ? (tokens[written.length] ?? []) : [],
  );
  return [...new Set(next)];
}
