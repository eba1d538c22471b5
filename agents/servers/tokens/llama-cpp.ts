import { z } from 'zod';
import { UsageError } from '../../../envs/core/errors.ts';
import { describeIssues } from '../../../envs/core/issues.ts';
import { ownPath } from '../endpoint.ts';
import { passing } from '../problem.ts';
import { alignLogprobs } from './align-logprobs.ts';
import type { AdapterDoors, AdapterHost, Dialect } from './dialect.ts';
import { presetAdapters } from './preset-adapters.ts';

const answerSchema = z.object({
  model: z.string().nullish(),
  tokens: z.array(z.int()),
  /** In the order of the tokens, but for those with which the text ended within a character. */
  completion_probabilities: z.array(z.object({ id: z.int(), prob: z.number() })).nullish(),
  stop_type: z.string(),
  tokens_evaluated: z.int().nullish(),
});

/**
 * llama.cpp's own `/completion`. With `post_sampling_probs` its probabilities are those really drawn by. It ends a reply at any token that
 * its model file marks as an end of generation, and at no other. Stop texts are not sent: it gives no probabilities of the tokens that spell
 * one. So it writes on behind them, and what follows is cut off here.
 *
 * @param presets the file of presets of a router, which alone takes adapters while it runs, and finds models by their names
 */
export const llamaCpp = (presets: string | undefined): Dialect => ({
  path: (endpoint) => ownPath(endpoint, '/completion'),
  body: ({ request: { prompt, maxTokens, decoding }, name, seed }) => ({
    model: name,
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
    if (!answer.success)
      return passing(`its answer has no ids with probabilities (${quoted(describeIssues(answer.error))})`);
    const {
      model,
      tokens,
      completion_probabilities: drawn,
      stop_type: type,
      tokens_evaluated: promptTokens,
    } = answer.data;
    const ending = endings.get(type);
    if (ending === undefined) return passing(`it broke its reply off (${quoted(type)})`);
    const logprobs = alignLogprobs(tokens, drawn ?? []);
    if (logprobs === undefined) return passing('its probabilities are of other tokens than it wrote');
    return {
      tokens,
      logprobs,
      ending,
      name: presets === undefined ? undefined : (model ?? undefined),
      promptTokens: promptTokens ?? undefined,
    };
  },
  inexact: () => undefined,
  adapters: (host) => (presets === undefined ? noAdapters(host) : presetAdapters(host, presets)),
});

/** A server of one model takes adapters when it is started. */
function noAdapters({ server: { where } }: AdapterHost): AdapterDoors {
  const refuse = (name: string): Promise<never> =>
    Promise.reject(
      new UsageError({
        where,
        what: `adapter ${name} could not be loaded: it takes adapters only when it is started.`,
        mend: 'Start llama-server as a router, and give the file of its presets (presets), or sample with vLLM or SGLang.',
      }),
    );
  return { load: refuse, unload: refuse };
}

const endings: ReadonlyMap<string, 'stop' | 'length'> = new Map([
  ['eos', 'stop'],
  ['limit', 'length'],
]);
