import { z } from 'zod';
import { byteCodec } from '../token-play.ts';
import { endingOf, errorAnswer, idsSchema, logprobsOf, type StubProtocol } from './stub-protocol.ts';

const askSchema = z.looseObject({
  prompt: idsSchema,
  max_tokens: z.int(),
  model: z.string(),
  seed: z.int().optional(),
});

export const vllmStub: StubProtocol = {
  serverConfig: { logprobs: 'processed' },
  path: '/v1/completions',
  readAsk: (value) => {
    const body = askSchema.parse(value);
    return { prompt: body.prompt, most: body.max_tokens, name: body.model, seed: body.seed, body };
  },
  answer: (writing, ask) => ({
    id: 'cmpl-1',
    object: 'text_completion',
    model: writing.name ?? ask.name,
    choices: [
      {
        index: 0,
        text: byteCodec.decode(writing.tokens),
        logprobs: {
          tokens: writing.tokens.map((token) => `token_id:${token}`),
          token_logprobs: logprobsOf(writing),
          top_logprobs: writing.tokens.map(() => null),
          text_offset: writing.tokens.map(() => 0),
        },
        finish_reason: endingOf(writing, ask),
        stop_reason: null,
      },
    ],
    usage: {
      prompt_tokens: writing.promptTokens ?? ask.prompt.length,
      completion_tokens: writing.tokens.length,
      total_tokens: 0,
    },
  }),
  unknownName: (name) => errorAnswer(404, `The model \`${name}\` does not exist.`),
  adapters: {
    root: '/v1/',
    done: (words) => ({ kind: 'text', type: 'text/plain', body: words }),
    alreadyLoaded: (name) =>
      errorAnswer(
        400,
        `The lora adapter '${name}' has already been loaded. If you want to load the adapter in place, set 'load_inplace' to True.`,
      ),
    notLoaded: (name) => errorAnswer(404, `The lora adapter '${name}' cannot be found.`),
  },
  incompleteLogprobs: [-1, -1],
};
