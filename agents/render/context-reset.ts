import { UsageError } from '../../envs/core/errors.ts';
import type { SampledTokens } from '../core/token-sampler.ts';
import type { TokenPrompt, TokenTranscript } from './token-prompt.ts';

/**
 * Long replies in a bounded context. When the context is full, the reply continues after the prompt and the
 * last part of what was written (Delethink, "The Markovian Thinker", 2025).
 */
export interface ContextReset {
  /** Written tokens that are carried over; fewer than a context takes. */
  readonly carriedTokens: number;
  /** Most contexts of a reply, including the first. */
  readonly contexts: number;
}

/** The part of a reply that was written in one context. */
export interface ReplyPart {
  readonly prompt: TokenPrompt;
  readonly sampled: SampledTokens;
}

/**
 * Writes a reply over several contexts. Each has at most `maxTokens` after the prompt, including the carried
 * tokens. `sampled` of the parts, in order, has every written token once.
 */
export async function writeInContexts(
  first: TokenPrompt,
  {
    maxTokens,
    reset,
    transcript,
  }: {
    readonly maxTokens: number;
    readonly reset: ContextReset | undefined;
    readonly transcript: TokenTranscript;
  },
  write: (prompt: TokenPrompt, maxTokens: number) => Promise<SampledTokens>,
): Promise<readonly ReplyPart[]> {
  const parts: ReplyPart[] = [];
  let written: readonly number[] = [];
  const { carriedTokens, contexts } = reset ?? { carriedTokens: 0, contexts: 1 };
  for (let prompt = first; ;) {
    const sampled = await write(prompt, maxTokens - (prompt.tokens.length - first.tokens.length));
    parts.push({ prompt, sampled });
    written = [...written, ...sampled.tokens];
    if (sampled.finish === 'stop' || parts.length === contexts) return parts;
    prompt = transcript.carried(first, written.slice(Math.max(0, written.length - carriedTokens)));
  }
}

/**
 * Refuses a reset that leaves no room to write or never resets. `called` gives the name of an option in the
 * caller's config.
 */
export function assertContextReset(
  { carriedTokens, contexts }: ContextReset,
  maxTokens: number,
  called: (option: string) => string,
): void {
  if (!Number.isInteger(carriedTokens) || carriedTokens < 0 || carriedTokens >= maxTokens) {
    throw new UsageError({
      where: called('reset.carriedTokens'),
      what: `${carriedTokens} is invalid with ${maxTokens} tokens in a context.`,
      fix: `It must be an integer from 0 to ${maxTokens - 1}. Lower it, or raise ${called('maxTokens')}.`,
    });
  }
  if (!Number.isInteger(contexts) || contexts < 2) {
    throw new UsageError({
      where: called('reset.contexts'),
      what: `${contexts} is invalid.`,
      fix: 'It must be an integer of at least 2. Omit the reset for a single context.',
    });
  }
}
