import { performance } from 'node:perf_hooks';
import type { EnvHost } from '../../envs/core/env.ts';
import { createRng } from '../../envs/core/rng.ts';
import type { Ongoing, Opening } from '../../envs/core/step.ts';
import { openEnv } from '../../envs/open.ts';
import { shopBrowserEnv } from '../../envs/shop-browser/definition.ts';
import { browsedModes } from '../../envs/shop-browser/config.ts';
import { quantiles } from '../report/latencies.ts';
import { describeMachine, machineLoad, peakMemoryMiB } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { benchContext } from '../stepping/step-speed.ts';

// What a reset and a step of shop-browser-v1 take by the clock, one episode at a time and several at once, through `openEnv`. Of a step the page's own work, that is
// sending the form, loading and laying out the next page, is part.

interface Times {
  readonly resets: number[];
  readonly searches: number[];
  readonly clicks: number[];
}

const longest = 12;

/** Plays by chance, buying seldom; takes the next task as long as there is one. */
async function play(
  host: EnvHost<string, string>,
  tasks: IterableIterator<number>,
  times: Times,
): Promise<void> {
  const env = await host.create();
  for (const index of tasks) {
    const rng = createRng(5).fork(index);
    let start = performance.now();
    let turn: Opening<string, string> | Ongoing<string, string> = await env.reset(
      { panel: 'dev', index },
      benchContext,
    );
    times.resets.push(performance.now() - start);
    for (let step = 0; step < longest; step += 1) {
      const listed = (turn.admissible ?? []).filter(
        (action) => action !== 'click[buy now]' || rng.int(8) === 0,
      );
      const action = rng.pick(listed);
      start = performance.now();
      const result = await env.step(action, benchContext);
      (action.startsWith('search[') ? times.searches : times.clicks).push(performance.now() - start);
      if (result.kind !== 'ongoing') break;
      turn = result;
    }
  }
  await env.close();
}

const tenths = (ms: number): number => Math.round(ms * 10) / 10;

async function measure(
  host: EnvHost<string, string>,
  { episodes, atOnce }: { readonly episodes: number; readonly atOnce: number },
): Promise<Readonly<Record<string, unknown>>> {
  const times: Times = { resets: [], searches: [], clicks: [] };
  const tasks = Array.from({ length: episodes }, (_, index) => index).values();
  const load = machineLoad();
  const start = performance.now();
  await Promise.all(Array.from({ length: atOnce }, () => play(host, tasks, times)));
  const seconds = (performance.now() - start) / 1_000;
  const steps = times.searches.length + times.clicks.length;
  return {
    atOnce,
    episodes,
    steps,
    load,
    stepsASecond: tenths(steps / seconds),
    reset: quantiles(times.resets, tenths),
    search: quantiles(times.searches, tenths),
    click: quantiles(times.clicks, tenths),
  };
}

const machine = describeMachine();
const modes: Record<string, unknown> = {};
for (const observationMode of browsedModes) {
  const host = await openEnv(shopBrowserEnv, { observationMode, patienceMs: 120_000 }, benchContext);
  await measure(host, { episodes: 2, atOnce: 1 }); // the browser starts, and all that is loaded once
  modes[observationMode] = [
    await measure(host, { episodes: 12, atOnce: 1 }),
    await measure(host, { episodes: 32, atOnce: 8 }),
  ];
  await host.close();
}

printReport({
  what: 'resets and steps of shop-browser-v1 in headless Chromium on 1,000 generated products',
  ...machine,
  peakMemoryMiB: peakMemoryMiB(),
  modes,
});
