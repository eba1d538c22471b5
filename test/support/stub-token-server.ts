import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { startServer, type Arrived, type Conduct, type Stub } from './stub-server.ts';
import { byteCodec } from './token-play.ts';

const bodySchema = z.looseObject({});
type Body = z.output<typeof bodySchema>;

export type Kind = 'vllm' | 'sglang' | 'llama-cpp';

/** What one request asks for, in whatever words. */
export interface TokenAsk {
  /** Counted from 0 over those that ask for tokens. */
  readonly number: number;
  readonly prompt: readonly number[];
  readonly most: number;
  /** The adapter, or else the model where it is named. */
  readonly name: string | undefined;
  readonly body: Body;
}

/** What the server's model writes, cut and named as it says, or anything else that servers do. */
export type TokenAnswer =
  | {
      readonly kind: 'write';
      readonly tokens: readonly number[];
      /** Mostly -(token + 1) / 1000. */
      readonly logprobs?: readonly (number | null)[];
      readonly ending?: string;
      readonly name?: string;
      readonly promptTokens?: number;
      readonly delayMs?: number;
      /** Answered no sooner. */
      readonly after?: Promise<void>;
    }
  | Conduct;

export const stubLogprob = (token: number): number => -(token + 1) / 1000;

export interface TokenStub extends Stub<Body> {
  readonly asked: readonly TokenAsk[];
  /** Adapters by name, with the folder each was loaded from. */
  readonly adapters: ReadonlyMap<string, string>;
  /** What was loaded and unloaded, in order. */
  readonly told: readonly string[];
}

/** A server of tokens on loopback, in the words of one kind, that writes what its script says. `onAdapter` may answer in its stead. */
export async function startTokenStub(
  kind: Kind,
  script: (ask: TokenAsk) => TokenAnswer,
  onAdapter: (order: string, number: number) => Conduct | undefined = () => undefined,
): Promise<TokenStub> {
  const asked: TokenAsk[] = [];
  const adapters = new Map<string, string>();
  const told: string[] = [];
  const stub = await startServer(
    bodySchema,
    (request): Conduct => {
      if (request.path.includes('lora_adapter')) {
        const order = `${request.path.includes('unload') ? 'unload' : 'load'} ${String(request.body['lora_name'])}`;
        told.push(order);
        return onAdapter(order, told.length - 1) ?? changeAdapters(kind, request, adapters);
      }
      if (request.path !== paths[kind]) return error(404, 'Not Found');
      const ask = { ...readAsk(kind, request.body), number: asked.length };
      asked.push(ask);
      if (ask.name !== undefined && ask.name !== 'stub-model' && !adapters.has(ask.name))
        return unknownName(kind, ask.name);
      const answer = script(ask);
      return answer.kind === 'write'
        ? {
            kind: 'json',
            body: writings[kind](answer, ask),
            delayMs: answer.delayMs ?? 0,
            after: answer.after ?? Promise.resolve(),
          }
        : answer;
    },
    ['stub-model'],
  );
  return { ...stub, asked, adapters, told };
}

/**
 * A llama.cpp that was started as a router: it has its models from a file of presets, which it reads when it is begun and where it is asked
 * to list them anew, and loads one when it is first asked of it.
 */
export async function startRouterStub(
  presets: string,
  script: (ask: TokenAsk) => TokenAnswer,
): Promise<TokenStub> {
  const asked: TokenAsk[] = [];
  const adapters = new Map<string, string>();
  const told: string[] = [];
  const loaded = new Set<string>();
  let known = readPresets(presets);
  const reload = (): void => {
    known = readPresets(presets);
    for (const name of [...loaded].filter((each) => !known.has(each))) {
      loaded.delete(name);
      adapters.delete(name);
      told.push(`unload ${name}`);
    }
  };
  const load = (name: string): Conduct | undefined => {
    const lora = /^lora = (.+)$/m.exec(known.get(name) ?? '')?.[1];
    told.push(`load ${name}`);
    if (lora !== undefined && !existsSync(lora)) return error(500, `model name=${name} failed to load`);
    if (lora !== undefined) adapters.set(name, lora);
    loaded.add(name);
    return undefined;
  };
  const stub = await startServer(
    bodySchema,
    ({ path, body }): Conduct => {
      if (path.split('?')[0] !== paths['llama-cpp']) return error(404, 'File Not Found');
      const ask = { ...readAsk('llama-cpp', body), number: asked.length };
      if (!known.has(ask.name ?? '')) return error(400, `model '${String(ask.name)}' not found`);
      const failure = loaded.has(ask.name ?? '') ? undefined : load(ask.name ?? '');
      if (failure !== undefined) return failure;
      if (ask.most === 0)
        return { kind: 'json', body: { model: ask.name, content: '', tokens: [], stop_type: 'limit' } };
      asked.push(ask);
      const answer = script(ask);
      return answer.kind === 'write'
        ? {
            kind: 'json',
            body: writings['llama-cpp'](answer, ask),
            delayMs: answer.delayMs ?? 0,
            after: answer.after ?? Promise.resolve(),
          }
        : answer;
    },
    (path) => {
      if (path.includes('reload=')) reload();
      return [...known].map(([id, preset]) => ({
        id,
        status: { value: loaded.has(id) ? 'loaded' : 'unloaded', preset },
      }));
    },
  );
  return { ...stub, asked, adapters, told };
}

/** Each section with its header, as the router tells of it. */
const readPresets = (file: string): ReadonlyMap<string, string> =>
  new Map(
    [...readFileSync(file, 'utf8').matchAll(/^\[(.+)\]\n((?:(?!\[).*\n?)*)/gm)].map(
      ([section, name = '']) => [name, section],
    ),
  );

const paths = { vllm: '/v1/completions', sglang: '/generate', 'llama-cpp': '/completion' } as const;
const error = (status: number, message: string): Conduct => ({
  kind: 'json',
  status,
  body: { error: { message, type: 'BadRequestError', code: status } },
});

const idsSchema = z.array(z.int());
const askSchemas = {
  vllm: z
    .looseObject({ prompt: idsSchema, max_tokens: z.int(), model: z.string() })
    .transform((body) => ({ prompt: body.prompt, most: body.max_tokens, name: body.model, body })),
  sglang: z
    .looseObject({
      input_ids: idsSchema,
      sampling_params: z.looseObject({ max_new_tokens: z.int() }),
      lora_path: z.string().optional(),
    })
    .transform((body) => ({
      prompt: body.input_ids,
      most: body.sampling_params.max_new_tokens,
      name: body.lora_path,
      body,
    })),
  'llama-cpp': z
    .looseObject({ prompt: idsSchema, n_predict: z.int(), model: z.string() })
    .transform((body) => ({ prompt: body.prompt, most: body.n_predict, name: body.model, body })),
} as const;

const readAsk = (kind: Kind, body: Body): Omit<TokenAsk, 'number'> => askSchemas[kind].parse(body);

function unknownName(kind: Kind, name: string): Conduct {
  return kind === 'vllm'
    ? error(404, `The model \`${name}\` does not exist.`)
    : error(400, `Got LoRA adapter that has never been loaded: ${name}`);
}

type Writing = Extract<TokenAnswer, { readonly kind: 'write' }>;

const logprobsOf = ({ tokens, logprobs }: Writing): readonly (number | null)[] =>
  logprobs ?? tokens.map(stubLogprob);
const endingOf = ({ tokens, ending }: Writing, { most }: TokenAsk): string =>
  ending ?? (tokens.length === most ? 'length' : 'stop');

/** The answers of each kind of server, as its sources write them. */
const writings: Readonly<Record<Kind, (writing: Writing, ask: TokenAsk) => object>> = {
  vllm: (writing, ask) => ({
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
  sglang: (writing, ask) => ({
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
  'llama-cpp': (writing, ask) => ({
    model: writing.name ?? ask.name,
    content: byteCodec.decode(writing.tokens),
    tokens: writing.tokens,
    stop_type:
      ({ stop: 'eos', length: 'limit' } as Readonly<Record<string, string>>)[endingOf(writing, ask)] ??
      'none',
    tokens_evaluated: writing.promptTokens ?? ask.prompt.length,
    ...probabilitiesOf(writing),
  }),
};

/** None of a character that is not whole; where there is none at all they are left out. */
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

function changeAdapters(kind: Kind, { path, body }: Arrived<Body>, adapters: Map<string, string>): Conduct {
  const name = String(body['lora_name']);
  const isThere = adapters.has(name);
  if (kind === 'llama-cpp' || path.startsWith('/v1') !== (kind === 'vllm')) return error(404, 'Not Found');
  if (path.includes('unload')) {
    if (!isThere)
      return kind === 'vllm'
        ? error(404, `The lora adapter '${name}' cannot be found.`)
        : refusal(`LoRA with name ${name} does not exist in the registry.`);
    adapters.delete(name);
    return done(kind, `Success: LoRA adapter '${name}' removed successfully.`);
  }
  if (isThere)
    return kind === 'vllm'
      ? error(
          400,
          `The lora adapter '${name}' has already been loaded. If you want to load the adapter in place, set 'load_inplace' to True.`,
        )
      : refusal(`LoRA with name ${name} already exists.`);
  adapters.set(name, String(body['lora_path']));
  return done(kind, `Success: LoRA adapter '${name}' added successfully.`);
}

const refusal = (words: string): Conduct => ({
  kind: 'json',
  status: 400,
  body: { success: false, error_message: words, loaded_adapters: {} },
});
const done = (kind: Kind, words: string): Conduct =>
  kind === 'vllm'
    ? { kind: 'text', type: 'text/plain', body: words }
    : { kind: 'json', body: { success: true, error_message: '', loaded_adapters: {} } };
