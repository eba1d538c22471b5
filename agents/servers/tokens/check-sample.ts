import type { SampledTokens, TokenRequest } from '../../core/token-sampler.ts';
import type { TokenCodec } from '../../render/token-prompt.ts';
import type { UsableAnswer } from '../judge.ts';
import { passing, type ServerProblem } from '../problem.ts';
import { isGreedy, type SampleResponse } from './server-protocol.ts';

/** What a response is validated against. */
export interface SampleExpectation {
  readonly request: TokenRequest;
  /** The name that was asked for. */
  readonly name: string;
  /** Ids are below it. */
  readonly vocabulary: number;
  readonly codec: Pick<TokenCodec, 'decode'>;
  /** Makes words of the server fit for people, without secrets. */
  readonly quoted: (text: string) => string;
}

/** Validates a response, and cuts it after the first end that the request names: some servers write on behind it. */
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

/** Stray answers of a proxy, or of one of several servers behind it, may pass. */
const triesOfStrays = 4;

/** The problem of an answer by another model, or to another prompt. */
function validateSource(
  { name, promptTokens }: SampleResponse,
  { request: { prompt }, name: asked, quoted }: SampleExpectation,
): ServerProblem | undefined {
  const stray = { kind: 'problem', first: 'usage', later: 'retry', tries: triesOfStrays } as const;
  if (name !== undefined && name !== asked) {
    return {
      ...stray,
      why: `it answered as ${quoted(name)}, and ${quoted(asked)} was asked`,
      fix: 'Ask for the model by the first name that it is served under (--served-model-name).',
    };
  }
  if (promptTokens !== undefined && promptTokens !== prompt.length) {
    return {
      ...stray,
      why: `it took a prompt of ${prompt.length} tokens for one of ${promptTokens}`,
      fix: 'Have the server take prompts as they are: nothing added, nothing cut off.',
    };
  }
  return undefined;
}

/** Logarithms of rounded probabilities are above 0 by this much at the most. */
const rounding = 1e-5;
/** What vLLM writes where there is no probability. */
const leastLogprob = -9999;
/** Stands in a text for what is no whole character. */
const brokenCharacter = '\ufffd';
/** Bytes behind which a server waits for the rest of a character at most, whatever follows its first one. */
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
    return passing(`it gave ${tokens.length} tokens and ${logprobs.length} log-probabilities`);
  if (tokens.length === 0) return passing('it wrote nothing');
  if (tokens.length > maxTokens)
    return passing(`it wrote ${tokens.length} tokens where ${maxTokens} were wanted at most`);
  const odd = tokens.find((token) => token < 0 || token >= vocabulary);
  if (odd !== undefined) return passing(`it wrote the token ${odd}, and there are those below ${vocabulary}`);
  const wrong = logprobs.find(
    (logprob) => logprob !== null && !(logprob > leastLogprob && logprob <= rounding),
  );
  if (wrong !== undefined) return passing(`it gave the log-probability ${wrong}`);
  const lost = isGreedy(decoding) ? undefined : lostLogprob({ tokens, logprobs }, rules);
  return lost === undefined
    ? undefined
    : passing(`it gave no log-probability of the token ${lost}, which ends no part of a character`);
}

/** A token of which a log-probability is missing although it ends no part of a character, nor is like one that does, for which it may stand. */
function lostLogprob(
  { tokens, logprobs }: Pick<SampleResponse, 'tokens' | 'logprobs'>,
  { request: { stopTokens }, codec }: SampleExpectation,
): number | undefined {
  const missing = [...tokens.keys()].filter((place) => logprobs[place] === null);
  const textUpTo = (place: number): string =>
    codec.decode(tokens.slice(0, stopTokens.includes(tokens[place] ?? -1) ? place : place + 1));
  const parts = new Set(
    missing
      .filter((place) => textUpTo(place).slice(-longestPart).includes(brokenCharacter))
      .map((place) => tokens[place]),
  );
  return missing.map((place) => tokens[place]).find((token) => !parts.has(token));
}

/** How many tokens there are up to the first that ends a reply, with it; undefined where none does. */
function endOf(
  tokens: readonly number[],
  { stopTokens, stopTexts }: TokenRequest,
  codec: SampleExpectation['codec'],
): number | undefined {
  const place = tokens.findIndex((token) => stopTokens.includes(token));
  const end = place < 0 ? undefined : place + 1;
  const has = (length: number): boolean => {
    const text = codec.decode(tokens.slice(0, length));
    return stopTexts.some((stop) => text.includes(stop));
  };
  if (stopTexts.length === 0 || !has(end ?? tokens.length)) return end;
  let [without, within] = [0, end ?? tokens.length]; // a beginning that has a stop text has it in every longer one
  while (within - without > 1) {
    const middle = Math.floor((without + within) / 2);
    if (has(middle)) within = middle;
    else without = middle;
  }
  return within;
}

/** A reply that is shorter than asked for and has no end: another try would not change it. */
function unexpectedEnd({ tokens, ending }: SampleResponse, { maxTokens }: TokenRequest): ServerProblem {
  const wrong = { kind: 'problem', first: 'usage', later: 'usage' } as const;
  if (ending === 'length') {
    return {
      ...wrong,
      why: `it cut a reply off after ${tokens.length} of ${maxTokens} tokens`,
      fix: 'Start it with a longer context, or lower contextLength.',
    };
  }
  return {
    ...wrong,
    why: `it ended a reply with the token ${tokens.at(-1)}, and neither is that a stop token nor does a stop text stand there`,
    fix: 'Take the token among the stop tokens if it ends a turn; else see that the server has the same tokenizer.',
  };
}
