import { join } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import { readUserFile } from '../../envs/core/user-file.ts';
import { findDuplicateKey } from '../../files/duplicate-key.ts';

const families = ['llama', 'qwen2', 'qwen3'] as const;
export type TransformerFamily = (typeof families)[number];
/** What `model_type` may be. A Mistral without sliding windows computes as a Llama does, and is read as one. */
const modelTypes = [...families, 'mistral'] as const;
type ModelType = (typeof modelTypes)[number];
/** The window of a Mistral whose config has no `sliding_window`, by transformers. */
const mistralWindow = 4_096;

/** Llama 3.1's stretching of slow rotations, as transformers computes it (`_compute_llama3_parameters`). */
export interface LlamaScaling {
  readonly factor: number;
  readonly lowFrequencyFactor: number;
  readonly highFrequencyFactor: number;
  /** Tokens of the context before it was stretched. */
  readonly originalContext: number;
}

/** All that the arithmetic of a decoder-only transformer depends on, besides its weights. */
export interface TransformerConfig {
  readonly family: TransformerFamily;
  /** Number of token ids. */
  readonly vocabulary: number;
  readonly width: number;
  readonly layers: number;
  readonly heads: number;
  /** Groups of heads that share keys and values. */
  readonly keyValueHeads: number;
  /** Width of one head; even. */
  readonly headSize: number;
  /** Width inside the feed-forward part. */
  readonly hiddenWidth: number;
  readonly ropeTheta: number;
  readonly ropeScaling: LlamaScaling | undefined;
  readonly normEpsilon: number;
  /** True where the output layer is the embedding itself. */
  readonly tied: boolean;
  /** Biases of the query, key and value projections. */
  readonly attentionBias: boolean;
  /** Bias of the attention's output projection. */
  readonly outputBias: boolean;
  /** Biases of the feed-forward projections. */
  readonly feedForwardBias: boolean;
  /** RMSNorm of every head's query and key. */
  readonly queryKeyNorm: boolean;
  /** Tokens. */
  readonly longestContext: number;
}

/** Sizes far above those of any model: what a file asks for beyond them is a slip, over which nothing should be computed. */
export const largest = {
  layers: 10_000,
  vocabulary: 2 ** 24,
  width: 2 ** 20,
  heads: 2 ** 16,
  context: 1_000_000_000,
} as const;

const countTo = (most: number): z.ZodInt => z.int().min(1).max(most, `at most ${most} is taken`);
const positive = z.number().positive();
const between = (least: number, most: number): z.ZodNumber =>
  z.number().min(least, `${least} to ${most} is taken`).max(most, `${least} to ${most} is taken`);
/** Published models have 10,000 to 10,000,000. */
const rotaryBase = between(1, 1e12);
const tokenId = z.int().nonnegative();
const ropeSchema = z.looseObject({
  rope_type: z.string().nullish(),
  type: z.string().nullish(), // the older name of rope_type
  rope_theta: rotaryBase.nullish(),
  factor: positive.nullish(),
  low_freq_factor: positive.nullish(),
  high_freq_factor: positive.nullish(),
  original_max_position_embeddings: countTo(largest.context).nullish(),
  partial_rotary_factor: z.number().nullish(),
});
type RopeJson = z.output<typeof ropeSchema>;

const llamaScalingSchema = z
  .object({
    factor: positive,
    low_freq_factor: positive,
    high_freq_factor: positive,
    original_max_position_embeddings: countTo(largest.context),
  })
  .refine(
    (scaling) => scaling.high_freq_factor > scaling.low_freq_factor,
    'high_freq_factor must be above low_freq_factor',
  );

const configSchema = z.looseObject({
  model_type: z.enum(modelTypes),
  architectures: z.array(z.string()).nullish(),
  vocab_size: countTo(largest.vocabulary),
  hidden_size: countTo(largest.width),
  num_hidden_layers: countTo(largest.layers),
  num_attention_heads: countTo(largest.heads),
  num_key_value_heads: countTo(largest.heads).nullish(),
  head_dim: countTo(largest.width).nullish(),
  intermediate_size: countTo(largest.width),
  max_position_embeddings: countTo(largest.context),
  rms_norm_eps: between(1e-12, 0.01).default(1e-6), // published models have 1e-6 and 1e-5
  tie_word_embeddings: z.boolean().default(false),
  attention_bias: z.boolean().default(false),
  mlp_bias: z.boolean().default(false),
  hidden_act: z.string().default('silu'),
  rope_theta: rotaryBase.nullish(),
  rope_scaling: ropeSchema.nullish(),
  rope_parameters: ropeSchema.nullish(),
  partial_rotary_factor: z.number().nullish(),
  use_sliding_window: z.boolean().nullish(),
  sliding_window: z.int().nullish(),
  layer_types: z.array(z.string()).nullish(),
  quantization_config: z.looseObject({}).nullish(),
  bos_token_id: tokenId.nullish(),
  eos_token_id: z.union([tokenId, z.array(tokenId)]).nullish(),
});
type ConfigJson = z.output<typeof configSchema>;

const architectures: Readonly<Record<ModelType, string>> = {
  llama: 'LlamaForCausalLM',
  mistral: 'MistralForCausalLM',
  qwen2: 'Qwen2ForCausalLM',
  qwen3: 'Qwen3ForCausalLM',
};

/** Reads `config.json` of a checkpoint folder; throws a `UsageError` where it is missing or asks for what is not covered. */
export async function readTransformerConfig(folder: string): Promise<TransformerConfig> {
  const file = join(folder, 'config.json');
  const text = await readUserFile(file, {
    fix: 'Give a Hugging Face checkpoint folder: config.json stands beside the weights.',
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (thrown) {
    throw new UsageError(
      {
        where: file,
        what: 'it cannot be read as JSON.',
        fix: 'Give a Hugging Face checkpoint folder: config.json stands beside the weights.',
      },
      { cause: thrown },
    );
  }
  const twice = findDuplicateKey(text);
  if (twice !== undefined)
    throw refusal(file, twice.slice(0, 100), 'the key stands there twice', withItsWeights);
  return parseTransformerConfig(json, file);
}

/**
 * The config of a Llama, Mistral, Qwen2 or Qwen3 model from Hugging Face's `config.json`, in the form of transformers 4 or 5. Throws a
 * `UsageError` that names the key where something would change the arithmetic in a way that is not covered.
 * @param where names the file in errors
 */
export function parseTransformerConfig(json: unknown, where: string): TransformerConfig {
  assertFamily(json, where);
  const parsed = configSchema.safeParse(json);
  if (!parsed.success)
    throw new UsageError({
      where,
      what: `it is no config of a model that can be run here: ${describeIssues(parsed.error)}.`,
      fix: withItsWeights,
    });
  const file = parsed.data;
  refuseWhatIsNotCovered(file, where);
  const family = file.model_type === 'mistral' ? 'llama' : file.model_type;
  const heads = file.num_attention_heads;
  const biased = file.model_type !== 'mistral' && file.attention_bias; // a Mistral never has biases
  const config: TransformerConfig = {
    family,
    vocabulary: file.vocab_size,
    width: file.hidden_size,
    layers: file.num_hidden_layers,
    heads,
    keyValueHeads: keyValueHeadsOf(file),
    headSize: file.head_dim ?? (family === 'qwen3' ? 128 : Math.floor(file.hidden_size / heads)), // the defaults of transformers
    hiddenWidth: file.intermediate_size,
    ...readRope(file, where),
    normEpsilon: file.rms_norm_eps,
    tied: file.tie_word_embeddings,
    attentionBias: family === 'qwen2' || biased,
    outputBias: family !== 'qwen2' && biased,
    feedForwardBias: file.model_type === 'llama' && file.mlp_bias,
    queryKeyNorm: family === 'qwen3',
    longestContext: file.max_position_embeddings,
  };
  if (config.heads % config.keyValueHeads !== 0) {
    throw refusal(
      where,
      'num_key_value_heads',
      `${config.heads} heads cannot share ${config.keyValueHeads} key and value heads evenly`,
      withItsWeights,
    );
  }
  if (config.headSize % 2 !== 0)
    throw refusal(
      where,
      'head_dim',
      `heads of width ${config.headSize} cannot be rotated in pairs`,
      withItsWeights,
    );
  return config;
}

/** Without the key a Mistral has 8 in transformers, and with null as many as heads. */
const keyValueHeadsOf = ({
  model_type,
  num_attention_heads,
  num_key_value_heads: given,
}: ConfigJson): number =>
  given ?? (model_type === 'mistral' && given === undefined ? 8 : num_attention_heads);

const withItsWeights = 'Give the config.json that came with the weights.';

/** Of another architecture the other keys say nothing. */
function assertFamily(json: unknown, where: string): void {
  const { model_type: type } = z
    .looseObject({ model_type: z.unknown() })
    .catch({ model_type: undefined })
    .parse(json);
  if (modelTypes.some((known) => known === type)) return;
  const is =
    type === undefined
      ? 'it names no architecture'
      : `${JSON.stringify(type).slice(0, 80)} is an architecture that cannot be run here`;
  throw refusal(
    where,
    'model_type',
    is,
    `Give a checkpoint of the Llama, Mistral, Qwen2 or Qwen3 family (model_type ${modelTypes.join(', ')}).`,
  );
}

function refuseWhatIsNotCovered(file: ConfigJson, where: string): void {
  for (const key of ['bos_token_id', 'eos_token_id'] as const) {
    const outside = [file[key] ?? []].flat().find((id) => id >= file.vocab_size);
    if (outside !== undefined)
      throw refusal(
        where,
        key,
        `the id ${outside} is outside of the vocabulary of ${file.vocab_size} tokens`,
        withItsWeights,
      );
  }
  const other = file.architectures?.find((name) => name !== architectures[file.model_type]);
  if (other !== undefined)
    throw refusal(
      where,
      'architectures',
      `${other} is not ${architectures[file.model_type]}`,
      'Give the checkpoint of a model that writes text.',
    );
  if (file.hidden_act !== 'silu')
    throw refusal(where, 'hidden_act', `the activation ${file.hidden_act} is not covered, only silu`);
  assertNoWindow(file, where);
  const layer = file.layer_types?.find((type) => type !== 'full_attention');
  if (layer !== undefined)
    throw refusal(where, 'layer_types', `layers of ${layer} are not covered, only full_attention`);
  if (file.quantization_config) {
    throw refusal(
      where,
      'quantization_config',
      'quantised weights are not read',
      'Give the checkpoint in float32, float16 or bfloat16.',
    );
  }
  for (const rope of [file, file.rope_parameters, file.rope_scaling]) {
    const share = rope?.partial_rotary_factor ?? 1;
    if (share !== 1)
      throw refusal(
        where,
        'partial_rotary_factor',
        `rotating only a share of ${share} of each head is not covered`,
      );
  }
}

/** Of a Mistral `sliding_window` alone decides, of a Qwen `use_sliding_window` too. A Llama has none. */
function assertNoWindow(file: ConfigJson, where: string): void {
  if (file.model_type === 'llama') return;
  const isMistral = file.model_type === 'mistral';
  const window = file.sliding_window === undefined && isMistral ? mistralWindow : file.sliding_window;
  if (typeof window !== 'number' || (!isMistral && file.use_sliding_window !== true)) return;
  if (isMistral && window >= file.max_position_embeddings) return;
  const key = isMistral ? 'sliding_window' : 'use_sliding_window';
  throw refusal(where, key, `attention over a sliding window of ${window} tokens is not covered`);
}

/** From `rope_parameters` of transformers 5, or `rope_theta` and `rope_scaling` of those before it. */
function readRope(file: ConfigJson, where: string): Pick<TransformerConfig, 'ropeTheta' | 'ropeScaling'> {
  const key = file.rope_parameters ? 'rope_parameters' : 'rope_scaling';
  const rope: RopeJson = file.rope_parameters ?? file.rope_scaling ?? {};
  const ropeTheta = rope.rope_theta ?? file.rope_theta ?? 10_000;
  const type = rope.rope_type ?? rope.type ?? 'default';
  if (type === 'default') return { ropeTheta, ropeScaling: undefined };
  if (type !== 'llama3')
    throw refusal(where, key, `rotary positions of type ${type} are not covered, only default and llama3`);
  const scaling = llamaScalingSchema.safeParse(rope);
  if (!scaling.success)
    throw refusal(
      where,
      key,
      `its llama3 scaling is incomplete (${describeIssues(scaling.error)})`,
      withItsWeights,
    );
  const { factor, low_freq_factor, high_freq_factor, original_max_position_embeddings } = scaling.data;
  return {
    ropeTheta,
    ropeScaling: {
      factor,
      lowFrequencyFactor: low_freq_factor,
      highFrequencyFactor: high_freq_factor,
      originalContext: original_max_position_embeddings,
    },
  };
}

function refusal(
  where: string,
  key: string,
  why: string,
  fix = 'Give a Llama, Mistral, Qwen2 or Qwen3 checkpoint without it.',
): UsageError {
  return new UsageError({ where: `${where}, ${key}`, what: `${why}.`, fix });
}

/** The config as `config.json` of Hugging Face: the rotary keys are those that transformers 4 and 5 both read. */
export function huggingFaceConfig(config: TransformerConfig): Readonly<Record<string, unknown>> {
  const { ropeScaling: scaling } = config;
  return {
    architectures: [architectures[config.family]],
    model_type: config.family,
    vocab_size: config.vocabulary,
    hidden_size: config.width,
    num_hidden_layers: config.layers,
    num_attention_heads: config.heads,
    num_key_value_heads: config.keyValueHeads,
    head_dim: config.headSize,
    intermediate_size: config.hiddenWidth,
    max_position_embeddings: config.longestContext,
    rms_norm_eps: config.normEpsilon,
    tie_word_embeddings: config.tied,
    ...(config.family === 'qwen2' ? {} : { attention_bias: config.attentionBias }),
    ...(config.family === 'llama' ? { mlp_bias: config.feedForwardBias } : { use_sliding_window: false }),
    hidden_act: 'silu',
    rope_theta: config.ropeTheta,
    rope_scaling:
      scaling === undefined
        ? null
        : {
            rope_type: 'llama3',
            factor: scaling.factor,
            low_freq_factor: scaling.lowFrequencyFactor,
            high_freq_factor: scaling.highFrequencyFactor,
            original_max_position_embeddings: scaling.originalContext,
          },
    torch_dtype: 'float32',
  };
}
