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

/** The gold calls of many tasks, as new objects, so that each is validated. */
function callsOf(host: Host): readonly ToolAction[] {
  return Array.from({ length: 200 }, (_, index) => host.experts?.planner?.({ panel: 'train', index }) ?? [])
    .flat()
    .filter((action) => action.kind === 'calls');
}

/** Seconds that this process has computed: a busy machine makes the clock useless. */
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

interface Rates {
  readonly aCpuSecond: number;
  readonly aSecond: number;
}

/** Calls a second: look-ups and changes of all tasks, in episodes of 8 steps. */
async function measureSteps(host: Host): Promise<Rates> {
  const calls = callsOf(host);
  const [byCpu, byClock]: [number[], number[]] = [[], []];
  const env = await host.create();
  let at = 0;
  for (let round = 0; round < rounds; round += 1) {
    const [began, beganCpu] = [performance.now(), cpuSeconds()];
    let steps = 0;
    while (cpuSeconds() - beganCpu < 0.3) {
      await env.reset(task, context);
      for (let step = 0; step < 8; step += 1) {
        await env.step(structuredClone(calls[at % calls.length] as ToolAction), context);
        at += 1;
        steps += 1;
      }
    }
    byCpu.push(steps / (cpuSeconds() - beganCpu));
    byClock.push((steps / (performance.now() - began)) * 1_000);
  }
  await env.close();
  return { aCpuSecond: Math.round(median(byCpu)), aSecond: Math.round(median(byClock)) };
}

/** An episode after some look-ups and changes. */
async function midEpisode(host: Host): Promise<Playing> {
  const env = await host.create();
  await env.reset(task, context);
  for (const action of callsOf(host).slice(0, 8)) await env.step(action, context);
  return env;
}

/** Microseconds of computing that taking a snapshot costs, and restoring it. */
async function measureSnapshots(host: Host): Promise<Readonly<Record<string, number>>> {
  const env = await midEpisode(host);
  const { snapshots } = env;
  if (snapshots === undefined) throw new Error('tools-v1 has snapshots');
  const snapshot = snapshots.take();
  const costOf = (run: () => unknown): number => {
    const repeats = 2_000;
    const costs = Array.from({ length: rounds }, () => {
      const began = cpuSeconds();
      for (let repeat = 0; repeat < repeats; repeat += 1) run();
      return ((cpuSeconds() - began) * 1e6) / repeats;
    });
    return Math.round(median(costs) * 10) / 10;
  };
  const costs = { take: costOf(() => snapshots.take()), restore: costOf(() => snapshots.restore(snapshot)) };
  await env.close();
  return costs;
}

const machine = describeMachine();
const opening = performance.now();
const free = await openEnv(toolsEnv, { listed: false, manual: false }, context);
const openingMs = Math.round(performance.now() - opening);
const listed = await openEnv(toolsEnv, { manual: false }, context);
printReport({
  ...machine,
  openingMs,
  calls: { withoutList: await measureSteps(free), withList: await measureSteps(listed) },
  snapshotMicroseconds: {
    withoutList: await measureSnapshots(free),
    withList: await measureSnapshots(listed),
  },
  peakMiB: peakMemoryMiB(),
  loadAfter: machineLoad(),
});
await free.close();
await listed.close();
