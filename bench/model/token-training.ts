import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { profile, scalar } from '@tensorflow/tfjs-core';
import { z } from 'zod';
import { createRng } from '../../envs/core/rng.ts';
import { openBackend } from '../../trainers/model/backend/open-backend.ts';
import { uploadTensors } from '../../trainers/model/token/checkpoint.ts';
import { initialTransformerWeights } from '../../trainers/model/token/initial-weights.ts';
import { factorShapes, initialFactors, loraConfigSchema, type Adapter } from '../../trainers/model/token/lora.ts';
import type { TokenTraining } from '../../trainers/model/token/token-batch.ts';
import { TokenModel, type TokenModelSettingsInput } from '../../trainers/model/token/token-model.ts';
import type { TokenObjectiveInput } from '../../trainers/model/token/token-objective.ts';
import type { TransformerConfig } from '../../trainers/model/token/transformer-config.ts';
import { weightShapes } from '../../trainers/model/token/weight-layout.ts';
import { describeMachine, machineLoad } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';

// Tokens a second of a whole training step of a small language model (forward, backward, AdamW) on one core through `wasm`, and of PyTorch
// on one core in the same run where CAIRN_PYTHON names a Python that has it.

const config: TransformerConfig = {
  family: 'llama', vocabulary: 512, width: 128, layers: 2, heads: 4, keyValueHeads: 4, headSize: 32, hiddenWidth: 344,
  ropeTheta: 10_000, ropeScaling: undefined, normEpsilon: 1e-6, tied: true, attentionBias: false, outputBias: false, feedForwardBias: false, queryKeyNorm: false, longestContext: 256,
};
const [rows, length] = [16, 128];
const lora = loraConfigSchema.parse({ rank: 8, alpha: 16, targets: ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'] });
const objective: TokenObjectiveInput = { kind: 'clipped', low: 0.2, high: 0.28 };
const step = { learningRate: 1e-4, maxGradNorm: 1, weightDecay: 0.01 };
const [warmUp, rounds] = [3, 15];
const { signal } = new AbortController();
const machine = describeMachine();
const backend = await openBackend('wasm');

/** Whole rows of random tokens, all but the first of each written by the policy. */
function training(): TokenTraining {
  const rng = createRng(1).fork('tokens');
  const tokens = Int32Array.from({ length: rows * length }, () => Math.floor(config.vocabulary * rng.uniform()));
  const scored = Int32Array.from(tokens.keys()).filter((place) => place % length > 0);
  const values = (make: () => number): Float32Array => Float32Array.from(scored, make);
  const logprob = values(() => -Math.log(config.vocabulary));
  return {
    tokens,
    rowStart: Int32Array.from({ length: rows + 1 }, (_, row) => row * length),
    scored,
    advantage: values(() => 2 * rng.uniform() - 1),
    weight: values(() => 1),
    behaviourLogprob: logprob,
    proximalLogprob: logprob,
  };
}

async function open(withAdapter: boolean, settings: TokenModelSettingsInput): Promise<TokenModel> {
  const weights = await uploadTensors(backend, weightShapes(config), Object.entries(initialTransformerWeights(config, createRng(1))));
  const factors = withAdapter ? await uploadTensors(backend, factorShapes(config, lora), Object.entries(initialFactors(config, lora, createRng(2)))) : {};
  const adapter: Adapter | undefined = withAdapter ? { config: lora, factors } : undefined;
  return new TokenModel({ backend, transformer: { config, weights, adapter }, baseModel: 'none', settings });
}

/** Milliseconds of a step, by the clock and of the processor, and the tokens a second that the medians make. */
function figuresOf(times: readonly number[], processorTimes: readonly number[]) {
  const median = (of: readonly number[]): number => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? Number.NaN;
  const rounded = (ms: number): number => Math.round(ms * 10) / 10;
  const perSecond = (ms: number): number => Math.round((rows * length * 1000) / ms);
  const [ms, processorMs] = [median(times), median(processorTimes)];
  return { ms: rounded(ms), best: rounded(Math.min(...times)), processorMs: rounded(processorMs), tokensPerSecond: perSecond(ms), tokensPerProcessorSecond: perSecond(processorMs) };
}

async function measure(withAdapter: boolean, settings: TokenModelSettingsInput = {}) {
  const model = await open(withAdapter, settings);
  const batch = training();
  const update = async (): Promise<void> => {
    await model.accumulate(batch, objective, signal);
    await model.apply(step);
  };
  const [times, processorTimes]: [number[], number[]] = [[], []];
  for (let round = -warmUp; round < rounds; round += 1) {
    globalThis.gc?.();
    const [from, used] = [performance.now(), process.cpuUsage()];
    await update();
    const { user, system } = process.cpuUsage(used);
    if (round < 0) continue;
    times.push(performance.now() - from);
    processorTimes.push((user + system) / 1000);
  }
  const { peakBytes, kernels } = await profile(async () => {
    await update();
    return scalar(0);
  });
  const totals = new Map<string, number>();
  for (const kernel of kernels) {
    const ms = await kernel.kernelTimeMs;
    totals.set(kernel.name, (totals.get(kernel.name) ?? 0) + (typeof ms === 'number' ? ms : Number.NaN));
  }
  await model.dispose();
  const longestFirst = [...totals].toSorted(([, a], [, b]) => b - a).map(([name, ms]) => [name, Math.round(ms * 10) / 10] as const);
  return { ...figuresOf(times, processorTimes), peakMiB: Math.round(peakBytes / 2 ** 20), kernels: Object.fromEntries(longestFirst.filter(([, ms]) => ms >= 1)) };
}

const torchSchema = z.object({ version: z.string(), times: z.array(z.number()), processorTimes: z.array(z.number()) });

/** The same step by PyTorch, as transformers builds the model; undefined where no Python is named. */
function measureTorch() {
  const python = process.env['CAIRN_PYTHON'];
  if (python === undefined) return undefined;
  const script = fileURLToPath(new URL('../../../bench/model/token-training.py', import.meta.url)); // beside the source: dist holds no Python
  const { status, stdout, stderr } = spawnSync(python, [script, JSON.stringify({ ...config, rows, length, warmUp, rounds })], { encoding: 'utf8', timeout: 600_000 });
  if (status !== 0) throw new Error(`${python} could not measure PyTorch: ${stderr}`);
  const { version, times, processorTimes } = torchSchema.parse(JSON.parse(stdout));
  return { version, ...figuresOf(times, processorTimes) };
}

const wasm = { weights: await measure(false), recomputed: await measure(false, { recompute: true }), adapter: await measure(true) };
const torch = measureTorch();

printReport({
  what: `a training step of ${rows} x ${length} tokens: forward, backward, AdamW`,
  ...machine,
  loadAfter: machineLoad(),
  config,
  lora,
  wasm,
  ...(torch === undefined ? {} : { torch, shareOfTorch: Math.round((100 * torch.processorMs) / wasm.weights.processorMs) / 100 }),
});
