import type { TokenRequest } from '../../../../agents/core/token-sampler.ts';
import { createRng } from '../../../../envs/core/rng.ts';
import type { BackendName, TensorBackend } from '../../../../models/backend/backend.ts';
import { openBackend } from '../../../../models/backend/open-backend.ts';
import { SerialQueue } from '../../../../models/serial-queue.ts';
import { uploadTensors } from '../../../../models/token/checkpoint.ts';
import type { LiveTransformer } from '../../../../models/token/generate/token-generator.ts';
import { logitsAt } from '../../../../models/token/head.ts';
import { initialTransformerWeights } from '../../../../models/token/initial-weights.ts';
import { forward, type Transformer } from '../../../../models/token/network.ts';
import { packRows } from '../../../../models/token/packed-tokens.ts';
import type { TransformerConfig } from '../../../../models/token/transformer-config.ts';
import { weightShapes } from '../../../../models/token/weight-layout.ts';
import { closeModel } from '../golden-model.ts';

/** A small model that has every part. */
export const liveConfig: TransformerConfig = {
  family: 'qwen3',
  vocabulary: 37,
  width: 16,
  layers: 2,
  heads: 4,
  keyValueHeads: 2,
  headSize: 8,
  hiddenWidth: 20,
  ropeTheta: 100,
  ropeScaling: undefined,
  normEpsilon: 1e-6,
  tied: true,
  attentionBias: true,
  outputBias: true,
  feedForwardBias: false,
  queryKeyNorm: true,
  longestContext: 128,
};

/** A transformer whose weights a test may replace as an update does, and that counts the passes. */
export interface LiveModel extends LiveTransformer {
  version: number;
  transformer: Transformer;
  passes: number;
  /** Called in the middle of each pass: when it was handed to the backend, and its result is awaited. */
  during: () => void;
  /** Instead of a pass. */
  failure: Error | undefined;
  readonly backend: TensorBackend;
  /** Other weights of the same config, as an update makes them: between two passes. */
  update(seed: number, change?: (values: Float32Array) => Float32Array): Promise<void>;
}

export async function openLive(name: BackendName, config = liveConfig): Promise<LiveModel> {
  const backend = await openBackend(name);
  const queue = new SerialQueue();
  const make = async (
    seed: number,
    change = (values: Float32Array): Float32Array => values,
  ): Promise<Transformer> => {
    const values = Object.entries(initialTransformerWeights(config, createRng(seed))).map(
      ([path, numbers]) => [path, change(numbers.map((value) => value * 8 + 0.05))] as const,
    );
    return {
      config,
      weights: await uploadTensors(backend, weightShapes(config), values),
      adapter: undefined,
    };
  };
  const live: LiveModel = {
    version: 1,
    passes: 0,
    failure: undefined,
    during: () => undefined,
    transformer: await make(3),
    backend,
    exclusively: (work) => {
      live.passes += 1;
      if (live.failure !== undefined) return Promise.reject(live.failure);
      return queue.run(() => {
        const result = work();
        live.during();
        return result;
      });
    },
    update: (seed, change) =>
      queue.run(async () => {
        const made = await make(seed, change);
        closeModel(live.transformer);
        live.transformer = made;
        live.version += 1;
      }),
  };
  return live;
}

/** The most likely tokens. Each pass computes the whole prompt and reply again. */
export async function mostLikelyAnew(
  { backend, transformer }: Pick<LiveModel, 'backend' | 'transformer'>,
  { prompt, maxTokens, stopTokens }: TokenRequest,
): Promise<readonly number[]> {
  const written: number[] = [];
  while (written.length < maxTokens && !stopTokens.includes(written.at(-1) ?? -1)) {
    const row = [...prompt, ...written];
    const last = backend.run(() =>
      logitsAt(
        transformer,
        forward(transformer, packRows([row]), { recompute: true }).hidden,
        Int32Array.of(row.length - 1),
      ),
    );
    const logits = await backend.read(last);
    written.push(logits.indexOf(Math.max(...logits)));
    last.dispose();
  }
  return written;
}
