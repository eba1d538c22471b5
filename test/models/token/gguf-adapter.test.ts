import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAdapter } from '../../../models/token/adapter-files.ts';
import { writeGgufAdapter } from '../../../models/token/gguf-adapter.ts';
import type { Adapter } from '../../../models/token/lora.ts';
import { readTransformerConfig, type TransformerConfig } from '../../../models/token/transformer-config.ts';
import type { NamedValues } from '../../../models/token/weight-layout.ts';
import { useFolder } from '../../support/own-folder.ts';
import { readGguf } from '../gguf/read-gguf.ts';
import { goldenFolder } from './golden-model.ts';

/** One of the adapters of `make-goldens.py`, with what llama.cpp's converter made of it in `converted.gguf`. */
const convertedFolder = (family: string): string =>
  new URL(`../../golden/gguf-adapter/${family}`, import.meta.url).pathname;
const inFolder = useFolder();

async function readStored(
  folder: string,
  of = folder,
): Promise<{ readonly config: TransformerConfig; readonly adapter: Adapter<NamedValues> }> {
  const config = await readTransformerConfig(of);
  return { config, adapter: await readAdapter(folder, config) };
}

/**
 * Keys of the converter that llama.cpp does not read when it loads an adapter. The name is a guess from the folder's name. The version
 * is that of quantised blocks, which a file of float32 lacks.
 */
const notAskedFor = ['general.name', 'general.quantization_version'];

test.each(['llama', 'qwen2', 'qwen3'])(
  "writeGgufAdapter stores all projections like llama.cpp's converter: %s",
  async (family) => {
    const { config, adapter } = await readStored(convertedFolder(family));
    expect([config.family, config.heads, config.keyValueHeads, adapter.config.targets.length]).toEqual([
      family,
      4,
      2,
      7,
    ]);
    const file = inFolder('adapter.gguf');
    await writeGgufAdapter(file, config, adapter);
    const [ours, theirs] = [readGguf(file), readGguf(join(convertedFolder(family), 'converted.gguf'))];
    expect(ours.keys).toEqual(
      Object.fromEntries(Object.entries(theirs.keys).filter(([key]) => !notAskedFor.includes(key))),
    );
    expect(ours.keys).toEqual({
      'general.architecture': family,
      'general.type': 'adapter',
      'adapter.type': 'lora',
      'adapter.lora.alpha': 12.5,
    });
    expect(Object.keys(theirs.tensors)).toHaveLength(2 * 7 * 2);
    expect(ours.tensors).toEqual(theirs.tensors);
  },
);

test('writeGgufAdapter writes only the tensors of the adapted projections', async () => {
  const { config, adapter } = await readStored(join(goldenFolder('llama'), 'adapter'), goldenFolder('llama'));
  await writeGgufAdapter(inFolder('some.gguf'), config, adapter);
  const names = [0, 1].flatMap((layer) =>
    ['attn_q', 'attn_v'].flatMap((name) =>
      ['a', 'b'].map((factor) => `blk.${layer}.${name}.weight.lora_${factor}`),
    ),
  );
  expect(Object.keys(readGguf(inFolder('some.gguf')).tensors)).toEqual(names);
});

test('writeGgufAdapter refuses an adapter without a factor, or with a part of one', async () => {
  const { config, adapter } = await readStored(convertedFolder('llama'));
  const query = 'model.layers.1.self_attn.q_proj.lora_B.weight';
  const { [query]: whole = new Float32Array(0), ...others } = adapter.factors;
  for (const factors of [others, { ...others, [query]: whole.subarray(1) }]) {
    await expect(writeGgufAdapter(inFolder('lacking.gguf'), config, { ...adapter, factors })).rejects.toThrow(
      `the adapter holds no factor ${query} of shape [32, 3]`,
    );
  }
});
