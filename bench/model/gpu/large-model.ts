import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { backend as backendOf, memory } from '@tensorflow/tfjs-core';
import { z } from 'zod';
import { createContext, forkContext } from '../../../envs/core/context.ts';
import { createRng } from '../../../envs/core/rng.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { uploadTensors } from '../../../models/token/checkpoint.ts';
import { TokenGenerator } from '../../../models/token/generate/token-generator.ts';
import { factorShapes, initialFactors, loraConfigSchema } from '../../../models/token/lora.ts';
import { TokenModel, type TokenModelSettingsInput } from '../../../models/token/token-model.ts';
import type { TransformerConfig } from '../../../models/token/transformer-config.ts';
import { weightShapes } from '../../../models/token/weight-layout.ts';
import { describeMachine } from '../../report/machine.ts';
import { printReport } from '../../report/print-report.ts';
import { median, randomTraining, rounded, update } from '../small-token-model.ts';
import { measureProducts, productCases } from './products.ts';

// Products, training and generation with a model of the shape of Qwen2.5-0.5B and random weights on a GPU, and with PyTorch (eager, float32) in the
// same run where CAIRN_PYTHON names a Python that has it.
// usage: large-model.js [--backend webgpu|tensorflow] [--rounds 5] [--only products,adapter,weights,decode] [--seconds 480] [--check]
//   --seconds  parts that would begin later are left out
//   --check    a small shape on any device, which shows that the measurement works

const isCheck = process.argv.includes('--check');
const whole: TransformerConfig = {
  family: 'qwen2',
  vocabulary: 151_936,
  width: 896,
  layers: 24,
  heads: 14,
  keyValueHeads: 2,
  headSize: 64,
  hiddenWidth: 4_864,
  ropeTheta: 1_000_000,
  ropeScaling: undefined,
  normEpsilon: 1e-6,
  tied: true,
  attentionBias: true,
  outputBias: false,
  feedForwardBias: false,
  queryKeyNorm: false,
  longestContext: 32_768,
};
const config: TransformerConfig = isCheck
  ? { ...whole, vocabulary: 512, width: 64, layers: 2, heads: 4, headSize: 16, hiddenWidth: 128 }
  : whole;
const lora = loraConfigSchema.parse({
  rank: 16,
  alpha: 32,
  targets: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'],
});
const [rows, length] = isCheck ? [2, 64] : [4, 2_048];
const decoding = isCheck
  ? { episodes: 4, promptTokens: 16, writtenTokens: 8 }
  : { episodes: 64, promptTokens: 128, writtenTokens: 128 };
const argument = (name: string): string | undefined =>
  process.argv[process.argv.indexOf(name) + 1 || process.argv.length];
const rounds = Number(argument('--rounds') ?? (isCheck ? 2 : 5));
const seconds = Number(argument('--seconds') ?? Number.POSITIVE_INFINITY);
const named = argument('--backend') ?? 'webgpu';
const only = argument('--only')?.split(',');
const isWanted = (part: string): boolean => only?.includes(part) ?? true;
const machine = describeMachine();

/** A million normal numbers over and over: what they are does not change how long it takes to compute with them. */
function randomBlock(): Float32Array {
  const rng = createRng(1).fork('weights');
  return Float32Array.from(
    { length: 1_000_003 },
    () => 0.02 * Math.sqrt(-2 * Math.log(1 - rng.uniform())) * Math.cos(2 * Math.PI * rng.uniform()),
  );
}

const block = randomBlock();

function* randomWeights(): Generator<readonly [string, Float32Array]> {
  for (const [name, [rowsOf, columns = 1]] of weightShapes(config)) {
    const values = new Float32Array(rowsOf * columns);
    if (columns === 1) values.fill(name.endsWith('.bias') ? 0 : 1);
    else
      for (let at = 0; at < values.length; at += block.length)
        values.set(block.subarray(0, Math.min(block.length, values.length - at)), at);
    yield [name, values];
  }
}

async function openModel(withAdapter: boolean, settings: TokenModelSettingsInput = {}): Promise<TokenModel> {
  const weights = await uploadTensors(backend, weightShapes(config), randomWeights());
  const adapter = withAdapter
    ? {
        config: lora,
        factors: await uploadTensors(
          backend,
          factorShapes(config, lora),
          Object.entries(initialFactors(config, lora, createRng(2))),
        ),
      }
    : undefined;
  return new TokenModel({
    backend,
    transformer: { config, weights, adapter },
    baseModel: { name: 'none' },
    settings,
  });
}

/** Of the GPU, by the driver's own account where there is one: all that is allocated there now, by this process and by others. */
function gpuMemoryMiB(): number | undefined {
  const { status, stdout } = spawnSync(
    'nvidia-smi',
    ['--query-gpu=memory.used', '--format=csv,noheader,nounits'],
    { encoding: 'utf8', timeout: 20_000 },
  );
  return status === 0 ? Number(stdout.trim().split('\n')[0]) : undefined;
}

const backendMemory = (): unknown => backendOf().memory();

/** Of the products together, beside the figure of each. */
async function measureAllProducts() {
  const products = await measureProducts(backend, productCases(config, rows * length), rounds);
  return { products, gflops: Math.max(...products.map(({ gflops }) => gflops)) };
}

async function measureTraining(withAdapter: boolean, settings: TokenModelSettingsInput = {}) {
  const model = await openModel(withAdapter, settings);
  const batch = randomTraining({ rows, length, vocabulary: config.vocabulary });
  const [times, tensors]: [number[], number[]] = [[], []];
  for (let round = -2; round < rounds; round += 1) {
    const from = performance.now();
    await update(model, batch);
    await model.logprobs(
      { tokens: batch.tokens.subarray(0, 2), rowStart: Int32Array.of(0, 2), scored: Int32Array.of(1) },
      1,
    ); // once it is there, the step is over
    if (round >= 0) times.push(performance.now() - from);
    tensors.push(memory().numTensors);
  }
  const held = { driverMiB: gpuMemoryMiB(), backend: backendMemory() };
  await model.dispose();
  return {
    ms: rounded(median(times)),
    best: rounded(Math.min(...times)),
    tokensPerSecond: Math.round((1000 * rows * length) / median(times)),
    tensors: [tensors.at(1), tensors.at(-1)],
    memory: held,
  };
}

async function measureDecoding() {
  const model = await openModel(false);
  const { episodes, promptTokens, writtenTokens } = decoding;
  const generator = new TokenGenerator({
    backend,
    model,
    codec: { decode: String },
    settings: { contextLength: 512, slots: episodes },
  });
  const root = createContext({ seed: 1, now: () => performance.now() });
  const write = async (count: number): Promise<number> => {
    const from = performance.now();
    await Promise.all(
      Array.from({ length: episodes }, async (_, episode) => {
        using context = forkContext(root, episode);
        const session = generator.begin();
        const prompt = Array.from({ length: promptTokens }, () => context.rng.int(config.vocabulary));
        await session.sample(
          { prompt, maxTokens: count, stopTokens: [], stopTexts: [], decoding: { temperature: 1 } },
          context,
        );
        session.end();
      }),
    );
    return performance.now() - from;
  };
  await write(8);
  const [rates, perToken]: [number[], number[]] = [[], []];
  for (let round = 0; round < Math.min(3, rounds); round += 1) {
    const begun = await write(1);
    const whole = await write(writtenTokens);
    rates.push((1000 * episodes * writtenTokens) / whole);
    perToken.push((whole - begun) / (writtenTokens - 1));
  }
  const held = { driverMiB: gpuMemoryMiB(), backend: backendMemory() };
  await generator.dispose();
  await model.dispose();
  return {
    ...decoding,
    tokensPerSecond: Math.round(median(rates)),
    msPerTokenOfAll: rounded(median(perToken)),
    memory: held,
  };
}

const torchSchema = z.looseObject({ tokensPerSecond: z.number().optional(), gflops: z.number().optional() });

/** The same by PyTorch; undefined where no Python is named. */
function measureTorch(part: string) {
  const python = process.env['CAIRN_PYTHON'];
  if (python === undefined) return undefined;
  const script = fileURLToPath(new URL('../../../../bench/model/gpu/pytorch.py', import.meta.url)); // beside the source: dist holds no Python
  const { status, stdout, stderr } = spawnSync(
    python,
    [
      script,
      JSON.stringify({
        part,
        ...config,
        rank: lora.rank,
        alpha: lora.alpha,
        rows,
        length,
        rounds,
        device: isCheck ? 'cpu' : 'cuda',
        products: productCases(config, rows * length),
        ...decoding,
      }),
    ],
    { encoding: 'utf8', timeout: Math.round(Math.min(300_000, Math.max(1_000, 1_000 * secondsLeft()))) },
  );
  if (status !== 0) return { failed: stderr.slice(-2_000) };
  return torchSchema.parse(JSON.parse(stdout));
}

const secondsLeft = (): number => seconds - performance.now() / 1_000;

if (named !== 'webgpu' && named !== 'tensorflow')
  throw new Error(`--backend ${named}: it measures webgpu and tensorflow.`);
const backend = await openBackend(named, { environment: process.env });
if (!isCheck && named === 'tensorflow' && !backend.why.includes('GPU'))
  throw new Error(
    `tensorflow found no GPU (${backend.notes.join('; ')}). With --check it measures anywhere.`,
  );

type Figures = Readonly<Partial<Record<'tokensPerSecond' | 'gflops', number | undefined>>>;
const rateOf = ({ tokensPerSecond, gflops }: Figures): number => tokensPerSecond ?? gflops ?? Number.NaN;
const found: Record<string, unknown> = {};
const measures: Readonly<Record<string, () => Promise<Figures>>> = {
  products: measureAllProducts,
  decode: measureDecoding,
  adapter: () => measureTraining(true),
  adapterRecomputed: () => measureTraining(true, { recompute: true }),
  weights: () => measureTraining(false),
};
for (const [part, measure] of Object.entries(measures).filter(([name]) => isWanted(name))) {
  if (secondsLeft() <= 0) {
    found[part] = { leftOut: `${seconds} s were over` };
    continue;
  }
  const own = await measure();
  process.stderr.write(`${part}: ${JSON.stringify(own)}\n`);
  const torch = measureTorch(part);
  process.stderr.write(`${part}, PyTorch: ${JSON.stringify(torch)}\n`);
  found[part] = {
    own,
    ...(torch === undefined ? {} : { torch }),
    ...(torch !== undefined && !('failed' in torch)
      ? { shareOfTorch: Math.round((100 * rateOf(own)) / rateOf(torch)) / 100 }
      : {}),
  };
}
printReport({
  what: `${isCheck ? 'a check of the measurement with a small shape' : 'the shape of Qwen2.5-0.5B, random weights'}: products, training on ${rows} x ${length} tokens, and writing`,
  ...machine,
  backend: `${backend.name}: ${backend.why}`,
  notes: backend.notes,
  config,
  lora,
  ...found,
});
process.exit(0); // the driver's threads would hold the process
