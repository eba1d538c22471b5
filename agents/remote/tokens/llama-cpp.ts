import { z } from 'zod';
import { describeIssues } from '../../../envs/core/issues.ts';
import { ownPath } from '../endpoint.ts';
import { passing, type Problem } from '../problem.ts';
import type { Dialect } from './dialect.ts';

const answerSchema = z.object({
  tokens: z.array(z.int()),
  completion_probabilities: z.array(z.object({ id: z.int(), prob: z.number() })),
  stop_type: z.string(),
  tokens_evaluated: z.int().nullish(),
});

/**
 * llama.cpp's own `/completion`. With `post_sampling_probs` its probabilities are those really drawn by. It ends a reply at any token that
 * its model file marks as an end of generation, and at no other; adapters are given to it when it is started. Stop texts are not sent:
 * it gives no probabilities of the tokens that spell one. So it writes on behind them, and what follows is cut off here.
 */
export const llamaCpp: Dialect = {
  path: (endpoint) => ownPath(endpoint, '/completion'),
  body: ({ request: { prompt, maxTokens, decoding }, seed }) => ({
    prompt,
    n_predict: maxTokens,
    samplers: ['temperature', 'top_k', 'top_p', 'min_p'], // no others, and the temperature first
    temperature: decoding.temperature,
    top_k: decoding.topK ?? 0,
    top_p: decoding.topP ?? 1,
    min_p: decoding.minP ?? 0,
    dynatemp_range: 0,
    mirostat: 0,
    ...(decoding.temperature === 0 ? {} : { seed }),
    n_probs: 1,
    post_sampling_probs: true,
    return_tokens: true,
    stream: false,
  }),
  read: (body, quoted) => {
    const answer = answerSchema.safeParse(body);
    if (!answer.success) return passing(`its answer has no ids with probabilities (${quoted(describeIssues(answer.error))})`);
    const { tokens, completion_probabilities: drawn, stop_type: type, tokens_evaluated: promptTokens } = answer.data;
    const ending = endings.get(type);
    if (ending === undefined) return passing(`it broke its reply off (${quoted(type)})`);
    if (drawn.length < tokens.length) return partsOfCharacters;
    if (drawn.some(({ id }, place) => id !== tokens[place])) return passing('its probabilities are of other tokens than it wrote');
    return { tokens, logprobs: drawn.map(({ prob }) => Math.log(prob)), ending, name: undefined, promptTokens: promptTokens ?? undefined };
  },
  inexact: () => undefined,
  adapters: { paths: undefined, mend: 'Sample with vLLM or SGLang where adapters change.' },
};

const endings: ReadonlyMap<string, 'stop' | 'length'> = new Map([
  ['eos', 'stop'],
  ['limit', 'length'],
]);

/** The same request would be answered in the same way again. */
const partsOfCharacters: Problem = {
  kind: 'problem',
  why: 'it wrote a character in several tokens, and llama.cpp gives a probability of the last of them alone',
  mend: 'Sample with vLLM or SGLang.',
  first: 'fault',
  later: 'fault',
};
