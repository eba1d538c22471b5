import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { profile, scalar } from '@tensorflow/tfjs-core';
import { z } from 'zod';
import { openBackend } from '../../models/backend/open-backend.ts';
import type { TokenModelSettingsInput } from '../../models/token/token-model.ts';
import { describeMachine, machineLoad } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import {
  config,
  length,
  lora,
  median,
  openSmallModel,
  randomTraining,
  rounded,
  rows,
  update,
} from './small-token-model.ts';

// Tokens a second of a whole training step of a small language model (forward, backward, AdamW) on one core through `wasm`, and of PyTorch
// on one core in the same run where CAIRN_PYTHON names a Python that has it.

const [warmUp, rounds] = [3, 15];
const machine = describeMachine();
const backend = await openBackend('wasm');

/** Milliseconds of a step, by the clock and of the processor, and the tokens a second that the medians make. */
function figuresOf(times: readonly number[], processorTimes: readonly number[]) {
  const perSecond = (ms: number): number => Math.round((rows * length * 1000) / ms);
  const [ms, processorMs] = [median(times), median(processorTimes)];
  return {
    ms: rounded(ms),
    best: rounded(Math.min(...times)),
    processorMs: rounded(processorMs),
    tokensPerSecond: perSecond(ms),
    tokensPerProcessorSecond: perSecond(processorMs),
  };
}

async function measure(withAdapter: boolean, settings: TokenModelSettingsInput = {}) {
  const model = await openSmallModel(backend, withAdapter, settings);
  const batch = randomTraining();
  const [times, processorTimes]: [number[], number[]] = [[], []];
  for (let round = -warmUp; round < rounds; round += 1) {
    globalThis.gc?.();
    const [from, used] = [performance.now(), process.cpuUsage()];
    await update(model, batch);
    const { user, system } = process.cpuUsage(used);
    if (round < 0) continue;
    times.push(performance.now() - from);
    processorTimes.push((user + system) / 1000);
  }
  const { peakBytes, kernels } = await profile(async () => {
    await update(model, batch);
    return scalar(0);
  });
  const totals = new Map<string, number>();
  for (const kernel of kernels) {
    const ms = await kernel.kernelTimeMs;
    totals.set(kernel.name, (totals.get(kernel.name) ?? 0) + (typeof ms === 'number' ? ms : Number.NaN));
  }
  await model.dispose();
  const longestFirst = [...totals]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, ms]) => [name, Math.round(ms * 10) / 10] as const);
  return {
    ...figuresOf(times, processorTimes),
    peakMiB: Math.round(peakBytes / 2 ** 20),
    kernels: Object.fromEntries(longestFirst.filter(([, ms]) => ms >= 1)),
  };
}

const torchSchema = z.object({
  version: z.string(),
  times: z.array(z.number()),
  processorTimes: z.array(z.number()),
});

/** The same step by PyTorch, as transformers builds the model; undefined where no Python is named. */
function measureTorch() {
  const python = process.env['CAIRN_PYTHON'];
  if (python === undefined) return undefined;
  const script = fileURLToPath(new URL('../../../bench/model/token-training.py', import.meta.url)); // beside the source: dist holds no Python
  const { status, stdout, stderr } = spawnSync(
    python,
    [script, JSON.stringify({ ...config, rows, length, warmUp, rounds })],
    { encoding: 'utf8', timeout: 600_000 },
  );
  if (status !== 0) throw new Error(`${python} could not measure PyTorch: ${stderr}`);
  const { version, times, processorTimes } = torchSchema.parse(JSON.parse(stdout));
  return { version, ...figuresOf(times, processorTimes) };
}

const wasm = {
  weights: await measure(false),
  recomputed: await measure(false, { recompute: true }),
  adapter: await measure(true),
};
const torch = measureTorch();

printReport({
  what: `a training step of ${rows} x ${length} tokens: forward, backward, AdamW`,
  ...machine,
  loadAfter: machineLoad(),
  config,
  lora,
  wasm,
  ...(torch === undefined
    ? {}
    : { torch, shareOfTorch: Math.round((100 * torch.processorMs) / wasm.weights.processorMs) / 100 }),
});
