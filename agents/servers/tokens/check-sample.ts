import type { SampledTokens, TokenRequest } from '../../core/token-sampler.ts';
import type { TokenCodec } from '../../render/token-prompt.ts';
import type { UsableAnswer } from '../judge.ts';
import { passing, type ServerProblem } from '../problem.ts';
import { isGreedy, type SampleResponse } from './server-protocol.ts';

/** What a response is validated against. */
export interface SampleExpectation {
  readonly request: TokenRequest;
  /** The requested model name. */
  readonly name: string;
  /** Ids must be below it. */
  readonly vocabulary: number;
  readonly codec: Pick<TokenCodec, 'decode'>;
  /** Formats text of the server for people, without secrets. */
  readonly quoted: (text: string) => string;
}

/**
 * Validates a response, and cuts it after the first end that the request names, because some servers continue
 * beyond it.
 */
export function checkSample(
  written: SampleResponse,
  rules: SampleExpectation,
): UsableAnswer<Omit<SampledTokens, 'version'>> | ServerProblem {
  const problem = validateSource(written, rules) ?? validateNumbers(written, rules);
  if (problem !== undefined) return problem;
  const { request, codec } = rules;
  const end = endOf(written.tokens, request, codec);
  if (end === undefined && written.tokens.length < request.maxTokens) return unexpectedEnd(written, request);
  const tokens = written.tokens.slice(0, end);
  const logprobs = isGreedy(request.decoding)
    ? tokens.map(() => 0)
    : written.logprobs.slice(0, end).map((logprob) => (logprob === null ? null : Math.min(0, logprob)));
  return { kind: 'usable', result: { tokens, logprobs, finish: end === undefined ? 'length' : 'stop' } };
}

/** A wrong answer of a proxy, or of one of several servers behind it, may pass. */
const triesOfStrays = 4;

/** The problem of an answer from another model, or to another prompt. */
function validateSource(
  { name, promptTokens }: SampleResponse,
  { request: { prompt }, name: asked, quoted }: SampleExpectation,
): ServerProblem | undefined {
  const stray = { kind: 'problem', first: 'usage', later: 'retry', tries: triesOfStrays } as const;
  if (name !== undefined && name !== asked) {
    return {
      ...stray,
      why: `it answered as ${quoted(name)}, and ${quoted(asked)} was requested`,
      fix: 'Use the first name under which the model is served (--served-model-name).',
    };
  }
  if (promptTokens !== undefined && promptTokens !== prompt.length) {
    return {
      ...stray,
      why: `it reports ${promptTokens} prompt tokens, and ${prompt.length} were sent`,
      fix: 'Configure the server to use prompts unchanged, with nothing added or cut off.',
    };
  }
  return undefined;
}

/** Logarithms of rounded probabilities exceed 0 by at most this much. */
const rounding = 1e-5;
/** vLLM's value for a missing probability. */
const leastLogprob = -9999;
/** Replaces an incomplete character in decoded text. */
const brokenCharacter = '\ufffd';
/** Most bytes after which a server waits for the rest of a character. */
const longestPart = 3;

function validateNumbers(
  { tokens, logprobs }: SampleResponse,
  rules: SampleExpectation,
): ServerProblem | undefined {
  const {
    request: { maxTokens, decoding },
    vocabulary,
  } = rules;
  if (tokens.length !== logprobs.length)
    return passing(`it returned ${tokens.length} tokens and ${logprobs.length} log-probabilities`);
  if (tokens.length === 0) return passing('it returned no tokens');
  if (tokens.length > maxTokens)
    return passing(`it returned ${tokens.length} tokens, and the limit was ${maxTokens}`);
  const odd = tokens.find((token) => token < 0 || token >= vocabulary);
  if (odd !== undefined) return passing(`it returned the token ${odd}, and ids must be below ${vocabulary}`);
  const wrong = logprobs.find(
    (logprob) => logprob !== null && !(logprob > leastLogprob && logprob <= rounding),
  );
  if (wrong !== undefined) return passing(`it returned the invalid log-probability ${wrong}`);
  const lost = isGreedy(decoding) ? undefined : lostLogprob({ tokens, logprobs }, rules);
  return lost === undefined
    ? undefined
    : passing(`it returned no log-probability for the token ${lost}, which does not end within a character`);
}

/**
 * A token without a log-probability that has no excuse: it does not end within a character, and is not the
 * same as one that does.
 */
function lostLogprob(
  { tokens, logprobs }: Pick<SampleResponse, 'tokens' | 'logprobs'>,
  { request: { prompt, stopTokens }, codec }: SampleExpectation,
): number | undefined {
  const missing = [...tokens.keys()].filter((place) => logprobs[place] === null);
  const textUpTo = (place: number): string =>
    codec.decode(
      tokens.slice(0, stopTokens.includes(tokens[place] ?? -1) ? place : place + 1),
      prompt.at(-1),
    );
  const parts = new Set(
    missing
      .filter((place) => textUpTo(place).slice(-longestPart).includes(brokenCharacter))
      .map((place) => tokens[place]),
  );
  return missing.map((place) => tokens[place]).find((token) => !parts.has(token));
}

/** Tokens up to and including the first that ends a reply; undefined if none does. */
function endOf(
  tokens: readonly number[],
  { prompt, stopTokens, stopTexts }: TokenRequest,
  codec: SampleExpectation['codec'],
): number | undefined {
  const place = tokens.findIndex((token) => stopTokens.includes(token));
  const end = place < 0 ? undefined : place + 1;
  const has = (length: number): boolean => {
    const text = codec.decode(tokens.slice(0, length), prompt.at(-1));
    return stopTexts.some((stop) => text.includes(stop));
  };
  if (stopTexts.length === 0 || !has(end ?? tokens.length)) return end;
  // if a prefix has a stop text, every longer prefix has it too
  let [without, within] = [0, end ?? tokens.length];
  while (within - without > 1) {
    const middle = Math.floor((without + within) / 2);
    if (has(middle)) within = middle;
    else without = middle;
  }
  return within;
}

/** A reply that is shorter than requested and has no end. A retry would not change it. */
function unexpectedEnd({ tokens, ending }: SampleResponse, { maxTokens }: TokenRequest): ServerProblem {
  const wrong = { kind: 'problem', first: 'usage', later: 'usage' } as const;
  if (ending === 'length') {
    return {
      ...wrong,
      why: `it cut a reply off after ${tokens.length} of ${maxTokens} tokens`,
      fix: 'Start the server with a longer context, or lower contextLength.',
    };
  }
  return {
    ...wrong,
    why: `it ended a reply with the token ${tokens.at(-1)}, which is neither a stop token nor completes a stop text`,
    fix: 'Add the token to the stop tokens if it ends a turn. Otherwise check that the server has the same tokenizer.',
  };
}
