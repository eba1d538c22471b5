import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadTokenizer } from '../../agents/render/tokenizer/load-tokenizer.ts';
import { byteTokenizer } from '../../agents/render/tokenizer/train-tokenizer.ts';
import { createRng } from '../../envs/core/rng.ts';
import { writeCheckpoint } from '../../models/token/checkpoint.ts';
import { initialTransformerWeights } from '../../models/token/initial-weights.ts';
import type { TransformerConfig } from '../../models/token/transformer-config.ts';

const shape: Omit<TransformerConfig, 'vocabulary'> = {
  family: 'qwen3',
  width: 16,
  layers: 2,
  heads: 2,
  keyValueHeads: 1,
  headSize: 8,
  hiddenWidth: 24,
  ropeTheta: 10_000,
  ropeScaling: undefined,
  normEpsilon: 1e-6,
  tied: true,
  attentionBias: false,
  outputBias: false,
  feedForwardBias: false,
  queryKeyNorm: true,
  longestContext: 2_048,
};

/** Writes the folder of a language model that tests can train in no time: seeded random weights, and a tokenizer of bytes. */
export async function makeTinyModel(
  folder: string,
  seed = 1,
  changes: Partial<TransformerConfig> = {},
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const files = byteTokenizer();
  for (const name of ['tokenizer.json', 'tokenizer_config.json'] as const)
    await writeFile(join(folder, name), files[name]);
  const { tokenizer } = await loadTokenizer(folder);
  const config = { ...shape, vocabulary: tokenizer.size, ...changes };
  await writeCheckpoint(
    folder,
    config,
    initialTransformerWeights(config, createRng(seed).fork('initial-weights')),
  );
  return folder;
}
