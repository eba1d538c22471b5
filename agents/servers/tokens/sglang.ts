import { z } from 'zod';
import { describeIssues } from '../../../envs/core/issues.ts';
import { ownPath } from '../endpoint.ts';
import { passing } from '../problem.ts';
import { routedAdapters } from './adapter-routes.ts';
import { decodingFields, isFiltered, isGreedy, type ServerProtocol } from './server-protocol.ts';
import { defineTokenServer } from './token-server.ts';

const answerSchema = z.object({
  meta_info: z.object({
    finish_reason: z.object({ type: z.string() }),
    prompt_tokens: z.int().nullish(),
    completion_tokens: z.int().nullish(),
    output_token_logprobs: z.array(z.tuple([z.number(), z.int()]).rest(z.unknown())),
  }),
});

const config = z.strictObject({
  logprobs: z
    .enum(['raw', 'tempered'])
    .default('tempered')
    .describe('raw if the server was started with SGLANG_RETURN_ORIGINAL_LOGPROB'),
});

/**
 * SGLang's `/generate`, because its OpenAI routes return token texts instead of ids. Its log-probabilities
 * are those after temperature and before filters, or before both with `SGLANG_RETURN_ORIGINAL_LOGPROB`. No
 * answer reports which, so the config does. It uses seeds only with `--enable-deterministic-inference`, and
 * does not report which adapter answered.
 */
const protocol = ({ logprobs }: z.output<typeof config>): ServerProtocol => ({
  path: (endpoint) => ownPath(endpoint, '/generate'),
  body: ({ request: { prompt, maxTokens, stopTokens, stopTexts, decoding }, name, isAdapter, seed }) => ({
    input_ids: prompt,
    sampling_params: {
      max_new_tokens: maxTokens,
      ...decodingFields(decoding),
      ...(decoding.temperature === 0 ? {} : { sampling_seed: seed }),
      stop: stopTexts,
      stop_token_ids: stopTokens,
      no_stop_trim: true,
      skip_special_tokens: false,
      spaces_between_special_tokens: false,
    },
    return_logprob: true,
    ...(isAdapter ? { lora_path: name } : {}), // this field takes the adapter's name, not a path
    stream: false,
  }),
  read: (body, quoted) => {
    const answer = answerSchema.safeParse(body);
    if (!answer.success)
      return passing(
        `its answer has no ids with log-probabilities (${quoted(describeIssues(answer.error))})`,
      );
    const {
      finish_reason: { type: ending },
      prompt_tokens: promptTokens,
      completion_tokens: count,
      output_token_logprobs: written,
    } = answer.data.meta_info;
    if (ending !== 'stop' && ending !== 'length')
      return passing(`it ended its reply early (${quoted(ending)})`);
    if (written.length < (count ?? 0))
      return passing(`it returned ${count} tokens and ${written.length} log-probabilities`);
    return {
      tokens: written.map(([, token]) => token),
      logprobs: written.map(([logprob]) => logprob),
      ending,
      name: undefined,
      promptTokens: promptTokens ?? undefined,
    };
  },
  inexact: (decoding) => {
    if (
      isGreedy(decoding) ||
      (!isFiltered(decoding) && (logprobs === 'tempered' || decoding.temperature === 1))
    )
      return undefined;
    return isFiltered(decoding)
      ? {
          what: 'SGLang reports log-probabilities before topK, topP and minP, and these are not the ones that it samples from.',
          fix: 'Remove the three.',
        }
      : {
          what: 'SGLang reports log-probabilities before temperature where SGLANG_RETURN_ORIGINAL_LOGPROB is set.',
          fix: 'Start it without that variable and set logprobs: tempered here, or sample at temperature 1.',
        };
  },
  lora: (host) =>
    routedAdapters(host, {
      paths: (endpoint) => ({
        load: ownPath(endpoint, '/load_lora_adapter'),
        unload: ownPath(endpoint, '/unload_lora_adapter'),
      }),
      fix: 'Start SGLang with --enable-lora, --max-lora-rank, --lora-target-modules and --max-loras-per-batch 2, on a machine that can read the folder.',
    }),
});

export const sglang = defineTokenServer({
  kind: 'sglang',
  title: 'SGLang',
  config,
  publish: { format: 'peft', config },
  protocol,
});
