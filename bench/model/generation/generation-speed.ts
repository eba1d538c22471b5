import { execFileSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { memory, profile, scalar } from '@tensorflow/tfjs-core';
import { createContext, forkContext } from '../../../envs/core/context.ts';
import { createRng } from '../../../envs/core/rng.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { SerialQueue } from '../../../models/serial-queue.ts';
import { uploadTensors } from '../../../models/token/checkpoint.ts';
import { slotBytes } from '../../../models/token/generate/generation-settings.ts';
import { TokenGenerator, type LiveTransformer } from '../../../models/token/generate/token-generator.ts';
import { initialTransformerWeights } from '../../../models/token/initial-weights.ts';
import type { TransformerConfig } from '../../../models/token/transformer-config.ts';
import { weightShapes } from '../../../models/token/weight-layout.ts';
import { describeMachine } from '../../report/machine.ts';
import { printReport } from '../../report/print-report.ts';

// How many tokens a small transformer writes a second, by the number of episodes that write at once, and where the time goes.

const config: TransformerConfig = {
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
const contextLength = 256;
const promptTokens = 32;
const writtenTokens = 128;
const rounds = 5;
const machine = describeMachine();

const backend = await openBackend('wasm');
const weights = await uploadTensors(
  backend,
  weightShapes(config),
  Object.entries(initialTransformerWeights(config, createRng(1))),
);
const queue = new SerialQueue();
const model: LiveTransformer = {
  version: 0,
  transformer: { config, weights, adapter: undefined },
  exclusively: (work) => queue.run(work),
};
const root = createContext({ seed: 1, now: () => performance.now() });

/** Replies of one length behind prompts of their own; returns once all are written. */
async function write(generator: TokenGenerator, episodes: number, maxTokens = writtenTokens): Promise<void> {
  await Promise.all(
    Array.from({ length: episodes }, async (_, episode) => {
      using context = forkContext(root, episode);
      const session = generator.begin();
      const prompt = Array.from({ length: promptTokens }, () => context.rng.int(config.vocabulary));
      await session.sample(
        { prompt, maxTokens, stopTokens: [], stopTexts: [], decoding: { temperature: 1 } },
        context,
      );
      session.end();
    }),
  );
}

async function measure(episodes: number) {
  const generator = new TokenGenerator({
    backend,
    model,
    codec: { decode: String },
    settings: { contextLength, slots: episodes },
  });
  await write(generator, episodes);
  const rates: number[] = [];
  const used = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    const from = performance.now();
    await write(generator, episodes);
    rates.push(Math.round((1000 * episodes * writtenTokens) / (performance.now() - from)));
  }
  const { user, system } = process.cpuUsage(used);
  const processor = user + system; // microseconds, which other programs on the machine change less
  const { kernels, peakBytes } = await profile(async () => {
    await write(generator, episodes);
    return scalar(0);
  });
  await generator.dispose();
  const totals = new Map<string, { ms: number; calls: number }>();
  for (const kernel of kernels) {
    const ms = await kernel.kernelTimeMs;
    const sofar = totals.get(kernel.name) ?? { ms: 0, calls: 0 };
    totals.set(kernel.name, {
      ms: sofar.ms + (typeof ms === 'number' ? ms : Number.NaN),
      calls: sofar.calls + 1,
    });
  }
  const passes = writtenTokens + 1;
  const longestFirst = [...totals].toSorted(([, a], [, b]) => b.ms - a.ms);
  const perPass = longestFirst.map(
    ([name, { ms, calls }]) =>
      [name, `${(ms / passes).toFixed(3)} ms, ${Math.round(calls / passes)} calls`] as const,
  );
  const sorted = rates.toSorted((a, b) => b - a);
  return {
    tokensPerSecond: {
      median: sorted[Math.floor(rounds / 2)],
      best: sorted[0],
      worst: sorted.at(-1),
      perProcessorSecond: Math.round((1e6 * rounds * episodes * writtenTokens) / processor),
    },
    peakMiB: Math.round(peakBytes / 2 ** 20),
    perPass: Object.fromEntries(perPass),
  };
}

/** What transformers writes a second on one thread, where `CAIRN_PYTHON` names a Python that has it. */
function pytorch(): unknown {
  const python = process.env['CAIRN_PYTHON'];
  if (python === undefined) return 'CAIRN_PYTHON names no Python with torch and transformers';
  const script = fileURLToPath(
    new URL('../../../../bench/model/generation/pytorch-rate.py', import.meta.url),
  );
  const counts = [promptTokens, writtenTokens, rounds, 1, 8, 32].map(String);
  return JSON.parse(
    execFileSync(python, [script, JSON.stringify(config), ...counts], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
}

const episodes = { 1: await measure(1), 8: await measure(8), 32: await measure(32) };
printReport({
  what: `tokens a second behind prompts of ${promptTokens}, ${writtenTokens} a reply, prompts included in the time, on one wasm core`,
  ...machine,
  config,
  slotBytes: slotBytes(config, contextLength),
  tensorsAtTheEnd: memory().numTensors,
  episodes,
  pytorch: pytorch(),
});
