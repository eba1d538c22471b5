import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { createContext, forkContext } from '../../../envs/core/context.ts';
import { createRng } from '../../../envs/core/rng.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { uploadTensors } from '../../../models/token/checkpoint.ts';
import { TokenGenerator } from '../../../models/token/generate/token-generator.ts';
import { initialTransformerWeights } from '../../../models/token/initial-weights.ts';
import { TokenModel } from '../../../models/token/token-model.ts';
import type { TransformerConfig } from '../../../models/token/transformer-config.ts';
import { weightShapes } from '../../../models/token/weight-layout.ts';
import { describeMachine, machineLoad } from '../../report/machine.ts';
import { printReport } from '../../report/print-report.ts';
import { median } from '../small-token-model.ts';

// How many tokens a second several workers write together, of a small and of a larger model, beside one thread. All take turns in one run, so
// that what else goes on in the machine slows all of them.

const small: TransformerConfig = {
  family: 'llama',
  vocabulary: 512,
  width: 128,
  layers: 2,
  heads: 4,
  keyValueHeads: 4,
  headSize: 32,
  hiddenWidth: 512,
  ropeTheta: 10_000,
  ropeScaling: undefined,
  normEpsilon: 1e-5,
  tied: true,
  attentionBias: false,
  outputBias: false,
  feedForwardBias: false,
  queryKeyNorm: false,
  longestContext: 256,
};
const larger: TransformerConfig = {
  ...small,
  vocabulary: 2048,
  width: 256,
  layers: 4,
  keyValueHeads: 2,
  headSize: 64,
  hiddenWidth: 704,
};
const [episodes, promptTokens, writtenTokens] = [32, 32, 64];
const [warmUp, rounds] = [1, 9];
const counts = [0, 1, 2, 4].filter((workers) => workers <= Math.max(2, availableParallelism()));
const machine = describeMachine();
const backend = await openBackend('wasm');
const root = createContext({ seed: 1, now: () => performance.now() });

/** Replies of one length behind prompts of their own; returns once all are written. */
async function write(generator: TokenGenerator, vocabulary: number): Promise<void> {
  await Promise.all(
    Array.from({ length: episodes }, async (_, episode) => {
      using context = forkContext(root, episode);
      const session = generator.begin();
      const prompt = Array.from({ length: promptTokens }, () => context.rng.int(vocabulary));
      await session.sample(
        { prompt, maxTokens: writtenTokens, stopTokens: [], stopTexts: [], decoding: { temperature: 1 } },
        context,
      );
      session.end();
    }),
  );
}

async function open(config: TransformerConfig, workers: number) {
  const weights = await uploadTensors(
    backend,
    weightShapes(config),
    Object.entries(initialTransformerWeights(config, createRng(1))),
  );
  const model = new TokenModel({
    backend,
    transformer: { config, weights, adapter: undefined },
    baseModel: { name: 'none' },
    settings: { workers },
  });
  const generator = new TokenGenerator({
    backend,
    model,
    codec: { decode: String },
    settings: { contextLength: promptTokens + writtenTokens, slots: episodes },
  });
  return { workers, model, generator, times: [] as number[] };
}

async function measure(config: TransformerConfig) {
  const runs = await Promise.all(counts.map((workers) => open(config, workers)));
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const { generator, times } of runs) {
      const from = performance.now();
      await write(generator, config.vocabulary);
      if (round >= 0) times.push(performance.now() - from);
    }
  }
  for (const { generator, model } of runs) {
    await generator.dispose();
    await model.dispose();
  }
  const perSecond = (ms: number): number => Math.round((1000 * episodes * writtenTokens) / ms);
  return Object.fromEntries(
    runs.map(({ workers, times }) => [
      workers,
      { tokensPerSecond: perSecond(median(times)), best: perSecond(Math.min(...times)) },
    ]),
  );
}

const byWorkers = { small: await measure(small), larger: await measure(larger) };
printReport({
  what: `tokens a second that ${episodes} episodes write behind prompts of ${promptTokens}, ${writtenTokens} a reply, prompts included, by so many workers; 0: in the thread of the model`,
  ...machine,
  loadAfter: machineLoad(),
  small,
  larger,
  byWorkers,
});
