/**
 * A server that samples for a token policy beside the same model computed here: are its log-probabilities those of the tokens that it wrote, are greedy
 * replies and seeds repeated, do adapters take effect? See README.md beside this file for how the servers are started.
 *
 * usage: node dist/bench/servers/beside-server.js --kind KIND --url http://127.0.0.1:8000/v1 --name MODEL --model FOLDER
 *        [--logprobs raw|processed|tempered] [--presets FILE] [--replies 64] [--adapters]
 */
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { SampledTokens, TokenDecoding, TokenSampler } from '../../agents/core/token-sampler.ts';
import { defaultChatLimits } from '../../agents/servers/client-options.ts';
import { parseEndpoint } from '../../agents/servers/endpoint.ts';
import { findTokenServer, tokenServers } from '../../agents/servers/tokens/list.ts';
import { openRemoteSampler } from '../../agents/servers/tokens/remote-sampler.ts';
import type { TokenServer } from '../../agents/servers/tokens/token-server.ts';
import { loadChatFormat } from '../../agents/render/chat-format.ts';
import { createContext, forkContext } from '../../envs/core/context.ts';
import { FaultError, UsageError } from '../../envs/core/errors.ts';
import { createRng } from '../../envs/core/rng.ts';
import { openBackend } from '../../models/backend/open-backend.ts';
import { TokenGenerator } from '../../models/token/generate/token-generator.ts';
import { loraConfigSchema } from '../../models/token/lora.ts';
import { openTokenModel } from '../../models/token/open-token-model.ts';
import type { TokenModel } from '../../models/token/token-model.ts';
import { randomTraining } from '../model/small-token-model.ts';
import { publishedWeights } from '../../trainers/policy/tokens/published-weights.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { inTemporaryFolder } from '../report/temporary-folder.ts';
import { currentCommit } from '../studies/train-run.ts';

const { values: options } = parseArgs({
  options: {
    kind: { type: 'string' },
    url: { type: 'string' },
    name: { type: 'string' },
    model: { type: 'string' },
    logprobs: { type: 'string' },
    presets: { type: 'string' },
    replies: { type: 'string', default: '64' },
    adapters: { type: 'boolean', default: false },
  },
});
const {
  kind,
  url,
  name,
  model: folder,
  logprobs,
} = z
  .object({
    kind: z.enum(tokenServers.map((each) => each.kind)),
    url: z.string(),
    name: z.string(),
    model: z.string(),
    logprobs: z.string().optional(),
  })
  .parse(options);
const server: TokenServer = findTokenServer(kind);
const replies = z.coerce.number().int().min(1).parse(options.replies);
const contextLength = 1_024;
const [longestMessage, maxTokens] = [400, 48]; // words, tokens
const machine = describeMachine();

const root = createContext({ seed: 1, now: () => performance.now() });
const format = await loadChatFormat(folder);
const backend = await openBackend('wasm');
const lora = loraConfigSchema.parse({
  rank: 8,
  alpha: 16,
  targets: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'],
});
const plain = await openTokenModel({ backend, folder });
const { vocabulary } = plain.transformer.config;
await using sampler = await openRemoteSampler({
  model: name,
  endpoint: parseEndpoint(url, '--url'),
  key: undefined,
  keyName: 'SERVER_KEY',
  limits: defaultChatLimits,
  server,
  serverConfig: {
    ...(logprobs === undefined ? {} : { logprobs }),
    ...(options.presets === undefined ? {} : { presets: options.presets }),
  },
  contextLength,
  vocabulary,
  codec: format.tokenizer,
  version: 0,
  adapterPrefix: 'cairn-beside',
});

/** Words of the vocabulary at random, as a user's message, of many lengths. */
const words = Array.from({ length: vocabulary }, (_, token) => format.tokenizer.decode([token])).filter(
  (text) => /^ ?[a-z]{2,}$/i.test(text),
);
const prompts: readonly (readonly number[])[] = Array.from({ length: replies }, (_, at) => {
  const rng = createRng(1).fork(`prompt-${at}`);
  const text = Array.from(
    { length: 1 + rng.int(longestMessage) },
    () => words[rng.int(words.length)] ?? '',
  ).join('');
  return format.tokenizer.encode(
    format.template.render([{ role: 'user', text }], { addGenerationPrompt: true }),
  );
});

interface Written extends SampledTokens {
  readonly prompt: readonly number[];
}

/** Replies that did not come. */
let faults = 0;

/** Replies to all prompts, asked for at once, by the numbers of the prompts. */
async function ask(
  from: TokenSampler,
  decoding: TokenDecoding,
  { seed = 0, most = maxTokens, stopTexts = [] as readonly string[] } = {},
): Promise<ReadonlyMap<number, Written>> {
  const written = new Map<number, Written>();
  await Promise.all(
    prompts.map(async (prompt, at) => {
      using context = forkContext(root, `${seed}-${at}`);
      const session = from.begin();
      try {
        written.set(at, {
          prompt,
          ...(await session.sample(
            { prompt, maxTokens: most, stopTokens: format.stopTokens, stopTexts, decoding },
            context,
          )),
        });
      } catch (thrown) {
        if (!FaultError.is(thrown)) throw thrown;
        faults += 1;
      } finally {
        session.end();
      }
    }),
  );
  return written;
}

/** Mean and largest difference of the server's log-probabilities from those computed here, in nats, where it gave them. */
async function compare(model: TokenModel, replies: ReadonlyMap<number, Written>, temperature: number) {
  const written = [...replies.values()];
  const tokens: number[] = [];
  const rowStart = [0];
  const scored: number[] = [];
  for (const reply of written) {
    for (const place of reply.tokens.keys()) scored.push(tokens.length + reply.prompt.length + place);
    tokens.push(...reply.prompt, ...reply.tokens);
    rowStart.push(tokens.length);
  }
  const ours = await model.logprobs(
    { tokens: Int32Array.from(tokens), rowStart: Int32Array.from(rowStart), scored: Int32Array.from(scored) },
    temperature,
  );
  return {
    replies: written.length,
    ...gapsOf(
      written.flatMap(({ logprobs }) => logprobs),
      [...ours],
    ),
  };
}

function gapsOf(theirs: readonly (number | null)[], ours: readonly number[]) {
  const gaps = theirs.flatMap((each, at) =>
    each === null ? [] : [Math.abs(each - (ours[at] ?? Number.NaN))],
  );
  return {
    tokens: theirs.length,
    withoutLogprob: theirs.length - gaps.length,
    mean: gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length,
    largest: Math.max(...gaps),
  };
}

/** How many replies of both are the same, token for token. */
function same(some: ReadonlyMap<number, Written>, others: ReadonlyMap<number, Written>) {
  const both = [...some].filter(([at]) => others.has(at));
  return {
    replies: both.length,
    same: both.filter(([at, { tokens }]) => String(tokens) === String(others.get(at)?.tokens)).length,
  };
}

/** What the work says, or why its settings are refused. */
async function orRefusal<T>(work: () => Promise<T>): Promise<T | { readonly refused: string }> {
  try {
    return await work();
  } catch (thrown) {
    if (UsageError.is(thrown)) return { refused: thrown.parts.what };
    throw thrown;
  }
}

/** The first token of each reply under filters, whose distribution is computed here from the log-probabilities of all tokens: for small vocabularies. */
async function compareFiltered(decoding: TokenDecoding) {
  const written = [...(await ask(sampler, decoding, { most: 1 })).values()].slice(0, 8); // each is a pass over the vocabulary
  const expected: number[] = [];
  for (const {
    prompt,
    tokens: [token = 0],
  } of written) {
    const all = Array.from({ length: vocabulary }, (_, next) => [...prompt, next]).flat();
    const starts = Int32Array.from({ length: vocabulary + 1 }, (_, row) => row * (prompt.length + 1));
    const ours = await plain.logprobs(
      { tokens: Int32Array.from(all), rowStart: starts, scored: starts.slice(1).map((start) => start - 1) },
      decoding.temperature,
    );
    expected.push(filtered(ours, decoding, token));
  }
  return gapsOf(
    written.map(({ logprobs: [theirs = Number.NaN] }) => theirs),
    expected,
  );
}

/**
 * The log-probability of a token among those that pass the filters. vLLM applies min-p first. llama.cpp
 * applies it last, as configured.
 */
function filtered(
  logprobs: Float32Array,
  { topK = vocabulary, topP = 1, minP = 0 }: TokenDecoding,
  token: number,
): number {
  const chance = (of: number): number => Math.exp(logprobs[of] ?? Number.NaN);
  const total = (of: readonly number[]): number => of.reduce((sum, each) => sum + chance(each), 0);
  const likeliest = [...logprobs.keys()].toSorted((a, b) => chance(b) - chance(a));
  const byMinP = (of: readonly number[]): readonly number[] =>
    of.filter((each) => chance(each) >= minP * chance(likeliest[0] ?? 0));
  const byTopP = (of: readonly number[]): readonly number[] =>
    of.filter((_, place) => total(of.slice(0, place)) < topP * total(of));
  const kept =
    kind === 'vllm' ? byTopP(byMinP(likeliest).slice(0, topK)) : byMinP(byTopP(likeliest.slice(0, topK)));
  return kept.includes(token) ? Math.log(chance(token) / total(kept)) : Number.NEGATIVE_INFINITY;
}

async function measurePlain() {
  const from = performance.now();
  const sampled = await ask(sampler, { temperature: 1 });
  const seconds = (performance.now() - from) / 1_000;
  const generator = new TokenGenerator({
    backend,
    model: plain,
    codec: format.tokenizer,
    settings: { contextLength, slots: 16 },
  });
  const greedy = await ask(sampler, { temperature: 0 });
  const word = format.tokenizer.decode(
    ([...sampled.values()].find(({ tokens }) => tokens.length > 3)?.tokens ?? []).slice(1, 3),
  );
  const stopped = await ask(sampler, { temperature: 1 }, { stopTexts: [word] });
  return {
    sampled: {
      ...(await compare(plain, sampled, 1)),
      tokensPerSecond: Math.round(
        [...sampled.values()].reduce((sum, { tokens }) => sum + tokens.length, 0) / seconds,
      ),
    },
    cooler: await orRefusal(async () => compare(plain, await ask(sampler, { temperature: 0.7 }), 0.7)),
    filtered:
      vocabulary > 1_024
        ? 'the vocabulary is too large'
        : await orRefusal(() => compareFiltered({ temperature: 2, topK: 20, topP: 0.9, minP: 0.02 })),
    greedyAsHere: same(greedy, await ask(generator, { temperature: 0 })),
    sameSeed: same(sampled, await ask(sampler, { temperature: 1 })),
    otherSeed: same(sampled, await ask(sampler, { temperature: 1 }, { seed: 1 })),
    stopText: {
      word,
      ending: [...stopped.values()].filter(({ tokens }) => format.tokenizer.decode(tokens).endsWith(word))
        .length,
      ...(await compare(plain, stopped, 1)),
    },
  };
}

/** Two adapters one after the other, and how far each is from the model without. */
const measureAdapters = (): Promise<unknown> =>
  inTemporaryFolder('beside', async (place) => {
    const model = await openTokenModel({
      backend,
      folder,
      adapter: { kind: 'new', config: lora, rng: createRng(2) },
    });
    const found: unknown[] = [];
    for (const version of [1, 2]) {
      await model.accumulate(
        randomTraining({ rows: 8, length: 64, vocabulary }),
        { kind: 'policy', low: 1, high: 1e6 },
        root.signal,
      );
      await model.apply({ learningRate: 1e-2, maxGradNorm: 1e9 });
      const adapter = path.join(place, `adapter-${version}`);
      await publishedWeights(model, server.publish?.format ?? 'peft').writeAdapter(adapter);
      const from = performance.now();
      using context = forkContext(root, version);
      await sampler.adopt({ version, folder: adapter }, context);
      const loadedMs = Math.round(performance.now() - from);
      const written = await ask(sampler, { temperature: 1 });
      found.push({
        loadedMs,
        versions: [...new Set([...written.values()].map((each) => each.version))],
        withIt: await compare(model, written, 1),
        without: await compare(plain, written, 1),
      });
    }
    await model.dispose();
    return found;
  });

const plainFigures = await measurePlain();
const adapters = options.adapters ? await measureAdapters() : 'not asked for';
printReport({
  ...machine,
  commit: currentCommit(),
  kind,
  logprobs,
  contextLength,
  longestMessage,
  maxTokens,
  vocabulary,
  asked: replies,
  plain: plainFigures,
  adapters,
  faults,
});
await plain.dispose();
