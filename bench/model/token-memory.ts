import { memory } from '@tensorflow/tfjs-core';
import { openBackend } from '../../models/backend/open-backend.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { openSmallModel, randomTraining, update } from './small-token-model.ts';

// Whether memory grows over 200 training steps of a small language model: tensors and their bytes between steps, and what the process holds.

const steps = 200;
const every = 40;
const mebibytes = (bytes: number): number => Math.round((bytes / 2 ** 20) * 10) / 10;
const machine = describeMachine();
const backend = await openBackend('wasm');

async function measure(withAdapter: boolean) {
  const model = await openSmallModel(backend, withAdapter, {});
  const batch = randomTraining();
  const rows: (readonly number[])[] = [];
  for (let step = 1; step <= steps; step += 1) {
    await update(model, batch);
    if (step !== 1 && step % every !== 0) continue;
    globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    const { numTensors, numBytes } = memory();
    rows.push([step, numTensors, numBytes, mebibytes(heapUsed), mebibytes(rss)]);
  }
  await model.dispose();
  return rows;
}

printReport({
  what: `memory over ${steps} training steps of 16 x 128 tokens: forward, backward, AdamW`,
  ...machine,
  columns: ['step', 'tensors', 'their bytes', 'MiB of JavaScript heap', 'MiB of the process'],
  weights: await measure(false),
  adapter: await measure(true),
});
