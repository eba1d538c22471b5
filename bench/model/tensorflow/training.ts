import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { profile, scalar } from '@tensorflow/tfjs-core';
import { z } from 'zod';
import { createRng } from '../../../envs/core/rng.ts';
import type { TensorBackend } from '../../../models/backend/backend.ts';
import { openBackend } from '../../../models/backend/open-backend.ts';
import { uploadTensors } from '../../../models/token/checkpoint.ts';
import { TokenModel } from '../../../models/token/token-model.ts';
import type { TransformerConfig } from '../../../models/token/transformer-config.ts';
import { weightShapes } from '../../../models/token/weight-layout.ts';
import { describeMachine, machineLoad } from '../../report/machine.ts';
import { printReport } from '../../report/print-report.ts';
import { config as small, median, randomTraining, rounded, update } from '../small-token-model.ts';

// A training step (forward, backward, AdamW) on `wasm` and on `tensorflow`, in turn, and of PyTorch on one thread where CAIRN_PYTHON names a Python
// that has it. TF_NUM_INTRAOP_THREADS says how many threads `tensorflow` has.
// usage: training.js [--rounds 3] [--only small,smollm] [--layers 6]

const argument = (name: string): string | undefined =>
  process.argv[process.argv.indexOf(name) + 1 || process.argv.length];
const rounds = Number(argument('--rounds') ?? 3);
const only = argument('--only')?.split(',');
/** Of SmolLM2-135M, but for its 30 layers: with fewer the head has a larger share. */
const smollm: TransformerConfig = {
  ...small,
  vocabulary: 49_152,
  width: 576,
  layers: Number(argument('--layers') ?? 6),
  heads: 9,
  keyValueHeads: 3,
  headSize: 64,
  hiddenWidth: 1_536,
  ropeTheta: 100_000,
  normEpsilon: 1e-5,
  longestContext: 8_192,
};

interface Shape {
  readonly config: TransformerConfig;
  readonly rows: number;
  readonly length: number;
  readonly rounds: number;
}

const shapes: Readonly<Record<string, Shape>> = {
  small: { config: small, rows: 16, length: 128, rounds: 5 * rounds },
  smollm: { config: smollm, rows: 2, length: 256, rounds },
};
const backends = ['wasm', 'tensorflow'] as const;
const machine = describeMachine();

/** Numbers over and over: what they are does not change how long it takes to compute with them. */
async function openModel(backend: TensorBackend, config: TransformerConfig): Promise<TokenModel> {
  const rng = createRng(1).fork('weights');
  const block = Float32Array.from({ length: 1_000_003 }, () => 0.04 * (rng.uniform() - 0.5));
  function* values(): Generator<readonly [string, Float32Array]> {
    for (const [name, [rows, columns]] of weightShapes(config)) {
      const size = rows * (columns ?? 1);
      yield [
        name,
        columns === undefined
          ? new Float32Array(size).fill(1)
          : Float32Array.from({ length: size }, (_, at) => block[at % block.length] as number),
      ];
    }
  }
  const weights = await uploadTensors(backend, weightShapes(config), values());
  return new TokenModel({
    backend,
    transformer: { config, weights, adapter: undefined },
    baseModel: { name: 'none' },
  });
}

/** Milliseconds of one step by kernel, by the clock, those of a hundredth of it or more. */
async function kernelTimes(step: () => Promise<void>): Promise<Readonly<Record<string, number>>> {
  const { kernels } = await profile(async () => {
    await step();
    return scalar(0);
  });
  const totals = new Map<string, number>();
  for (const kernel of kernels)
    totals.set(kernel.name, (totals.get(kernel.name) ?? 0) + Number(await kernel.kernelTimeMs));
  const all = [...totals.values()].reduce((sum, ms) => sum + ms, 0);
  const largest = [...totals].filter(([, ms]) => ms >= all / 100).toSorted(([, a], [, b]) => b - a);
  return Object.fromEntries(largest.map(([name, ms]) => [name, rounded(ms)]));
}

async function measure({ config, rows, length, rounds: turns }: Shape) {
  const batch = randomTraining({ rows, length, vocabulary: config.vocabulary });
  const runs = [];
  for (const name of backends) {
    const backend = await openBackend(name);
    const [processor, clock]: [number[], number[]] = [[], []];
    runs.push({ name, backend, model: await openModel(backend, config), processor, clock });
  }
  for (let turn = -1; turn < turns; turn += 1) {
    for (const { model, processor, clock } of runs) {
      globalThis.gc?.();
      const [from, used] = [performance.now(), process.cpuUsage()];
      await update(model, batch);
      const { user, system } = process.cpuUsage(used);
      if (turn < 0) continue;
      processor.push((user + system) / 1000);
      clock.push(performance.now() - from);
    }
  }
  const found: Record<string, unknown> = {};
  for (const { name, backend, model, processor, clock } of runs) {
    found[name] = {
      backend: backend.why,
      processorMs: rounded(median(processor)),
      ms: rounded(median(clock)),
      tokensPerProcessorSecond: Math.round((1000 * rows * length) / median(processor)),
      kernels: await kernelTimes(() => update(model, batch)),
    };
    await model.dispose();
  }
  const [wasm, tensorflow] = runs.map(({ processor }) => median(processor)) as [number, number];
  const torch = measureTorch({ ...config, rows, length, warmUp: 1, rounds: turns });
  return {
    config,
    rows,
    length,
    rounds: turns,
    ...found,
    timesWasm: Math.round((100 * wasm) / tensorflow) / 100,
    ...(torch === undefined
      ? {}
      : { torch, shareOfTorch: Math.round((100 * torch.processorMs) / tensorflow) / 100 }),
  };
}

const torchSchema = z.object({ version: z.string(), processorTimes: z.array(z.number()) });

/** The same step by PyTorch on one thread, as transformers builds the model; undefined where no Python is named. */
function measureTorch(of: object) {
  const python = process.env['CAIRN_PYTHON'];
  if (python === undefined) return undefined;
  const script = fileURLToPath(new URL('../../../../bench/model/token-training.py', import.meta.url)); // beside the source: dist holds no Python
  const { status, stdout, stderr } = spawnSync(python, [script, JSON.stringify(of)], {
    encoding: 'utf8',
    timeout: 900_000,
  });
  if (status !== 0) throw new Error(`${python} could not measure PyTorch: ${stderr}`);
  const { version, processorTimes } = torchSchema.parse(JSON.parse(stdout));
  return { version, processorMs: rounded(median(processorTimes)) };
}

const results: Record<string, unknown> = {};
for (const [name, shape] of Object.entries(shapes))
  if (only?.includes(name) ?? true) results[name] = await measure(shape);

printReport({
  what: 'a training step: forward, backward, AdamW; milliseconds of all threads (processorMs) and by the clock (ms)',
  ...machine,
  loadAfter: machineLoad(),
  threads: process.env['TF_NUM_INTRAOP_THREADS'] ?? 'one for each core',
  ...results,
});
