import { createContext } from '../../envs/core/context.ts';
import type { Env, EnvHost } from '../../envs/core/env.ts';
import type { ToolAction } from '../../envs/engines/tools/action.ts';
import type { ToolObservation } from '../../envs/engines/tools/observation.ts';
import { openEnv } from '../../envs/open.ts';
import { toolsEnv } from '../../envs/tools/definition.ts';
import { describeMachine, machineLoad, peakMemoryMiB } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';

// Steps of the back office of `tools-v1`, and snapshots of its 10,000 rows, through `openEnv` with all its guards on one core.

type Host = EnvHost<ToolObservation, ToolAction>;
type Playing = Env<ToolObservation, ToolAction>;

const rounds = 9;
const context = createContext({ seed: 1, now: () => performance.now() });
const task = { panel: 'train', index: 1 };

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const best = (values: readonly number[]): number => Math.max(...values);

/** The gold calls of many tasks, as new objects, so that each is validated. */
function callsOf(host: Host): readonly ToolAction[] {
  return Array.from({ length: 200 }, (_, index) => host.experts?.planner?.({ panel: 'train', index }) ?? [])
    .flat()
    .filter((action) => action.kind === 'calls');
}

/** Calls a second: look-ups and changes of all tasks, in episodes of 24 steps. */
async function measureSteps(host: Host): Promise<{ readonly median: number; readonly best: number }> {
  const calls = callsOf(host);
  const rates: number[] = [];
  const env = await host.create();
  let at = 0;
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    let steps = 0;
    while (performance.now() - began < 400) {
      await env.reset(task, context);
      for (let step = 0; step < 24; step += 1) {
        const action = calls[at % calls.length] as ToolAction;
        at += 1;
        await env.step(structuredClone(action), context);
        steps += 1;
      }
    }
    rates.push((steps / (performance.now() - began)) * 1_000);
  }
  await env.close();
  return { median: Math.round(median(rates)), best: Math.round(best(rates)) };
}

/** An episode after some look-ups and changes. */
async function midEpisode(host: Host): Promise<Playing> {
  const env = await host.create();
  await env.reset(task, context);
  for (const action of callsOf(host).slice(0, 8)) await env.step(action, context);
  return env;
}

/** Microseconds of taking a snapshot, and of restoring it. */
async function measureSnapshots(host: Host): Promise<Readonly<Record<string, number>>> {
  const env = await midEpisode(host);
  const { snapshots } = env;
  if (snapshots === undefined) throw new Error('tools-v1 has snapshots');
  const repeats = 2_000;
  const [taking, restoring]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    let began = performance.now();
    for (let repeat = 0; repeat < repeats; repeat += 1) snapshots.take();
    taking.push(((performance.now() - began) * 1_000) / repeats);
    const snapshot = snapshots.take();
    began = performance.now();
    for (let repeat = 0; repeat < repeats; repeat += 1) snapshots.restore(snapshot);
    restoring.push(((performance.now() - began) * 1_000) / repeats);
  }
  await env.close();
  const tenths = (value: number): number => Math.round(value * 10) / 10;
  return {
    take: tenths(median(taking)),
    takeBest: tenths(Math.min(...taking)),
    restore: tenths(median(restoring)),
    restoreBest: tenths(Math.min(...restoring)),
  };
}

const machine = describeMachine();
const opening = performance.now();
const free = await openEnv(toolsEnv, { listed: false, manual: false }, context);
const openingMs = Math.round(performance.now() - opening);
const listed = await openEnv(toolsEnv, { manual: false }, context);
printReport({
  ...machine,
  openingMs,
  callsASecond: { withoutList: await measureSteps(free), withList: await measureSteps(listed) },
  snapshotMicroseconds: {
    withoutList: await measureSnapshots(free),
    withList: await measureSnapshots(listed),
  },
  peakMiB: peakMemoryMiB(),
  loadAfter: machineLoad(),
});
await free.close();
await listed.close();
