import { availableParallelism } from 'node:os';
import type { Agent } from '../../../agents/core/agent.ts';
import type { TokenDecoding, TrainingSampler } from '../../../agents/core/token-sampler.ts';
import type { OpenedGame } from '../../../agents/prompt/prompt-mismatch.ts';
import { describeHistory } from '../../../agents/prompt/history.ts';
import type { KeyOf } from '../../../agents/servers/secret.ts';
import { rowsOf } from '../../../agents/render/rows.ts';
import type { Trajectory, TrajectoryGroup } from '../../../agents/rollout/trajectory.ts';
import type { Context } from '../../../envs/core/context.ts';
import { UsageError } from '../../../envs/core/errors.ts';
import { strictTextual, type Textual, type TextualDefinition } from '../../../envs/core/textual.ts';
import type { Rng } from '../../../envs/core/rng.ts';
import type { PolicyDecoding } from '../../results/estimate.ts';
import type { TensorBackend } from '../../../models/backend/backend.ts';
import { TokenGenerator } from '../../../models/token/generate/token-generator.ts';
import { openTokenModel, type AdapterChoice } from '../../../models/token/open-token-model.ts';
import type { TokenModel } from '../../../models/token/token-model.ts';
import { readTransformerConfig } from '../../../models/token/transformer-config.ts';
import { capacityOf, memoryLimitOf } from '../memory-limit.ts';
import type { TokenPolicyConfig } from '../policy-config.ts';
import type {
  CreditedGroups,
  Imitation,
  PlayingPolicy,
  PolicyTrait,
  TrainablePolicy,
  TrainingMemory,
  UpdateSettings,
  UpdateShape,
} from '../../update/policy.ts';
import { imitateTokens } from '../../update/tokens/imitate-tokens.ts';
import { compareTokens, learnTokens } from '../../update/tokens/learn-tokens.ts';
import {
  createPromptAgent,
  promptFormatBytes,
  readPromptFormat,
  showsAdmissible,
  writePromptFormat,
  type PromptFormat,
} from './prompt-format.ts';
import { openServer } from './open-server.ts';
import { packCreditedRows, packTokens, type CreditedRow } from '../../update/tokens/pack-tokens.ts';
import { retell } from './retell.ts';
import {
  assertFitsTokenMemory,
  estimateTokenMemory,
  fittingSlots,
  weightBytes,
  tokensOf,
  trainedBytes,
  type TokenTrainingShape,
} from './token-memory.ts';

type Text = Textual<unknown, unknown>;
/** An open env with its text functions. */
export type SpokenGame = OpenedGame & { readonly definition: TextualDefinition<unknown, unknown> };

/** The policy of the model in a folder. @throws UsageError before reading if it cannot fit into memory */
export async function createTokenPolicy(options: {
  readonly config: TokenPolicyConfig;
  readonly update: UpdateShape;
  readonly game: SpokenGame;
  readonly backend: TensorBackend;
  /** Initialises the factors of an adapter. */
  readonly rng: Rng;
  /** The context in which they are published to a sampling server. */
  readonly context: Context;
  readonly keyOf?: KeyOf | undefined;
}): Promise<TokenPolicy> {
  const { update, game, backend, rng, context, keyOf } = options;
  assertWorkersFit(options.config, backend);
  const folder = options.config.model;
  const transformer = await readTransformerConfig(folder);
  const promptFormat = await readPromptFormat(options.config, { folder, transformer }, game);
  const { contextLength } = promptFormat;
  const config = withSlots(withWorkers(options.config, backend), (withOne) => {
    const { own } = estimateTokenMemory({ transformer, policy: withOne, update, contextLength: 1 }, 1);
    return { shape: { transformer, contextLength }, held: own, backend };
  });
  assertFitsTokenMemory({ transformer, policy: config, update, contextLength }, memoryLimitOf(backend.name));
  const model = await openModel(backend, { folder, ...initialAdapter(config, rng) }, config);
  try {
    const sampler =
      config.sampler === undefined
        ? localSampler(model, promptFormat, config)
        : await openServer(config.sampler, { model, format: promptFormat, keyOf, context });
    return new TokenPolicy({
      model,
      sampler,
      promptFormat,
      config,
      traits: [...traitsOf(promptFormat), ...baseTraits(model)],
      text: strictTextual(game.definition),
    });
  } catch (thrown) {
    await model.dispose();
    throw thrown;
  }
}

function initialAdapter({ adapter }: TokenPolicyConfig, rng: Rng): { readonly adapter?: AdapterChoice } {
  if (adapter === undefined) return {};
  const { from, ...config } = adapter;
  return { adapter: from === undefined ? { kind: 'new', config, rng } : { kind: 'stored', folder: from } };
}

/** A saved policy, for playing: its optimiser is not read. */
export async function openTokenPolicy(options: {
  readonly config: TokenPolicyConfig;
  readonly folder: string;
  readonly game: SpokenGame;
  /** The most episodes that it plays at once. */
  readonly episodes: number;
  readonly backend: TensorBackend;
}): Promise<PlayingPolicy> {
  const { folder, game, backend } = options;
  const base = options.config.adapter === undefined ? folder : options.config.model;
  const transformer = await readTransformerConfig(base);
  const promptFormat = await readPromptFormat(options.config, { folder, transformer }, game);
  const { contextLength } = promptFormat;
  const config = withSlots(withWorkers(options.config, backend), () => ({
    shape: { transformer, contextLength },
    held: weightBytes(transformer),
    episodes: options.episodes,
    backend,
  }));
  const adapter = config.adapter === undefined ? {} : { adapter: { kind: 'stored', folder } as const };
  const model = await openModel(backend, { folder: base, ...adapter }, config);
  return new TokenPolicy({
    model,
    sampler: localSampler(model, promptFormat, config),
    promptFormat,
    config,
    traits: traitsOf(promptFormat),
    text: strictTextual(game.definition),
  });
}

/**
 * Tokens of a forward pass during play. On a GPU a pass of many tokens takes little longer than one of few,
 * so prompts should be processed in few passes.
 */
const tokensPerPass = ({ name }: TensorBackend): number => (name === 'webgpu' ? 2048 : 256);

function localSampler(
  model: TokenModel,
  { contextLength, chat }: PromptFormat,
  { slots }: CompleteConfig,
): TokenGenerator {
  const settings = {
    contextLength,
    slots,
    tokensPerPass: Math.max(tokensPerPass(model.backend), slots),
    cacheBytes: capacityOf(memoryLimitOf(model.backend.name)).most,
  };
  return new TokenGenerator({ backend: model.backend, model, codec: chat.tokenizer, settings });
}

function openModel(
  backend: TensorBackend,
  of: { readonly folder: string; readonly adapter?: AdapterChoice },
  { tokensAtOnce, recompute, workers = 0 }: TokenPolicyConfig,
): Promise<TokenModel> {
  return openTokenModel({ backend, ...of, settings: { tokensAtOnce, recompute, workers } });
}

/** The config with what it left to the memory at hand. */
type CompleteConfig = TokenPolicyConfig & { readonly slots: number };

function withSlots(
  config: TokenPolicyConfig,
  roomOf: (withOne: CompleteConfig) => {
    readonly shape: Parameters<typeof fittingSlots>[0];
    readonly held: number;
    readonly episodes?: number;
    readonly backend: TensorBackend;
  },
): CompleteConfig {
  if (config.slots !== undefined) return { ...config, slots: config.slots };
  const { shape, held, episodes, backend } = roomOf({ ...config, slots: 1 });
  const { most } = capacityOf(memoryLimitOf(backend.name));
  return { ...config, slots: fittingSlots(shape, { most, held, episodes }) };
}

/** Each has a copy of the weights, and more than a few are limited by memory bandwidth. */
const mostWorkers = 8;

/** A player of a run on another backend cannot change the run's config, so it gets no workers. */
const withWorkers = (config: TokenPolicyConfig, { name }: TensorBackend): TokenPolicyConfig => ({
  ...config,
  workers: name === 'wasm' ? (config.workers ?? Math.min(mostWorkers, availableParallelism())) : 0,
});

function assertWorkersFit({ workers = 0 }: TokenPolicyConfig, { name }: TensorBackend): void {
  if (workers === 0 || name === 'wasm') return;
  throw new UsageError({
    where: 'policy.workers',
    what: `${workers} workers need the CPU, and the backend is ${name}.`,
    fix: 'Use --backend wasm, or remove policy.workers.',
  });
}

interface TokenPolicyParts {
  /** Disposed with the policy, like the sampler. */
  readonly model: TokenModel;
  readonly sampler: TrainingSampler;
  readonly promptFormat: PromptFormat;
  readonly config: CompleteConfig;
  readonly traits: readonly PolicyTrait[];
  /** Text functions of the env that it plays. */
  readonly text: Text;
}

/** A language model that writes its replies token by token, and learns from each token that it wrote. */
export class TokenPolicy implements TrainablePolicy {
  readonly shown: TrainablePolicy['shown'];
  readonly traits: readonly PolicyTrait[];
  readonly notes: readonly string[];
  readonly #model: TokenModel;
  readonly #promptFormat: PromptFormat;
  readonly #config: CompleteConfig;
  readonly #text: Text;
  readonly #sampler: TrainingSampler;
  #keepsReference = false;

  constructor({ model, sampler, promptFormat, config, traits, text }: TokenPolicyParts) {
    this.#model = model;
    this.#promptFormat = promptFormat;
    this.#config = config;
    this.#text = text;
    this.traits = traits;
    const {
      prompt: { name, fingerprint },
      history,
      maxTokens,
      contextLength,
      restricted,
    } = promptFormat;
    this.shown = {
      kind: 'text',
      admissible: showsAdmissible(promptFormat),
      history: describeHistory(history),
      written: { prompt: { name, fingerprint }, maxTokens, contextLength, restricted },
    };
    this.#sampler = sampler;
    this.notes = sampler.isRemote
      ? []
      : [
          `tokens are generated for at most ${config.slots} episodes at once, with a context of ${contextLength} tokens each`,
        ];
  }

  get version(): number {
    return this.#model.version;
  }

  get checkpointBytes(): number {
    return (
      3 * trainedBytes(this.#shape({ batchSteps: 1, klWeight: 0 })) + promptFormatBytes(this.#promptFormat)
    );
  }

  agent(decoding: PolicyDecoding): Agent<unknown, unknown> {
    return createPromptAgent(this.#promptFormat, {
      id: `token-v${this.version}`,
      sampler: this.#sampler,
      text: this.#text,
      decoding: drawnBy(decoding),
    });
  }

  async learn(
    { groups, credit }: CreditedGroups,
    settings: UpdateSettings,
    context: Context,
  ): Promise<Readonly<Record<string, number>>> {
    const { loss } = this.#config;
    const packed = packTokens({
      groups,
      credit,
      aggregation: loss.aggregation,
      zeroAdvantage: settings.zeroAdvantage,
    });
    const isElsewhere = this.#sampler.isRemote;
    if (isElsewhere && packed.batch.scored.length === 0) {
      const played = packTokens({ groups, credit, aggregation: loss.aggregation, zeroAdvantage: 'keep' });
      return { 'update/steps': 0, ...(await compareTokens(this.#model, played, settings)) };
    }
    const before = this.version;
    try {
      return await learnTokens({
        model: this.#model,
        packed,
        settings,
        loss,
        isElsewhere,
        keepsReference: this.#keepsReference,
        context,
      });
    } finally {
      if (this.version !== before) this.#sampler.outdate(); // also if it was interrupted between two steps
    }
  }

  async imitate(demonstrations: readonly TrajectoryGroup[]): Promise<Imitation> {
    const credited: CreditedRow[] = [];
    for (const [trajectory, episode] of demonstrations.flatMap(({ members }) => members).entries()) {
      for (const row of rowsOf(await this.#asWritten(episode)))
        credited.push({ row, trajectory, advantage: new Float64Array(row.tokens.length) });
    }
    const packed = packCreditedRows(credited, this.#config.loss.aggregation);
    return {
      pass: async (settings, rng, pass) => {
        const sofar = await imitateTokens({ model: this.#model, packed, settings, rng, pass });
        this.#sampler.outdate();
        return sofar;
      },
    };
  }

  async keepReference(): Promise<void> {
    await this.#model.keepReference();
    this.#keepsReference = true;
  }

  resetOptimiser(): Promise<void> {
    return this.#model.resetOptimiser();
  }

  async save(folder: string): Promise<void> {
    await writePromptFormat(folder, this.#promptFormat);
    await this.#model.save(folder);
  }

  async load(folder: string): Promise<void> {
    await this.#model.load(folder);
    this.#sampler.outdate();
  }

  assertFits(groups: readonly TrajectoryGroup[], update: UpdateShape): void {
    assertFitsTokenMemory(this.#shape(update), memoryLimitOf(this.#model.backend.name), tokensOf(groups));
  }

  memoryOf(figures: Readonly<Record<string, number>>, update: UpdateShape): TrainingMemory {
    return estimateTokenMemory(this.#shape(update), figures['update/tokens'] ?? 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#sampler.dispose();
    await this.#model.dispose();
  }

  #shape(update: UpdateShape): TokenTrainingShape {
    const {
      transformer: { config: transformer },
    } = this.#model;
    return { transformer, policy: this.#config, update, contextLength: this.#promptFormat.contextLength };
  }

  /** The episode with the tokens of its replies: the sampled ones if a token policy played it. */
  async #asWritten(episode: Trajectory): Promise<Trajectory> {
    return episode.steps.every(({ decision }) => decision?.kind === 'tokens')
      ? episode
      : retell(episode, this.#promptFormat, this.#text);
  }
}

function drawnBy(decoding: PolicyDecoding): TokenDecoding {
  if (decoding.kind === 'greedy') return { temperature: 0 };
  const { temperature, topK, topP, minP } = decoding;
  return {
    temperature,
    ...(topK === undefined ? {} : { topK }),
    ...(topP === undefined ? {} : { topP }),
    ...(minP === undefined ? {} : { minP }),
  };
}

const traitsOf = ({ chat, prompt }: PromptFormat): readonly PolicyTrait[] => [
  { name: 'tokenizer', says: 'the tokenizer and the chat template', fingerprint: chat.fingerprint },
  { name: 'prompt', says: 'the prompt', fingerprint: prompt.fingerprint },
];

/** An adapter has no meaning without its base weights. */
function baseTraits({ baseModel: { digest } }: TokenModel): readonly PolicyTrait[] {
  return digest === undefined
    ? []
    : [{ name: 'base', says: "the adapter's base weights", fingerprint: digest }];
}
