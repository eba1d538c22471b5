import { z } from 'zod';
import { byteCodec } from '../token-play.ts';
import {
  endingOf,
  errorAnswer,
  idsSchema,
  logprobsOf,
  type StubProtocol,
  type Writing,
} from './stub-protocol.ts';

const askSchema = z.looseObject({
  prompt: idsSchema,
  n_predict: z.int(),
  model: z.string(),
  seed: z.int().optional(),
});
const endings: Readonly<Record<string, string>> = { stop: 'eos', length: 'limit' };

export const llamaCppStub: StubProtocol = {
  serverConfig: {},
  path: '/completion',
  readAsk: (value) => {
    const body = askSchema.parse(value);
    return { prompt: body.prompt, most: body.n_predict, name: body.model, seed: body.seed, body };
  },
  answer: (writing, ask) => ({
    model: writing.name ?? ask.name,
    content: byteCodec.decode(writing.tokens),
    tokens: writing.tokens,
    stop_type: endings[endingOf(writing, ask)] ?? 'none',
    tokens_evaluated: writing.promptTokens ?? ask.prompt.length,
    ...probabilitiesOf(writing),
  }),
  unknownName: (name) => errorAnswer(400, `model '${name}' not found`),
  adapters: undefined,
  incompleteLogprobs: [-1, -1, null],
};

/** Without those of a character that is not complete; left out where there are none at all. */
function probabilitiesOf(writing: Writing): object {
  const all = logprobsOf(writing).flatMap((logprob, place) => {
    const token = writing.tokens[place];
    const isLead =
      token !== undefined &&
      token >= 0 &&
      token < 256 &&
      byteCodec.decode(writing.tokens.slice(0, place + 1)).endsWith('\ufffd');
    return isLead
      ? []
      : [
          {
            id: token ?? null,
            token: '',
            bytes: [],
            prob: logprob === null ? null : Math.exp(logprob),
            top_probs: [],
          },
        ];
  });
  return all.length === 0 ? {} : { completion_probabilities: all };
}
