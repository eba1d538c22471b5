import { join } from 'node:path';
import { dispose } from '@tensorflow/tfjs-core';
import { UsageError } from '../../envs/core/errors.ts';
import type { Rng } from '../../envs/core/rng.ts';
import type { TensorBackend } from '../backend/backend.ts';
import { factorsFile, readAdapter } from './adapter-files.ts';
import { digestWeights, exists, readWeights, uploadTensors, weightsFile } from './checkpoint.ts';
import { logitsAt } from './head.ts';
import { factorShapes, initialFactors, type Adapter, type LoraConfig } from './lora.ts';
import { forward, type Transformer } from './network.ts';
import { packRows } from './packed-tokens.ts';
import { assertTrainedOn, findStoredVersion } from './token-checkpoint.ts';
import { TokenModel, type TokenModelSettingsInput } from './token-model.ts';
import { readTransformerConfig, type TransformerConfig } from './transformer-config.ts';
import { weightShapes, type Precision } from './weight-layout.ts';

/** A new adapter, or a stored one. */
export type AdapterChoice =
  | { readonly kind: 'new'; readonly config: LoraConfig; readonly rng: Rng }
  | { readonly kind: 'stored'; readonly folder: string };

/**
 * The model of a Hugging Face checkpoint folder. The optimiser starts fresh: to resume a training, `load` its
 * checkpoint.
 * @param options.adapter trained instead of the weights
 * @param options.precision of the weights and of caches of keys and values. With `bf16` (backends `wasm` and `cpu`) weights are frozen: an adapter can
 *   be trained, and the model can play
 * @throws UsageError for `bf16` on another backend or with workers
 */
export async function openTokenModel(options: {
  readonly backend: TensorBackend;
  readonly folder: string;
  readonly adapter?: AdapterChoice;
  readonly precision?: Precision | undefined;
  readonly settings?: TokenModelSettingsInput;
}): Promise<TokenModel> {
  const { backend, folder, precision = 'float32', settings = {} } = options;
  assertHolds(precision, backend, settings.workers);
  const config = await readTransformerConfig(folder);
  const weights = await uploadTensors(backend, weightShapes(config), readWeights(folder, config), precision);
  try {
    const baseModel = {
      name: folder,
      ...(options.adapter === undefined ? {} : { digest: await digestBase(folder, options.adapter) }),
    };
    const { adapter, version } = await openAdapter(backend, config, options);
    const transformer = { config, weights, adapter };
    await assertGivesNumbers(
      backend,
      transformer,
      options.adapter?.kind === 'stored' ? options.adapter.folder : folder,
    );
    return new TokenModel({ backend, transformer, baseModel, settings, version });
  } catch (thrown) {
    dispose(weights);
    throw thrown;
  }
}

/** Refuses bfloat16 where no kernel reads it. @throws UsageError */
export function assertHolds(precision: Precision, { name }: TensorBackend, workers = 0): void {
  if (precision === 'float32') return;
  if (name !== 'wasm' && name !== 'cpu') {
    throw new UsageError({
      where: 'precision',
      what: `backend ${name} computes with weights in float32 only, and ${precision} was asked for.`,
      fix: 'Use --backend wasm, or leave the precision out.',
    });
  }
  if (workers === 0) return;
  throw new UsageError({
    where: 'precision',
    what: `workers hold their copies of the weights in float32, and ${precision} was asked for.`,
    fix: 'Set policy.workers to 0, or leave the precision out.',
  });
}

/** Finite weights can overflow in a pass. This detects it before anything else is created. */
async function assertGivesNumbers(
  backend: TensorBackend,
  transformer: Transformer,
  folder: string,
): Promise<void> {
  const { vocabulary, longestContext } = transformer.config;
  const row = Array.from({ length: Math.min(8, vocabulary, longestContext) }, (_, token) => token);
  const logits = backend.run(() =>
    logitsAt(
      transformer,
      forward(transformer, packRows([row]), { recompute: true }).hidden,
      Int32Array.from(row),
    ),
  );
  try {
    const odd = (await backend.read(logits)).find((logit) => !Number.isFinite(logit));
    if (odd === undefined) return;
    throw new UsageError({
      where: folder,
      what: `its weights are finite, but the model's results are not: a logit is ${odd}.`,
      fix: 'Use an intact checkpoint: this one is damaged, or its training diverged.',
    });
  } catch (thrown) {
    dispose(transformer.adapter?.factors ?? {});
    throw thrown;
  } finally {
    logits.dispose();
  }
}

async function openAdapter(
  backend: TensorBackend,
  config: TransformerConfig,
  { folder, adapter }: { readonly folder: string; readonly adapter?: AdapterChoice },
): Promise<{ readonly adapter: Adapter | undefined; readonly version: number }> {
  if (adapter === undefined) return { adapter, version: await storedVersion(join(folder, weightsFile)) };
  const isNew = adapter.kind === 'new';
  const { config: lora, factors } = isNew
    ? { config: adapter.config, factors: initialFactors(config, adapter.config, adapter.rng) }
    : await readAdapter(adapter.folder, config);
  const version = isNew ? 0 : await storedVersion(join(adapter.folder, factorsFile));
  return {
    adapter: {
      config: lora,
      factors: await uploadTensors(backend, factorShapes(config, lora), Object.entries(factors)),
    },
    version,
  };
}

async function digestBase(folder: string, adapter: AdapterChoice): Promise<string> {
  const digest = await digestWeights(folder);
  if (adapter.kind === 'stored') await assertTrainedOn(adapter.folder, { name: folder, digest });
  return digest;
}

/** 0 for models of others, and for shards, which `save` does not write. */
async function storedVersion(file: string): Promise<number> {
  return (await exists(file)) ? ((await findStoredVersion(file)) ?? 0) : 0;
}
