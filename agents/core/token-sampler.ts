import type { Context } from '../../envs/core/context.ts';

/** The narrow port through which a token agent reaches a model. Trainers and clients implement it; agents never import trainers. */
export interface TokenSampler {
  /** Goes up by one with each update of the weights. */
  readonly version: number;
  /** Tokens that a prompt and what is written behind it may have together. */
  readonly contextLength: number;
  /** A place for one episode, so that what its next prompt begins with need not be computed again. */
  begin(): TokenSession;
}

/** Samples with the weights of a model that is being trained. */
export interface TrainingSampler extends TokenSampler {
  /** Whether a server computes the log-probabilities. An update then recomputes them, and weights each token by the ratio. */
  readonly isRemote: boolean;
  /** Reports that the weights have changed: the next request is answered with the new ones. */
  outdate(): void;
  /** Releases what it holds. No request may follow. */
  dispose(): Promise<void>;
}

/** One episode's place in a sampler. Prompts mostly begin with tokens of the prompt before them and of what was written behind it. */
export interface TokenSession {
  /**
   * Writes behind a prompt. Requests of all live episodes are answered in common batches. All chance is drawn from `context.rng`, so that
   * what is written does not depend on who shares the batch. Heeds `context.signal`; what fails in the world is thrown as a `FaultError`.
   */
  sample(request: TokenRequest, context: Context): Promise<SampledTokens>;
  /** Gives back what is held for the episode and cancels what is under way. */
  end(): void;
}

/** How the next token is drawn. */
export interface TokenDecoding {
  /** Logits are divided by it; 0 takes the most likely token. */
  readonly temperature: number;
  /** Draws from so many of the most likely tokens. */
  readonly topK?: number;
  /** Draws from the fewest most likely tokens that have this probability together. */
  readonly topP?: number;
  /** Draws from tokens that are at least so likely as a share of the most likely one. */
  readonly minP?: number;
}

/** What is asked of a sampler. */
export interface TokenRequest {
  /** All of it, also what earlier prompts of the session had. */
  readonly prompt: readonly number[];
  /** What is written ends at this length at the latest; at least 1. */
  readonly maxTokens: number;
  /** What is written ends with the first of these; it is part of it. */
  readonly stopTokens: readonly number[];
  /** What is written ends with the token that completes one of these; it is part of it. */
  readonly stopTexts: readonly string[];
  readonly decoding: TokenDecoding;
  /** What is written is one of these, drawn token by token from what {@link allowedNext} leaves; where it is given, it alone says where to end. */
  readonly allowed?: readonly (readonly number[])[];
}

/** What a sampler wrote. */
export interface SampledTokens {
  readonly tokens: readonly number[];
  /**
   * Of each token, under the distribution really drawn from: temperature, filters and restriction included; 0 where nothing was left to
   * chance, null where nobody says it.
   */
  readonly logprobs: readonly (number | null)[];
  /** Whether it came to an end by itself, or the limit cut it off. */
  readonly finish: 'stop' | 'length';
  /** Of the weights that wrote it; the oldest where they changed meanwhile. */
  readonly version: number;
}

/** The tokens that may follow those written so far where only `allowed` may be written, in their order there, each once. */
export function allowedNext(
  allowed: readonly (readonly number[])[],
  written: readonly number[],
): readonly number[] {
  const next = allowed.flatMap((tokens) =>
    written.every((token, place) => tokens[place] === token) ? (tokens[written.length] ?? []) : [],
  );
  return [...new Set(next)];
}
