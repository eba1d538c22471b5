import { z } from 'zod';
import { UsageError } from '../../envs/core/errors.ts';
import { describeIssues } from '../../envs/core/issues.ts';
import type { GgufFile } from '../gguf/read-gguf.ts';
import type { ValueSources } from './checkpoint.ts';
import { parseTransformerConfig, type LlamaScaling, type TransformerConfig } from './transformer-config.ts';
import {
  embeddingName,
  headName,
  lastNormName,
  layerPath,
  projectionPaths,
  projections,
  weightShapes,
  type Projection,
} from './weight-layout.ts';

/** What llama.cpp calls the projections of a layer. */
export const ggufProjections: Readonly<Record<Projection, string>> = {
  q_proj: 'attn_q',
  k_proj: 'attn_k',
  v_proj: 'attn_v',
  o_proj: 'attn_output',
  gate_proj: 'ffn_gate',
  up_proj: 'ffn_up',
  down_proj: 'ffn_down',
};

const ropeFactorsName = 'rope_freqs.weight';
const ggufHead = 'output.weight';
const ggufEmbedding = 'token_embd.weight';

const families = ['llama', 'qwen2', 'qwen3'] as const;
const count = z.int().positive();
/** The keys of one architecture, without its name in front. A key that is not here may change the arithmetic, so it is refused. */
const keysSchema = z.strictObject({
  block_count: count,
  context_length: count,
  embedding_length: count,
  feed_forward_length: count,
  'attention.head_count': count,
  'attention.head_count_kv': count.optional(),
  'attention.key_length': count.optional(),
  'attention.layer_norm_rms_epsilon': z.number().positive(),
  'rope.freq_base': z.number().positive().default(10_000),
  'rope.dimension_count': count.optional(),
  'rope.scaling.type': z
    .literal('none', 'only rotary positions without scaling, or those of Llama 3, are supported')
    .optional(),
  'rope.scaling.factor': z
    .literal([0, 1], 'rotary positions that are scaled by a factor are not supported')
    .optional(),
  expert_count: z.literal(0, 'mixtures of experts are not supported').optional(),
  expert_used_count: z.literal(0, 'mixtures of experts are not supported').optional(),
  'attention.value_length': count.optional(),
  'attention.sliding_window': z.int().nonnegative().optional(),
  'attention.causal': z.literal(true, 'only models that read from left to right are supported').optional(),
  // these change nothing
  vocab_size: count.optional(),
  'rope.scaling.original_context_length': count.optional(),
  'rope.scaling.finetuned': z.boolean().optional(),
  tensor_data_layout: z.string().optional(),
});

/**
 * The config of the model in a GGUF file, as `config.json` of Hugging Face would give it.
 *
 * @throws UsageError for another architecture than llama, qwen2 and qwen3, and for a setting that changes the arithmetic and is not supported
 */
export async function readGgufConfig(gguf: GgufFile): Promise<TransformerConfig> {
  const family = z.enum(families).safeParse(gguf.keys.get('general.architecture'));
  if (!family.success || (gguf.keys.get('general.type') ?? 'model') !== 'model')
    throw new UsageError({
      where: `${gguf.file}, general.architecture`,
      what: `it is ${JSON.stringify(gguf.keys.get('general.architecture') ?? null).slice(0, 80)} of type ${JSON.stringify(gguf.keys.get('general.type') ?? 'model').slice(0, 80)}, which cannot be run here.`,
      fix: 'Give a model of the Llama, Qwen2 or Qwen3 family.',
    });
  assertWhole(gguf);
  const prefix = `${family.data}.`;
  const own = [...gguf.keys].filter(([key]) => key.startsWith(prefix));
  const keys = keysSchema.safeParse(
    Object.fromEntries(own.map(([key, value]) => [key.slice(prefix.length), value])),
  );
  if (!keys.success)
    throw new UsageError({
      where: `${gguf.file}, keys of ${family.data}`,
      what: `${describeIssues(keys.error)}.`,
      fix: 'Give a file that llama.cpp runs, of the Llama, Qwen2 or Qwen3 family.',
    });
  const { data } = keys;
  const heads = data['attention.head_count'];
  const headSize = data['attention.key_length'] ?? data.embedding_length / heads;
  const window = data['attention.sliding_window'] ?? 0;
  if (window > 0 && window < data.context_length)
    throw new UsageError({
      where: `${gguf.file}, ${prefix}attention.sliding_window`,
      what: `each token sees the last ${window} tokens of ${data.context_length}, which is not supported.`,
      fix: 'Give a model without sliding windows.',
    });
  if ((data['attention.value_length'] ?? headSize) !== headSize)
    throw new UsageError({
      where: `${gguf.file}, ${prefix}attention.value_length`,
      what: `the values of a head have ${data['attention.value_length']} numbers and its keys ${headSize}, which is not supported.`,
      fix: 'Give a model whose keys and values are equally long.',
    });
  if ((data['rope.dimension_count'] ?? headSize) !== headSize)
    throw new UsageError({
      where: `${gguf.file}, ${prefix}rope.dimension_count`,
      what: `only ${data['rope.dimension_count']} of the ${headSize} numbers of a head are rotated, which is not supported.`,
      fix: 'Give a model that rotates whole heads.',
    });
  const ropeTheta = data['rope.freq_base'];
  const has = (name: string): boolean => gguf.tensors.has(name);
  return parseTransformerConfig(
    {
      model_type: family.data,
      vocab_size: gguf.tensors.get(ggufEmbedding)?.shape[0],
      hidden_size: data.embedding_length,
      num_hidden_layers: data.block_count,
      num_attention_heads: heads,
      num_key_value_heads: data['attention.head_count_kv'],
      head_dim: headSize,
      intermediate_size: data.feed_forward_length,
      max_position_embeddings: data.context_length,
      // float32 in the file: of 1e-5 it makes 9.999999747378752e-6
      rms_norm_eps: Number(data['attention.layer_norm_rms_epsilon'].toPrecision(6)),
      tie_word_embeddings: !has(ggufHead),
      attention_bias: has('blk.0.attn_q.bias') && family.data !== 'qwen2',
      mlp_bias: has('blk.0.ffn_up.bias'),
      rope_theta: ropeTheta,
      rope_scaling: has(ropeFactorsName) ? scalingJson(await scalingOf(gguf, { headSize, ropeTheta })) : null,
    },
    gguf.file,
  );
}

/** Large models are often published in parts. */
function assertWhole({ file, keys }: GgufFile): void {
  const parts = keys.get('split.count') ?? 0;
  if (parts === 0 || parts === 1) return;
  throw new UsageError({
    where: `${file}, split.count`,
    what: `it is one of ${String(parts).slice(0, 20)} parts of a model.`,
    fix: 'Join the parts with `llama-gguf-split --merge FIRST-PART.gguf WHOLE.gguf` of llama.cpp, and import the whole file.',
  });
}

const scalingJson = (scaling: LlamaScaling): object => ({
  rope_type: 'llama3',
  factor: scaling.factor,
  low_freq_factor: scaling.lowFrequencyFactor,
  high_freq_factor: scaling.highFrequencyFactor,
  original_max_position_embeddings: scaling.originalContext,
});

/** The settings that Llama 3.1, 3.2 and 3.3 have in common. */
const llama3 = { lowFrequencyFactor: 1, highFrequencyFactor: 4, originalContext: 8192 } as const;
const closeEnough = 1e-4;

/** GGUF has only the factors by which Llama 3 slows its rotations: they are compared with those of its published settings. */
async function scalingOf(
  gguf: GgufFile,
  { headSize, ropeTheta }: { readonly headSize: number; readonly ropeTheta: number },
): Promise<LlamaScaling> {
  const factors = await gguf.read(ropeFactorsName);
  const scaling = { ...llama3, factor: factors.reduce((most, factor) => Math.max(most, factor), 1) };
  const isLlama3 =
    factors.length === headSize / 2 &&
    factors.every((factor, pair) => {
      const wavelength = 2 * Math.PI * ropeTheta ** ((2 * pair) / headSize);
      const turns = scaling.originalContext / wavelength;
      const share =
        (turns - scaling.lowFrequencyFactor) / (scaling.highFrequencyFactor - scaling.lowFrequencyFactor);
      const smooth = Math.min(1, Math.max(0, share));
      const expected = 1 / ((1 - smooth) / scaling.factor + smooth);
      return Math.abs(factor - expected) <= closeEnough * expected;
    });
  if (isLlama3) return scaling;
  throw new UsageError({
    where: `${gguf.file}, tensor "${ropeFactorsName}"`,
    what: 'its rotary factors are not those of Llama 3, and no others are supported.',
    fix: 'Give a model of the Llama 3 family, or one without rotary scaling.',
  });
}

/**
 * The weights of the model under the names and in the layout of Hugging Face, each decoded when its turn comes.
 *
 * @throws UsageError where a tensor is missing, unknown or misshapen
 */
export function ggufWeights(gguf: GgufFile, config: TransformerConfig): ValueSources {
  const names = ggufNames(config);
  const known = new Set([...names.values(), ropeFactorsName]);
  const stray = [...gguf.tensors.keys()].find((name) => !known.has(name));
  if (stray !== undefined)
    throw new UsageError({
      where: `${gguf.file}, tensor "${stray.slice(0, 100)}"`,
      what: `a ${config.family} of this shape has no such weight.`,
      fix: 'Give a file of one plain model, without adapters, experts or images.',
    });
  return Object.fromEntries(
    [...weightShapes(config)].map(([name, shape]): [string, ValueSources[string]] => {
      const stored = names.get(name) ?? name;
      const there = gguf.tensors.get(stored)?.shape;
      if (there?.join() !== shape.join())
        throw new UsageError({
          where: `${gguf.file}, tensor "${stored}"`,
          what:
            there === undefined
              ? 'it is missing.'
              : `its shape is [${there.join(', ')}], but its keys ask for [${shape.join(', ')}].`,
          fix: 'The file is damaged or incomplete: download it again.',
        });
      const heads = rotatedHeads(config, name);
      return [
        name,
        async () => {
          const read = await gguf.read(stored);
          return heads === undefined ? read : separateHalves(read, { rows: shape[0], heads });
        },
      ];
    }),
  );
}

/** GGUF's name of each weight, by Hugging Face's. */
function ggufNames(config: TransformerConfig): ReadonlyMap<string, string> {
  const names = new Map([
    [embeddingName, ggufEmbedding],
    [lastNormName, 'output_norm.weight'],
    [headName, ggufHead],
  ]);
  for (let layer = 0; layer < config.layers; layer += 1) {
    const add = (path: string, stored: string): unknown =>
      names.set(layerPath(layer, path), `blk.${layer}.${stored}`);
    add('input_layernorm.weight', 'attn_norm.weight');
    add('post_attention_layernorm.weight', 'ffn_norm.weight');
    if (config.queryKeyNorm)
      for (const norm of ['q_norm', 'k_norm'] as const)
        add(`self_attn.${norm}.weight`, `attn_${norm}.weight`);
    for (const projection of projections)
      for (const part of ['weight', 'bias'])
        add(`${projectionPaths[projection]}.${part}`, `${ggufProjections[projection]}.${part}`);
  }
  return names;
}

/**
 * Heads of a projection whose rows llama.cpp has in another order. Of a llama it rotates neighbours within a head, where Hugging Face rotates
 * the first half of the head with the second; of the other families it rotates halves as well.
 */
export function interleavedHeads(
  { family, heads, keyValueHeads }: TransformerConfig,
  projection: Projection,
): number | undefined {
  if (family !== 'llama') return undefined;
  if (projection === 'q_proj') return heads;
  return projection === 'k_proj' ? keyValueHeads : undefined;
}

function rotatedHeads(config: TransformerConfig, name: string): number | undefined {
  const projection = projections.find((each) => name.includes(`.${projectionPaths[each]}.`));
  return projection === undefined ? undefined : interleavedHeads(config, projection);
}

/** The rows of each head with its even ones before its odd ones: what stood as 0, 4, 1, 5, 2, 6, 3, 7 is 0 to 7 again. */
function separateHalves(
  values: Float32Array,
  { rows, heads }: { readonly rows: number; readonly heads: number },
): Float32Array {
  const columns = values.length / rows;
  const half = rows / heads / 2;
  const separated = new Float32Array(values.length);
  for (let row = 0; row < rows; row += 1) {
    const place = row % (2 * half); // within its head
    const target = row - place + (place % 2) * half + (place >> 1);
    separated.set(values.subarray(row * columns, (row + 1) * columns), target * columns);
  }
  return separated;
}
