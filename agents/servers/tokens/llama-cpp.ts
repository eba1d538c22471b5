import { z } from 'zod';
import { describeIssues } from '../../../envs/core/issues.ts';
import { ownPath } from '../endpoint.ts';
import { passing } from '../problem.ts';
import { alignLogprobs } from './align-logprobs.ts';
import { noAdapters } from './no-adapters.ts';
import { presetAdapters } from './preset-adapters.ts';
import type { ServerProtocol } from './server-protocol.ts';
import { defineTokenServer } from './token-server.ts';

const answerSchema = z.object({
  model: z.string().nullish(),
  tokens: z.array(z.int()),
  /** In the order of the tokens, but for those with which the text ended within a character. */
  completion_probabilities: z.array(z.object({ id: z.int(), prob: z.number() })).nullish(),
  stop_type: z.string(),
  tokens_evaluated: z.int().nullish(),
});

const presetsFile = z
  .string()
  .min(1)
  .describe(
    "the file of llama-server's --models-preset, started without a model; policy.sampler.model is one of its sections, and each adapter becomes another",
  );
/** Only a router, which has a file of presets, loads adapters while it runs. */
const config = z.strictObject({ presets: presetsFile.optional() });

/**
 * llama.cpp's `/completion`. With `post_sampling_probs` its probabilities are those really drawn by. It ends a reply at any token that its
 * model file marks as an end of generation, and at no other. Stop texts are not sent, because it gives no probabilities of the tokens that
 * spell one: it writes on behind a stop text, and the rest is cut off here.
 */
const protocol = ({ presets }: z.output<typeof config>): ServerProtocol => ({
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
  lora: (host) => (presets === undefined ? noAdapters(host, asRouter) : presetAdapters(host, presets)),
});

/** A server of one model loads adapters only when it starts. */
const asRouter =
  'Start llama-server as a router, and give the file of its presets (presets), or sample with vLLM or SGLang.';

const endings: ReadonlyMap<string, 'stop' | 'length'> = new Map([
  ['eos', 'stop'],
  ['limit', 'length'],
]);

export const llamaCpp = defineTokenServer({
  kind: 'llama-cpp',
  title: 'llama.cpp',
  config,
  publish: { format: 'gguf', config: z.strictObject({ presets: presetsFile }), lockedFile: 'presets' },
  protocol,
});
