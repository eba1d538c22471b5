import { performance } from 'node:perf_hooks';
import { env, registerBackend } from '@tensorflow/tfjs-core';
import { WebGPUBackend } from '@tensorflow/tfjs-backend-webgpu';
import * as dawn from 'webgpu';
import { createRng } from '../../../envs/core/rng.ts';
import { backendHandle } from '../../../models/backend/backend.ts';
import { startRegistered } from '../../../models/backend/start.ts';
import { createWebgpuBackend, openDevice, provideConstants } from '../../../models/backend/webgpu-device.ts';
import { registerWebgpuKernels } from '../../../models/kernels/webgpu/webgpu-kernels.ts';
import { uploadTensors } from '../../../models/token/checkpoint.ts';
import { LocalCachedPasses } from '../../../models/token/generate/local-cached-passes.ts';
import { initialTransformerWeights } from '../../../models/token/initial-weights.ts';
import type { PackedTokens } from '../../../models/token/packed-tokens.ts';
import type { TransformerConfig } from '../../../models/token/transformer-config.ts';
import { weightShapes } from '../../../models/token/weight-layout.ts';
import { describeMachine } from '../../report/machine.ts';
import { printReport } from '../../report/print-report.ts';
import { median } from '../small-token-model.ts';

// What a call of a shader costs the processor: passes of generation on a device of Dawn's that computes nothing, with bindings kept and as
// the backend does by itself, in turn.

const nano: TransformerConfig = {
  family: 'qwen3',
  vocabulary: 491,
  width: 128,
  layers: 2,
  heads: 4,
  keyValueHeads: 2,
  headSize: 32,
  hiddenWidth: 384,
  ropeTheta: 10_000,
  ropeScaling: undefined,
  normEpsilon: 1e-6,
  tied: true,
  attentionBias: false,
  outputBias: false,
  feedForwardBias: false,
  queryKeyNorm: true,
  longestContext: 1_024,
};
/** As many layers as Qwen2.5-0.5B has. */
const deep: TransformerConfig = { ...nano, layers: 24 };
const [slots, rowsOfSlot, passesOfRound, rounds] = [128, 96, 100, 14];
const machine = describeMachine();

interface Round {
  readonly calls: number;
  readonly groups: number;
  readonly buffers: number;
  readonly microsecondsOfCall: number;
}

interface Pass {
  readonly packed: PackedTokens;
  readonly places: Int32Array;
}

/**
 * Draws a pass as in play: some episodes write their next token, and a few start a turn with their new
 * message.
 */
function randomPass(rng: ReturnType<typeof createRng>): Pass {
  const writing = 16 + rng.int(slots - 15);
  const counts = Array.from({ length: writing }, () => (rng.uniform() < 0.1 ? 10 + rng.int(20) : 1));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const packed = {
    ids: new Int32Array(total),
    positions: new Int32Array(total),
    from: new Int32Array(total),
    until: new Int32Array(total),
  };
  const places = new Int32Array(writing);
  let at = 0;
  for (const [slot, count] of counts.entries()) {
    const begin = rng.int(rowsOfSlot - count);
    for (let token = 0; token < count; token += 1, at += 1) {
      packed.ids[at] = rng.int(nano.vocabulary);
      packed.positions[at] = begin + token;
      packed.from[at] = slot * rowsOfSlot;
      packed.until[at] = slot * rowsOfSlot + begin + token;
    }
    places[slot] = at - 1;
  }
  return { packed, places };
}

async function openNothing(): Promise<WebGPUBackend> {
  const opened = await openDevice(dawn, ['backend=null']);
  if (opened === undefined) throw new Error('Dawn has no device that computes nothing');
  provideConstants(dawn.globals);
  const made = createWebgpuBackend(WebGPUBackend, opened);
  registerBackend('webgpu', () => made);
  registerWebgpuKernels(WebGPUBackend, { byTiles: true });
  env().set('WEBGPU_CPU_FORWARD', false);
  const failure = await startRegistered('webgpu');
  if (failure !== undefined) throw new Error(failure);
  return made;
}

const device = await openNothing();
const backend = backendHandle({ name: 'webgpu', why: 'it computes nothing', notes: [] });
const keeping: unknown = Reflect.get(device, 'recordAndSubmit');
const made = { calls: 0, groups: 0, buffers: 0 };
const createBindGroup = device.device.createBindGroup.bind(device.device);
const createBuffer = device.device.createBuffer.bind(device.device);
device.device.createBindGroup = (descriptor) => {
  made.groups += 1;
  return createBindGroup(descriptor);
};
device.device.createBuffer = (descriptor) => {
  made.buffers += 1;
  return createBuffer(descriptor);
};

/** @param isKept whether bindings are kept, or the backend's own way is taken */
function takeWay(isKept: boolean): void {
  const way: unknown = isKept ? keeping : Reflect.get(WebGPUBackend.prototype, 'recordAndSubmit');
  if (typeof way !== 'function') throw new TypeError('the backend records its calls otherwise');
  Reflect.set(device, 'recordAndSubmit', (...given: readonly unknown[]) => {
    made.calls += 1;
    Reflect.apply(way, device, given);
  });
}

async function measure(config: TransformerConfig) {
  const weights = await uploadTensors(
    backend,
    weightShapes(config),
    Object.entries(initialTransformerWeights(config, createRng(1))),
  );
  const passes = new LocalCachedPasses(
    backend,
    { transformer: { config, weights, adapter: undefined } },
    { slots, rowsOfSlot },
  );
  const rng = createRng(1).fork('passes');
  const found: Record<'kept' | 'byItself', Round[]> = { kept: [], byItself: [] };
  for (let round = 0; round < rounds; round += 1) {
    const inRound = Array.from({ length: passesOfRound }, () => randomPass(rng));
    for (const way of round % 2 === 0 ? (['kept', 'byItself'] as const) : (['byItself', 'kept'] as const)) {
      takeWay(way === 'kept');
      Object.assign(made, { calls: 0, groups: 0, buffers: 0 });
      const from = performance.now();
      for (const { packed, places } of inRound)
        await passes.draw?.(
          packed,
          places,
          Array.from(places, () => ({ temperature: 1, point: 0.5 })),
        );
      found[way].push({
        ...made,
        microsecondsOfCall: Math.round((10_000 * (performance.now() - from)) / made.calls) / 10,
      });
    }
  }
  await passes.free();
  const late = (of: readonly Round[]): number =>
    median(of.slice(rounds / 2).map(({ microsecondsOfCall }) => microsecondsOfCall)); // once most sizes have been seen
  const [kept, byItself] = [late(found.kept), late(found.byItself)];
  return {
    callsOfPass: made.calls / passesOfRound,
    kept,
    byItself,
    ratio: Math.round((100 * kept) / byItself) / 100,
    everyRound: found,
  };
}

printReport({
  what: 'microseconds of a call of a shader, on a device that computes nothing: medians of the later half of the rounds',
  ...machine,
  passesOfRound,
  rounds,
  nano: await measure(nano),
  deep: await measure(deep),
});
