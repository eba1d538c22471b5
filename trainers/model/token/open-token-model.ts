import { join } from 'node:path';
import { dispose } from '@tensorflow/tfjs-core';
import type { Rng } from '../../../envs/core/rng.ts';
import type { TensorBackend } from '../backend/backend.ts';
import { factorsFile, readAdapter } from './adapter-files.ts';
import { digestWeights, exists, readWeights, uploadTensors, weightsFile } from './checkpoint.ts';
import { factorShapes, initialFactors, type Adapter, type LoraConfig } from './lora.ts';
import { assertTrainedOn, findStoredVersion } from './token-checkpoint.ts';
import { TokenModel, type TokenModelSettingsInput } from './token-model.ts';
import { readTransformerConfig, type TransformerConfig } from './transformer-config.ts';
import { weightShapes } from './weight-layout.ts';

/** An adapter that begins, or one that was stored. */
export type AdapterChoice =
  | { readonly kind: 'new'; readonly config: LoraConfig; readonly rng: Rng }
  | { readonly kind: 'stored'; readonly folder: string };

/**
 * The model of a Hugging Face checkpoint folder. The optimiser begins anew: to go on with a training, `load` its checkpoint.
 * @param options.adapter trained in place of the weights
 */
export async function openTokenModel(options: {
  readonly backend: TensorBackend;
  readonly folder: string;
  readonly adapter?: AdapterChoice;
  readonly settings?: TokenModelSettingsInput;
}): Promise<TokenModel> {
  const { backend, folder, settings = {} } = options;
  const config = await readTransformerConfig(folder);
  const weights = await uploadTensors(backend, weightShapes(config), readWeights(folder, config));
  try {
    const baseModel = { name: folder, ...(options.adapter === undefined ? {} : { digest: await digestBase(folder, options.adapter) }) };
    const { adapter, version } = await openAdapter(backend, config, options);
    return new TokenModel({ backend, transformer: { config, weights, adapter }, baseModel, settings, version });
  } catch (thrown) {
    dispose(weights);
    throw thrown;
  }
}

async function openAdapter(
  backend: TensorBackend,
  config: TransformerConfig,
  { folder, adapter }: { readonly folder: string; readonly adapter?: AdapterChoice },
): Promise<{ readonly adapter: Adapter | undefined; readonly version: number }> {
  if (adapter === undefined) return { adapter, version: await storedVersion(join(folder, weightsFile)) };
  const isNew = adapter.kind === 'new';
  const { config: lora, factors } = isNew ? { config: adapter.config, factors: initialFactors(config, adapter.config, adapter.rng) } : await readAdapter(adapter.folder, config);
  const version = isNew ? 0 : await storedVersion(join(adapter.folder, factorsFile));
  return { adapter: { config: lora, factors: await uploadTensors(backend, factorShapes(config, lora), Object.entries(factors)) }, version };
}

async function digestBase(folder: string, adapter: AdapterChoice): Promise<string> {
  const digest = await digestWeights(folder);
  if (adapter.kind === 'stored') await assertTrainedOn(adapter.folder, { name: folder, digest });
  return digest;
}

/** 0 for what others made, and for shards, which `save` does not write. */
async function storedVersion(file: string): Promise<number> {
  return (await exists(file)) ? ((await findStoredVersion(file)) ?? 0) : 0;
}
