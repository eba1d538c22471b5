import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { openBackend } from '../../models/backend/open-backend.ts';
import { describeMachine, machineLoad } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import {
  config,
  length,
  median,
  openSmallModel,
  randomTraining,
  rounded,
  rows,
  update,
} from './small-token-model.ts';

// How much sooner a whole training step of a small language model is done by several workers than by one. All take turns in one run, so that
// what else goes on in the machine slows all of them, and the ratios are those of neighbours.

const [warmUp, rounds] = [3, 25];
const counts = [0, 1, 2, 3, 4].filter((workers) => workers <= Math.max(2, availableParallelism()));
const machine = describeMachine();
const backend = await openBackend('wasm');
const batch = randomTraining();
const runs = await Promise.all(
  counts.map(async (workers) => ({
    workers,
    model: await openSmallModel(backend, false, { workers }),
    times: [] as number[],
    processorTimes: [] as number[],
  })),
);

for (let round = -warmUp; round < rounds; round += 1) {
  for (const { model, times, processorTimes } of runs) {
    globalThis.gc?.();
    const [from, used] = [performance.now(), process.cpuUsage()];
    await update(model, batch);
    const { user, system } = process.cpuUsage(used);
    if (round < 0) continue;
    times.push(performance.now() - from);
    processorTimes.push((user + system) / 1000);
  }
}
await Promise.all(runs.map(async ({ model }) => model.dispose()));

/** How many times as long one took as the other: the median over rounds, and between the shortest times. */
function ratio(
  longer: readonly number[],
  shorter: readonly number[],
): { readonly median: number; readonly best: number } {
  const twoPlaces = (value: number): number => Math.round(100 * value) / 100;
  return {
    median: twoPlaces(median(longer.map((ms, round) => ms / (shorter[round] as number)))),
    best: twoPlaces(Math.min(...longer) / Math.min(...shorter)),
  };
}

const [alone, one] = runs;
printReport({
  what: `a training step of ${rows} x ${length} tokens by so many workers; 0: in the thread of the model`,
  ...machine,
  loadAfter: machineLoad(),
  config,
  workers: Object.fromEntries(
    runs.map(({ workers, times, processorTimes }) => [
      workers,
      {
        ms: rounded(median(times)),
        best: rounded(Math.min(...times)),
        processorMs: rounded(median(processorTimes)),
        tokensPerSecond: Math.round((rows * length * 1000) / median(times)),
        timesOfOne: ratio(one?.times ?? [], times),
        timesOfNone: ratio(alone?.times ?? [], times),
      },
    ]),
  ),
});
