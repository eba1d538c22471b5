import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../../envs/core/errors.ts';
import {
  huggingFaceConfig,
  parseTransformerConfig,
  readTransformerConfig,
  type TransformerConfig,
} from '../../../models/token/transformer-config.ts';
import { goldenFolder } from './golden-model.ts';

const jsonOf = (name: string): Record<string, unknown> =>
  z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(readFileSync(join(goldenFolder(name), 'config.json'), 'utf8')));

const llama: TransformerConfig = {
  family: 'llama',
  vocabulary: 300,
  width: 32,
  layers: 2,
  heads: 4,
  keyValueHeads: 2,
  headSize: 8,
  hiddenWidth: 48,
  ropeTheta: 10_000,
  ropeScaling: { factor: 8, lowFrequencyFactor: 1, highFrequencyFactor: 4, originalContext: 64 },
  normEpsilon: 1e-6,
  tied: false,
  attentionBias: false,
  outputBias: false,
  feedForwardBias: false,
  queryKeyNorm: false,
  longestContext: 256,
};

test('parseTransformerConfig reads the configs of transformers 5', async () => {
  expect(await readTransformerConfig(goldenFolder('llama'))).toEqual(llama);
  expect(await readTransformerConfig(goldenFolder('llama-f16'))).toEqual({
    ...llama,
    attentionBias: true,
    outputBias: true,
    feedForwardBias: true,
  });
  expect(await readTransformerConfig(goldenFolder('qwen2'))).toEqual({
    ...llama,
    family: 'qwen2',
    ropeTheta: 1_000_000,
    ropeScaling: undefined,
    tied: true,
    attentionBias: true,
  });
  const qwen3 = {
    ...llama,
    family: 'qwen3',
    headSize: 12,
    ropeScaling: undefined,
    attentionBias: true,
    outputBias: true,
    queryKeyNorm: true,
  };
  expect(await readTransformerConfig(goldenFolder('qwen3'))).toEqual(qwen3);
});

test('parseTransformerConfig reads the keys of transformers 4', () => {
  const { rope_parameters: scaling, head_dim: _, ...json } = jsonOf('llama');
  expect(
    parseTransformerConfig(
      {
        ...json,
        rope_theta: 500_000,
        rope_scaling: { ...z.object().loose().parse(scaling), rope_theta: undefined },
      },
      'x',
    ),
  ).toEqual({ ...llama, ropeTheta: 500_000 });
  expect(parseTransformerConfig({ ...json, rope_theta: 500_000, rope_scaling: null }, 'x')).toEqual({
    ...llama,
    ropeTheta: 500_000,
    ropeScaling: undefined,
  });
  expect(parseTransformerConfig({ ...json, num_key_value_heads: null }, 'x').keyValueHeads).toBe(4);
});

test.each(['llama', 'qwen2', 'qwen3', 'qwen3-bf16', 'llama-f16'])(
  'huggingFaceConfig writes what parseTransformerConfig reads: %s',
  (name) => {
    const config = parseTransformerConfig(jsonOf(name), name);
    expect(parseTransformerConfig(JSON.parse(JSON.stringify(huggingFaceConfig(config))), name)).toEqual(
      config,
    );
  },
);

test.each([
  [
    { model_type: 'gpt2', hidden_size: undefined },
    /^config\.json, model_type: "gpt2" is an architecture that cannot be run here\. Give a checkpoint of the Llama, Mistral, Qwen2 or Qwen3 family/,
  ],
  [{ model_type: undefined }, /model_type: it names no architecture\./],
  [
    { architectures: ['LlamaForSequenceClassification'] },
    /architectures: LlamaForSequenceClassification is not LlamaForCausalLM/,
  ],
  [{ hidden_act: 'gelu' }, /hidden_act: the activation gelu/],
  [
    { model_type: 'qwen2', architectures: null, use_sliding_window: true, sliding_window: 64 },
    /use_sliding_window: attention over a sliding window/,
  ],
  [{ layer_types: ['full_attention', 'sliding_attention'] }, /layer_types: layers of sliding_attention/],
  [{ quantization_config: { quant_method: 'gptq' } }, /quantization_config: quantised weights/],
  [
    { rope_parameters: null, rope_scaling: { type: 'yarn', factor: 4 } },
    /rope_scaling: rotary positions of type yarn/,
  ],
  [
    { rope_parameters: { rope_type: 'llama3', factor: 8 } },
    /rope_parameters: its llama3 scaling is incomplete \(low_freq_factor/,
  ],
  [
    {
      rope_parameters: {
        rope_type: 'llama3',
        factor: 8,
        low_freq_factor: 4,
        high_freq_factor: 4,
        original_max_position_embeddings: 64,
      },
    },
    /high_freq_factor must be above/,
  ],
  [{ partial_rotary_factor: 0.5 }, /partial_rotary_factor: rotating only a share of 0.5/],
  [
    { num_key_value_heads: 3 },
    /num_key_value_heads: 4 heads cannot share 3 .*Give the config\.json that came with the weights/,
  ],
  [{ head_dim: 7 }, /head_dim: heads of width 7 .*Give the config\.json that came/],
  [{ vocab_size: 0 }, /vocab_size/],
  [{ vocab_size: 2 ** 24 + 1 }, /vocab_size: at most 16777216 is taken/],
  [{ num_hidden_layers: 1e8 }, /num_hidden_layers: at most 10000 is taken/],
  [{ hidden_size: 1e9 }, /hidden_size: at most/],
  [{ intermediate_size: 1e9 }, /intermediate_size: at most/],
  [{ num_attention_heads: 1e9 }, /num_attention_heads: at most/],
  [{ num_key_value_heads: 1e9 }, /num_key_value_heads: at most/],
  [{ head_dim: 1e9 }, /head_dim: at most/],
  [{ max_position_embeddings: 1e12 }, /max_position_embeddings: at most/],
  [{ hidden_size: '32' }, /hidden_size/],
])('parseTransformerConfig refuses %j', (changes, message) => {
  const refused = (): unknown => parseTransformerConfig({ ...jsonOf('llama'), ...changes }, 'config.json');
  expect(refused).toThrow(UsageError);
  expect(refused).toThrow(message);
});

test('a Mistral without a sliding window is read as the Llama that computes the same', () => {
  const mistral = {
    ...jsonOf('llama'),
    model_type: 'mistral',
    architectures: ['MistralForCausalLM'],
    sliding_window: null,
  };
  expect(parseTransformerConfig(mistral, 'x')).toEqual(llama);
  expect(parseTransformerConfig({ ...mistral, sliding_window: 256, attention_bias: true }, 'x')).toEqual(
    llama,
  );
  const headsOf = (heads: number | null | undefined) =>
    parseTransformerConfig({ ...mistral, num_attention_heads: 16, num_key_value_heads: heads }, 'x')
      .keyValueHeads;
  expect([2, null, undefined].map(headsOf)).toEqual([2, 16, 8]);
  for (const window of [64, undefined])
    expect(() =>
      parseTransformerConfig({ ...mistral, max_position_embeddings: 8_192, sliding_window: window }, 'x'),
    ).toThrow(/sliding_window: attention over a sliding window of (?:64|4096) tokens is not covered/);
});

test('parseTransformerConfig ignores a sliding window that is not in use', () => {
  expect(
    parseTransformerConfig({ ...jsonOf('qwen2'), use_sliding_window: false, sliding_window: 64 }, 'x').family,
  ).toBe('qwen2');
});

test('readTransformerConfig refuses a folder without config.json', async () => {
  await expect(readTransformerConfig(goldenFolder('none'))).rejects.toThrow(
    /config\.json: there is no such file\. Give a Hugging Face checkpoint folder/,
  );
});
