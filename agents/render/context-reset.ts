import { UsageError } from '../../envs/core/errors.ts';
import type { SampledTokens } from '../core/token-sampler.ts';
import type { TokenPrompt, TokenTranscript } from './token-prompt.ts';

/**
 * Long replies in a context of bounded length: whenever it is full, the reply goes on behind the prompt and the last of what was written
 * (Delethink, "The Markovian Thinker", 2025).
 */
export interface ContextReset {
  /** Tokens of what was written that are taken over; fewer than a context takes. */
  readonly carriedTokens: number;
  /** Contexts that a reply may have, the first included. */
  readonly contexts: number;
}

/** What was written in one context of a reply. */
export interface ReplyPart {
  readonly prompt: TokenPrompt;
  readonly sampled: SampledTokens;
}

/**
 * A reply in one context after the other, each of which has at most `maxTokens` behind the prompt, those taken over among them. All that
 * was written is `sampled` of the parts, in their order, each token once.
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

/** Refuses a reset that leaves no room to write, or is none; `called` says what an option is called where it is set. */
export function assertContextReset(
  { carriedTokens, contexts }: ContextReset,
  maxTokens: number,
  called: (option: string) => string,
): void {
  if (!Number.isInteger(carriedTokens) || carriedTokens < 0 || carriedTokens >= maxTokens) {
    throw new UsageError({
      where: called('reset.carriedTokens'),
      what: `${carriedTokens} of the ${maxTokens} tokens that a context takes cannot be taken over.`,
      fix: `Give a whole number from 0 to ${maxTokens - 1}, or raise ${called('maxTokens')}.`,
    });
  }
  if (!Number.isInteger(contexts) || contexts < 2) {
    throw new UsageError({
      where: called('reset.contexts'),
      what: `${contexts} will not do.`,
      fix: 'Give 2 or more, or leave the reset out.',
    });
  }
}
