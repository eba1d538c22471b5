import { openEnv } from '../../envs/open.ts';
import { createContext, type Context } from '../../envs/core/context.ts';
import type { Env, EnvHost, Searcher } from '../../envs/core/env.ts';
import type { WebAction } from '../../envs/web/action.ts';
import { webEnv } from '../../envs/web/definition.ts';
import type { WebObservation } from '../../envs/web/observation.ts';
import { BrowserEngine } from '../../envs/engines/browser/browser-engine.ts';
import { idOf, waitingPages } from './waiting-pages.ts';
import { quantiles } from '../report/latencies.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';

// How long a reset and a step of web-v1 take, and how many steps a second one context and eight of one browser make.

type WebHost = EnvHost<WebObservation, WebAction>;

const episodes = 60;
const rateSeconds = 15;
const rounded = (ms: number): number => Math.round(ms * 10) / 10;

/** Plays tasks with the solutions and notes how long each call took. */
async function playSome(host: WebHost, context: Context): Promise<{ readonly resets: readonly number[]; readonly clicks: readonly number[]; readonly others: readonly number[] }> {
  const resets: number[] = [];
  const clicks: number[] = [];
  const others: number[] = [];
  const env = await host.create();
  for (let index = 0; index < episodes; index += 1) {
    const searcher = searcherOf(host, context);
    const begun = performance.now();
    let turn: Parameters<Searcher<WebObservation, WebAction>['act']>[0] = await env.reset({ panel: 'train', index }, context);
    resets.push(performance.now() - begun);
    for (;;) {
      const action = searcher.act(turn);
      const start = performance.now();
      const result = await env.step(action, context);
      (action.kind === 'click' ? clicks : others).push(performance.now() - start);
      if (result.kind !== 'ongoing') break;
      turn = result;
    }
  }
  await env.close();
  return { resets, clicks, others };
}

function searcherOf(host: WebHost, context: Context): Searcher<WebObservation, WebAction> {
  const searcher = host.experts?.searcher?.(context.rng);
  if (searcher === undefined) throw new Error('the pages have no solutions');
  return searcher;
}

/** Steps a second of so many contexts at once, resets left out: clicks that do nothing but count. */
async function clicksASecond(host: WebHost, contexts: number, context: Context): Promise<number> {
  const envs = await Promise.all(Array.from({ length: contexts }, async () => host.create()));
  let steps = 0;
  const end = { at: 0 };
  const click = async (env: Env<WebObservation, WebAction>, index: number): Promise<void> => {
    const { admissible } = await env.reset({ panel: 'train', index }, context);
    const action = admissible?.find(({ kind }) => kind === 'click');
    if (action === undefined) throw new Error('there is nothing to click');
    await ready.arrive(contexts);
    for (end.at ||= performance.now() + rateSeconds * 1000; performance.now() < end.at; steps += 1) if ((await env.step(action, context)).kind !== 'ongoing') throw new Error('it ended');
  };
  const ready = new Barrier();
  await Promise.all(envs.map(click));
  await Promise.all(envs.map((env) => env.close()));
  return steps / rateSeconds;
}

class Barrier {
  #arrived = 0;
  #open: (() => void)[] = [];

  /** Waits until so many have come. */
  async arrive(all: number): Promise<void> {
    this.#arrived += 1;
    if (this.#arrived >= all) for (const open of this.#open) open();
    else await new Promise<void>((resolve) => this.#open.push(resolve));
  }
}

/** The same on pages that take their time to come and need no processor meanwhile. */
async function waitsASecond(contexts: number): Promise<number> {
  const engine = await BrowserEngine.open({ viewport: { width: 800, height: 600 } });
  const { signal } = new AbortController();
  const ready = new Barrier();
  const end = { at: 0 };
  let steps = 0;
  const visit = async (): Promise<void> => {
    const browser = await engine.episode(waitingPages(waitMs), { seed: 1, actionMs: 0, patienceMs: 30_000, screenshots: false });
    let view = await browser.open('/', signal);
    await ready.arrive(contexts);
    for (end.at ||= performance.now() + rateSeconds * 1000; performance.now() < end.at; steps += 1) ({ view } = await browser.act({ kind: 'click', element: idOf(view, 'next') }, signal));
    await browser.close();
  };
  await Promise.all(Array.from({ length: contexts }, visit));
  await engine.close();
  return steps / rateSeconds;
}

const waitMs = 250;
const context = createContext({ seed: 0, now: () => performance.now() });
const machine = describeMachine();
const host = await openEnv(webEnv, { tasks: ['click-button', 'choose-radio', 'tick-boxes', 'enter-text', 'sign-in', 'open-menu'] }, context);
const warm = await host.create();
await warm.reset({ panel: 'dev', index: 0 }, context); // starts the browser
await warm.close();
const { resets, clicks, others } = await playSome(host, context);
await host.close();

const counters = await openEnv(webEnv, { tasks: ['set-quantities'], maxSteps: 10_000 }, context);
const [one, eight] = [await clicksASecond(counters, 1, context), await clicksASecond(counters, 8, context)];
await counters.close();
const [oneWaiting, eightWaiting] = [await waitsASecond(1), await waitsASecond(8)];

printReport({
  what: 'resets and steps of web-v1 in a headless Chromium, one episode at a time, and steps a second of one context and of eight',
  ...machine,
  episodes,
  reset: quantiles(resets, rounded),
  click: quantiles(clicks, rounded),
  otherSteps: quantiles(others, rounded),
  stepsASecond: {
    clicks: { oneContext: rounded(one), eightContexts: rounded(eight), ratio: rounded(eight / one) },
    [`documents that take ${waitMs} ms to come`]: { oneContext: rounded(oneWaiting), eightContexts: rounded(eightWaiting), ratio: rounded(eightWaiting / oneWaiting) },
  },
});
