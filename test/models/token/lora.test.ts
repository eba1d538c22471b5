import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../../envs/core/errors.ts';
import { createRng } from '../../../envs/core/rng.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { openSafetensors } from '../../../models/safetensors/read-safetensors.ts';
import { writeSafetensors, type TensorValues } from '../../../models/safetensors/write-safetensors.ts';
import { readAdapter, writeAdapter } from '../../../models/token/adapter-files.ts';
import { readWeights, uploadTensors } from '../../../models/token/checkpoint.ts';
import { factorShapes, initialFactors, loraConfigSchema, mergeAdapter } from '../../../models/token/lora.ts';
import { forward } from '../../../models/token/network.ts';
import { product } from '../../../models/token/operations/product.ts';
import { packRows } from '../../../models/token/packed-tokens.ts';
import { readTransformerConfig, type TransformerConfig } from '../../../models/token/transformer-config.ts';
import { outputName, tensorNamed, weightShapes } from '../../../models/token/weight-layout.ts';
import { closeModel, goldenFolder, readExpected, readGoldens } from './golden-model.ts';
import { expectNear } from './tensor-checks.ts';

let folder: string;
let config: TransformerConfig;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-adapter-'));
  config = await readTransformerConfig(goldenFolder('llama'));
});
afterEach(() => rm(folder, { recursive: true }));

test.each(['llama', 'qwen2', 'qwen3'])(
  'an adapter merged into the weights has the logits of PEFT: %s',
  async (name) => {
    const backend = await openBackend('wasm');
    const of = await readTransformerConfig(goldenFolder(name));
    const values: Record<string, Float32Array> = {};
    for await (const [weight, numbers] of readWeights(goldenFolder(name), of)) values[weight] = numbers;
    mergeAdapter(of, values, await readAdapter(join(goldenFolder(name), 'adapter'), of));
    const model = {
      config: of,
      weights: await uploadTensors(backend, weightShapes(of), Object.entries(values)),
      adapter: undefined,
    };
    const logits = backend.run(() =>
      product(
        forward(model, packRows(readGoldens(name).rows), { recompute: true }).hidden,
        tensorNamed(model.weights, outputName(of)),
      ),
    );
    const expected = await readExpected(`${name}/adapter`, 'logits.');
    expectNear(
      await backend.read(logits),
      [...expected.values()].flatMap((row) => [...row]),
      1e-5,
    );
    logits.dispose();
    closeModel(model);
  },
);

test('a new adapter has A uniform within 1 / sqrt(in), and B zero', () => {
  const lora = { rank: 40, alpha: 8, targets: ['up_proj', 'down_proj'] as const };
  const factors = initialFactors(config, { ...lora, targets: [...lora.targets] }, createRng(1));
  expect(Object.keys(factors)).toEqual(
    [0, 1].flatMap((layer) =>
      ['up_proj', 'down_proj'].flatMap((name) =>
        ['A', 'B'].map((factor) => `model.layers.${layer}.mlp.${name}.lora_${factor}.weight`),
      ),
    ),
  );
  const a = factors['model.layers.0.mlp.down_proj.lora_A.weight'] as Float32Array;
  expect(a.length).toBe(40 * 48);
  expect(Math.max(...a)).toBeCloseTo(1 / Math.sqrt(48), 3);
  expect(Math.min(...a)).toBeCloseTo(-1 / Math.sqrt(48), 3);
  expect(a.reduce((sum, value) => sum + value, 0) / a.length).toBeCloseTo(0, 2);
  expect(new Set(factors['model.layers.0.mlp.down_proj.lora_B.weight'])).toEqual(new Set([0]));
});

test.each([
  [{ rank: 0 }],
  [{ alpha: 0 }],
  [{ targets: [] }],
  [{ targets: ['q_proj', 'q_proj'] }],
  [{ targets: ['lm_head'] }],
])('loraConfigSchema refuses the config %j', (changes) => {
  expect(loraConfigSchema.safeParse({ rank: 2, alpha: 4, targets: ['q_proj'] }).success).toBe(true);
  expect(loraConfigSchema.safeParse({ rank: 2, alpha: 4, targets: ['q_proj'], ...changes }).success).toBe(
    false,
  );
});

test('readAdapter reads what writeAdapter writes, under the names of PEFT', async () => {
  const adapter = await readAdapter(join(goldenFolder('llama'), 'adapter'), config);
  expect({ ...adapter.config, targets: adapter.config.targets.toSorted() }).toEqual({
    rank: 3,
    alpha: 12,
    targets: ['q_proj', 'v_proj'],
  });
  await writeAdapter(folder, config, { ...adapter, baseModel: 'some/base' });
  expect(await readAdapter(folder, config)).toEqual(adapter);
  await using ours = await openSafetensors(join(folder, 'adapter_model.safetensors'));
  await using theirs = await openSafetensors(
    join(goldenFolder('llama'), 'adapter', 'adapter_model.safetensors'),
  );
  const shapes = (file: typeof ours): unknown =>
    Object.fromEntries([...file.tensors].map(([name, { shape }]) => [name, shape]));
  expect(shapes(ours)).toEqual(shapes(theirs));
  expect(JSON.parse(await readFile(join(folder, 'adapter_config.json'), 'utf8'))).toMatchObject({
    base_model_name_or_path: 'some/base',
    r: 3,
    lora_alpha: 12,
  });
});

test('writeAdapter refuses an adapter without a factor', async () => {
  const lora = loraConfigSchema.parse({ rank: 2, alpha: 4, targets: ['q_proj'] });
  await expect(
    writeAdapter(folder, config, { config: lora, factors: {}, baseModel: 'base' }),
  ).rejects.toThrow(/q_proj\.lora_A\.weight/);
});

describe('readAdapter', () => {
  beforeEach(() => cp(join(goldenFolder('llama'), 'adapter'), folder, { recursive: true }));
  const refusal = async (): Promise<string> => {
    const thrown: unknown = await readAdapter(folder, config).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(UsageError);
    return (thrown as UsageError).message;
  };

  test.each([
    [{ peft_type: 'IA3' }, /peft_type/],
    [{ use_dora: true }, /its use_dora is true, which is not covered/],
    [{ init_lora_weights: 'pissa' }, /init_lora_weights/],
    [{ use_rslora: true }, /its use_rslora is true/],
    [{ bias: 'all' }, /bias/],
    [{ modules_to_save: ['lm_head'] }, /its modules_to_save is \["lm_head"\]/],
    [{ rank_pattern: { q_proj: 8 } }, /its rank_pattern is/],
    [{ alpha_pattern: { q_proj: 8 } }, /its alpha_pattern is/],
    [{ layers_to_transform: [0] }, /its layers_to_transform is \[0\]/],
    [{ fan_in_fan_out: true }, /its fan_in_fan_out is true/],
    [{ a_new_key: 3 }, /its a_new_key is 3/],
    [{ target_modules: ['q_proj', 'lm_head'] }, /target_modules are not covered/],
    [{ target_modules: '.*' }, /target_modules/],
    [{ r: 0 }, /r: /],
    [{ r: 4 }, /tensor ".*lora_A\.weight": its shape is \[3, 32\], not \[4, 32\]/],
    [
      { target_modules: ['q_proj'] },
      /v_proj\.lora_A\.weight": the model and the adapter_config\.json have no factor of that name/,
    ],
    [{ target_modules: ['q_proj', 'v_proj', 'k_proj'] }, /k_proj\.lora_A\.weight": it is missing/],
  ])('refuses an adapter with %j', async (changes, message) => {
    const file = join(folder, 'adapter_config.json');
    const json = z.record(z.string(), z.unknown()).parse(JSON.parse(await readFile(file, 'utf8')));
    await writeFile(file, JSON.stringify({ ...json, ...changes }));
    expect(await refusal()).toMatch(message);
  });

  test('refuses an adapter without a config', async () => {
    await rm(join(folder, 'adapter_config.json'));
    expect(await refusal()).toMatch(
      /adapter_config\.json: there is no such file, which an adapter has beside adapter_model\.safetensors\. Give a plain LoRA adapter/,
    );
    await writeFile(join(folder, 'adapter_config.json'), '{');
    expect(await refusal()).toMatch(/adapter_config\.json: it cannot be read as JSON/);
  });

  test('refuses an adapter with a NaN', async () => {
    const { config: lora, factors } = await readAdapter(folder, config);
    const tensors = [...factorShapes(config, lora)].map(([name, shape]): [string, TensorValues] => [
      `base_model.model.${name}`,
      { shape, values: (factors[name] as Float32Array).fill(Number.NaN, 0, 1) },
    ]);
    await writeSafetensors(join(folder, 'adapter_model.safetensors'), Object.fromEntries(tensors));
    expect(await refusal()).toMatch(/q_proj\.lora_A\.weight": entry 0 is NaN/);
  });
});
