import { z } from 'zod';
import { describeIssues } from '../../../envs/core/issues.ts';
import { apiPath } from '../endpoint.ts';
import { passing } from '../problem.ts';
import { routedAdapters } from './adapter-routes.ts';
import { decodingFields, isFiltered, isGreedy, type ServerProtocol } from './server-protocol.ts';
import { defineTokenServer } from './token-server.ts';

const answerSchema = z.object({
  model: z.string(),
  choices: z
    .array(
      z.object({
        logprobs: z.object({
          tokens: z.array(z.string().regex(/^token_id:\d{1,9}$/)),
          token_logprobs: z.array(z.number()),
        }),
        finish_reason: z.string(),
      }),
    )
    .length(1),
  usage: z.object({ prompt_tokens: z.int() }).nullish(),
});

const config = z.strictObject({
  logprobs: z
    .enum(['raw', 'processed'])
    .default('raw')
    .describe('processed if the server was started with --logprobs-mode processed_logprobs'),
});

/**
 * vLLM's `/v1/completions` with token ids as the prompt. Tokens come as texts such as `token_id:42`, so ids
 * and log-probabilities are in one list. Its log-probabilities are the model's, before temperature and
 * filters, unless it was started with `--logprobs-mode processed_logprobs`. No answer reports the mode, so
 * the config does.
 */
const protocol = ({ logprobs }: z.output<typeof config>): ServerProtocol => ({
  path: (endpoint) => apiPath(endpoint, '/completions'),
  body: ({ request: { prompt, maxTokens, stopTokens, stopTexts, decoding }, name, seed }) => ({
    model: name,
    prompt,
    max_tokens: maxTokens,
    ...decodingFields(decoding),
    ...(decoding.temperature === 0 ? {} : { seed }),
    stop: stopTexts,
    stop_token_ids: stopTokens,
    include_stop_str_in_output: true,
    ignore_eos: true, // only the requested stops end a reply
    skip_special_tokens: false,
    spaces_between_special_tokens: false,
    logprobs: 1,
    return_tokens_as_token_ids: true,
    stream: false,
  }),
  read: (body, quoted) => {
    const answer = answerSchema.safeParse(body);
    if (!answer.success)
      return passing(
        `its answer is not a completion with ids and log-probabilities (${quoted(describeIssues(answer.error))})`,
      );
    const {
      model,
      choices: [choice],
      usage,
    } = answer.data;
    const ending = choice?.finish_reason ?? '';
    if (ending !== 'stop' && ending !== 'length')
      return passing(`it ended its reply early (${quoted(ending)})`);
    const tokens = (choice?.logprobs.tokens ?? []).map((text) => Number(text.slice('token_id:'.length)));
    return {
      tokens,
      logprobs: choice?.logprobs.token_logprobs ?? [],
      ending,
      name: model,
      promptTokens: usage?.prompt_tokens,
    };
  },
  inexact: (decoding) =>
    logprobs === 'processed' || isGreedy(decoding) || (decoding.temperature === 1 && !isFiltered(decoding))
      ? undefined
      : {
          what: 'vLLM reports log-probabilities before temperature and filters, and these are not the ones that it samples from.',
          fix: 'Start it with --logprobs-mode processed_logprobs and set logprobs: processed here, or sample at temperature 1 without topK, topP and minP.',
        },
  lora: (host) =>
    routedAdapters(host, {
      paths: (endpoint) => ({
        load: apiPath(endpoint, '/load_lora_adapter'),
        unload: apiPath(endpoint, '/unload_lora_adapter'),
      }),
      fix: 'Start vLLM with VLLM_ALLOW_RUNTIME_LORA_UPDATING=True, --enable-lora, --max-loras 2 and --max-lora-rank, on a machine that can read the folder.',
    }),
});

export const vllm = defineTokenServer({
  kind: 'vllm',
  title: 'vLLM',
  config,
  publish: { format: 'peft', config },
  protocol,
});
