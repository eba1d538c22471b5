import { z } from 'zod';
import type { Conduct } from '../stub-server.ts';
import { byteCodec } from '../token-play.ts';
import { endingOf, errorAnswer, idsSchema, logprobsOf, type StubProtocol } from './stub-protocol.ts';

const askSchema = z.looseObject({
  input_ids: idsSchema,
  sampling_params: z.looseObject({ max_new_tokens: z.int(), sampling_seed: z.int().optional() }),
  lora_path: z.string().optional(),
});

const refusal = (words: string): Conduct => ({
  kind: 'json',
  status: 400,
  body: { success: false, error_message: words, loaded_adapters: {} },
});

export const sglangStub: StubProtocol = {
  serverConfig: { logprobs: 'tempered' },
  path: '/generate',
  readAsk: (value) => {
    const body = askSchema.parse(value);
    const { max_new_tokens: most, sampling_seed: seed } = body.sampling_params;
    return { prompt: body.input_ids, most, name: body.lora_path, seed, body };
  },
  answer: (writing, ask) => ({
    text: byteCodec.decode(writing.tokens),
    output_ids: writing.tokens,
    meta_info: {
      id: '1',
      finish_reason: { type: endingOf(writing, ask), matched: writing.tokens.at(-1) },
      prompt_tokens: writing.promptTokens ?? ask.prompt.length,
      completion_tokens: writing.tokens.length,
      output_token_logprobs: logprobsOf(writing).map((logprob, place) => [
        logprob,
        writing.tokens[place] ?? null,
        null,
      ]),
    },
  }),
  unknownName: (name) => errorAnswer(400, `Got LoRA adapter that has never been loaded: ${name}`),
  adapters: {
    root: '/',
    done: () => ({ kind: 'json', body: { success: true, error_message: '', loaded_adapters: {} } }),
    alreadyLoaded: (name) => refusal(`LoRA with name ${name} already exists.`),
    notLoaded: (name) => refusal(`LoRA with name ${name} does not exist in the registry.`),
  },
  incompleteLogprobs: [-1, -1],
};
