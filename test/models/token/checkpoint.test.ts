import { appendFile, cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dispose, memory } from '@tensorflow/tfjs-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../../envs/core/errors.ts';
import { createRng } from '../../../envs/core/rng.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { openSafetensors } from '../../../models/safetensors/read-safetensors.ts';
import { writeSafetensors, type TensorValues } from '../../../models/safetensors/write-safetensors.ts';
import {
  downloadTensors,
  readWeights,
  uploadTensors,
  writeCheckpoint,
} from '../../../models/token/checkpoint.ts';
import { initialTransformerWeights } from '../../../models/token/initial-weights.ts';
import { readTransformerConfig, type TransformerConfig } from '../../../models/token/transformer-config.ts';
import { weightShapes, type NamedValues } from '../../../models/token/weight-layout.ts';
import { goldenFolder } from './golden-model.ts';

const config: TransformerConfig = {
  family: 'qwen2',
  vocabulary: 7,
  width: 4,
  layers: 2,
  heads: 2,
  keyValueHeads: 1,
  headSize: 2,
  hiddenWidth: 6,
  ropeTheta: 10_000,
  ropeScaling: undefined,
  normEpsilon: 1e-6,
  tied: false,
  attentionBias: true,
  outputBias: false,
  feedForwardBias: false,
  queryKeyNorm: false,
  longestContext: 32,
};
const query = 'model.layers.1.self_attn.q_proj.weight';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-token-checkpoint-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function readAll(from: string, of: TransformerConfig): Promise<NamedValues> {
  const all: Record<string, Float32Array> = {};
  for await (const [name, values] of readWeights(from, of)) all[name] = values;
  return all;
}

/** A checkpoint whose tensors were changed. */
async function forge(change: (tensors: Record<string, TensorValues>) => void): Promise<void> {
  const weights = initialTransformerWeights(config, createRng(1));
  const tensors = Object.fromEntries(
    [...weightShapes(config)].map(([name, shape]) => [
      name,
      { shape, values: weights[name] as Float32Array },
    ]),
  );
  change(tensors);
  await writeSafetensors(join(folder, 'model.safetensors'), tensors);
}

async function refusal(of: TransformerConfig = config): Promise<UsageError> {
  const thrown: unknown = await readAll(folder, of).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(UsageError);
  return thrown as UsageError;
}

test('readWeights reads what writeCheckpoint writes', async () => {
  const weights = initialTransformerWeights(config, createRng(1));
  await writeCheckpoint(folder, config, weights);
  expect(await readTransformerConfig(folder)).toEqual(config);
  expect(await readAll(folder, config)).toEqual(weights);
  await using file = await openSafetensors(join(folder, 'model.safetensors'));
  expect(file.metadata).toEqual({ format: 'pt' });
  expect(file.tensors.get('model.norm.weight')?.shape).toEqual([4]);
});

test('writeCheckpoint refuses to write without a weight', async () => {
  const { 'model.norm.weight': _, ...rest } = initialTransformerWeights(config, createRng(1));
  await expect(writeCheckpoint(folder, config, rest)).rejects.toThrow(/model\.norm\.weight/);
});

test('readWeights ignores rotary tables and a head that equals the tied embedding', async () => {
  await forge((tensors) => {
    tensors['model.layers.0.self_attn.rotary_emb.inv_freq'] = { shape: [1], values: Float32Array.of(1) };
    tensors['lm_head.weight'] = tensors['model.embed_tokens.weight'] as TensorValues;
  });
  expect(Object.keys(await readAll(folder, { ...config, tied: true }))).not.toContain('lm_head.weight');
});

test('uploadTensors and downloadTensors return the same weights', async () => {
  const backend = await openBackend('cpu');
  const weights = initialTransformerWeights(config, createRng(1));
  const tensors = await uploadTensors(backend, weightShapes(config), Object.entries(weights));
  expect(tensors['model.norm.weight']?.shape).toEqual([1, 4]);
  expect(await downloadTensors(backend, tensors)).toEqual(weights);
  dispose(tensors);
});

test('uploadTensors leaves nothing on the backend when a weight cannot be read', async () => {
  const backend = await openBackend('cpu');
  await forge((tensors) => (tensors['lm_head.weight'] as TensorValues).values.fill(Number.NaN, 3, 4));
  const before = memory().numTensors;
  await expect(uploadTensors(backend, weightShapes(config), readWeights(folder, config))).rejects.toThrow(
    /tensor "lm_head\.weight": entry 3 is NaN/,
  );
  expect(memory().numTensors).toBe(before);
});

describe('readWeights', () => {
  test.each([
    [
      'other numbers than the embedding',
      /tensor "lm_head\.weight": it differs from "model\.embed_tokens\.weight", but config\.json says that the two are one.*"tie_word_embeddings": false/,
      3,
    ],
    [
      'another shape',
      /tensor "lm_head\.weight": its shape is \[8, 4\], but config\.json asks for \[7, 4\]/,
      undefined,
    ],
  ])('refuses a head of tied embeddings with %s', async (_, said, factor) => {
    await forge((tensors) => {
      const { values } = tensors['model.embed_tokens.weight'] as TensorValues;
      tensors['lm_head.weight'] =
        factor === undefined
          ? { shape: [8, 4], values: new Float32Array(32) }
          : { shape: [7, 4], values: values.map((value) => factor * value) };
    });
    expect((await refusal({ ...config, tied: true })).message).toMatch(said);
    if (factor !== undefined) expect((await readAll(folder, config))['lm_head.weight']).toHaveLength(28);
  });

  test('refuses a missing tensor', async () => {
    await forge((tensors) => delete tensors[query]);
    expect((await refusal()).message).toContain(
      `its weights have no tensor "${query}". Give the whole checkpoint`,
    );
  });

  test('refuses a surplus tensor', async () => {
    await forge(
      (tensors) =>
        (tensors['model.layers.2.mlp.up_proj.weight'] = { shape: [1], values: Float32Array.of(1) }),
    );
    expect((await refusal()).message).toContain(
      'model.safetensors, tensor "model.layers.2.mlp.up_proj.weight": the model has no weight of that name.',
    );
  });

  test('refuses a wrong shape', async () => {
    await forge((tensors) => (tensors[query] = { shape: [2, 8], values: new Float32Array(16) }));
    expect((await refusal()).message).toContain(
      `tensor "${query}": its shape is [2, 8], but config.json asks for [4, 4].`,
    );
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %f among the weights', async (value) => {
    await forge((tensors) => tensors[query]?.values.fill(value, 5, 6));
    expect((await refusal()).message).toContain(
      `tensor "${query}": entry 5 is ${value}, not a finite number.`,
    );
  });

  test('refuses a cut file, and one with extra bytes', async () => {
    await forge(() => undefined);
    const file = join(folder, 'model.safetensors');
    const { length } = await readFile(file);
    await truncate(file, length - 5);
    expect((await refusal()).message).toContain('the file is cut off');
    await truncate(file, length);
    await appendFile(file, 'x');
    expect((await refusal()).message).toContain('belong to none');
  });

  test('refuses a folder without weights', async () => {
    expect((await refusal()).message).toContain(
      'it has neither model.safetensors nor model.safetensors.index.json.',
    );
  });
});

describe('readWeights of shards', () => {
  const index = 'model.safetensors.index.json';
  const indexSchema = z.object({ weight_map: z.record(z.string(), z.string()) });
  let sharded: TransformerConfig;
  let map: Record<string, string>;
  beforeEach(async () => {
    await cp(goldenFolder('qwen3'), folder, { recursive: true });
    sharded = await readTransformerConfig(folder);
    map = indexSchema.parse(JSON.parse(await readFile(join(folder, index), 'utf8'))).weight_map;
  });
  const point = (name: string, file: string): Promise<void> =>
    writeFile(join(folder, index), JSON.stringify({ weight_map: { ...map, [name]: file } }));

  test.each([
    '../model.safetensors',
    '/etc/passwd',
    '..',
    'sub/model.safetensors',
    'sub\\model.safetensors',
    '',
  ])('refuses a path in the index: "%s"', async (file) => {
    await point('lm_head.weight', file);
    expect((await refusal(sharded)).message).toContain(
      `"lm_head.weight": "${file}" is not a file name in this folder.`,
    );
  });

  test('refuses a missing shard, and an omitted shard', async () => {
    await rm(join(folder, 'model-00002-of-00003.safetensors'));
    expect((await refusal(sharded)).message).toMatch(
      /model-00002-of-00003\.safetensors: the file cannot be opened/,
    );
    const [first] = Object.values(map);
    await writeFile(join(folder, index), JSON.stringify({ weight_map: { a: first } }));
    expect((await refusal(sharded)).message).toMatch(/its weights have no tensor/);
  });

  test('refuses a tensor in two shards', async () => {
    await cp(join(folder, 'model-00001-of-00003.safetensors'), join(folder, 'again.safetensors'));
    await point('again', 'again.safetensors');
    expect((await refusal(sharded)).message).toMatch(
      /again\.safetensors, tensor ".*": it is also in .*model-00001-of-00003\.safetensors/,
    );
  });

  test.each(['no JSON', '{}', '{"weight_map": {"a": 1}}'])('refuses the index %s', async (text) => {
    await writeFile(join(folder, index), text);
    expect((await refusal(sharded)).message).toMatch(
      /index\.json: it (cannot be read as JSON|is not an index of shards)/,
    );
  });
});

describe('weights of a new model', () => {
  test('follow a normal distribution, narrower on the residual stream, and repeat for a seed', () => {
    const large = {
      ...config,
      vocabulary: 200,
      width: 100,
      layers: 8,
      heads: 4,
      keyValueHeads: 2,
      headSize: 25,
      hiddenWidth: 100,
    };
    const weights = initialTransformerWeights(large, createRng(1));
    const spread = (name: string): number =>
      Math.sqrt(
        (weights[name] as Float32Array).reduce((sum, value) => sum + value * value, 0) /
          (weights[name] as Float32Array).length,
      );
    expect(spread('model.embed_tokens.weight')).toBeCloseTo(0.02, 3);
    expect(spread('model.layers.0.self_attn.q_proj.weight')).toBeCloseTo(0.02, 3);
    for (const name of ['self_attn.o_proj', 'mlp.down_proj'])
      expect(spread(`model.layers.7.${name}.weight`)).toBeCloseTo(0.005, 4);
    expect(new Set(weights['model.layers.3.input_layernorm.weight'])).toEqual(new Set([1]));
    expect(new Set(weights['model.layers.3.self_attn.q_proj.bias'])).toEqual(new Set([0]));
    expect(initialTransformerWeights(large, createRng(1))).toEqual(weights);
    expect(initialTransformerWeights(large, createRng(2))['lm_head.weight']).not.toEqual(
      weights['lm_head.weight'],
    );
  });
});
