import { openEnv } from '../../envs/open.ts';
import { createContext, type Context } from '../../envs/core/context.ts';
import type { EnvHost, Searcher } from '../../envs/core/env.ts';
import type { WebAction } from '../../envs/web/action.ts';
import { webEnv } from '../../envs/web/definition.ts';
import type { WebObservation } from '../../envs/web/observation.ts';
import { BrowserEngine } from '../../envs/engines/browser/session/browser-engine.ts';
import type { PageHandler } from '../../envs/engines/browser/page/page-handler.ts';
import { countingPage, idOf, waitingPages } from './simple-pages.ts';
import { quantiles } from '../report/latencies.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';

// How long a reset and a step of web-v1 take, and how many steps a second one context and eight of one browser make.

type WebHost = EnvHost<WebObservation, WebAction>;

const episodes = 60;
const rateSeconds = 15;
const rounded = (ms: number): number => Math.round(ms * 10) / 10;

/** Plays tasks with the solutions and notes how long each call took. */
async function playSome(
  host: WebHost,
  context: Context,
): Promise<{
  readonly resets: readonly number[];
  readonly clicks: readonly number[];
  readonly others: readonly number[];
}> {
  const resets: number[] = [];
  const clicks: number[] = [];
  const others: number[] = [];
  const env = await host.create();
  for (let index = 0; index < episodes; index += 1) {
    const searcher = searcherOf(host, context);
    const begun = performance.now();
    let turn: Parameters<Searcher<WebObservation, WebAction>['act']>[0] = await env.reset(
      { panel: 'train', index },
      context,
    );
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

/** Steps a second of so many contexts of one browser at once, which click one element again and again. */
async function stepsASecond(contexts: number, handler: PageHandler, name: string): Promise<number> {
  const engine = await BrowserEngine.open({ viewport: { width: 800, height: 600 } });
  const { signal } = new AbortController();
  const ready = new Barrier();
  const end = { at: 0 };
  let steps = 0;
  const visit = async (): Promise<void> => {
    const browser = await engine.episode(
      handler,
      { seed: 1, actionMs: 500, patienceMs: 30_000, screenshots: false },
      signal,
    );
    let view = await browser.open('/', signal);
    await ready.arrive(contexts);
    for (end.at ||= performance.now() + rateSeconds * 1000; performance.now() < end.at; steps += 1)
      ({ view } = await browser.act({ kind: 'click', element: idOf(view, name) }, signal));
    await browser.close();
  };
  await Promise.all(Array.from({ length: contexts }, visit));
  await engine.close();
  return steps / rateSeconds;
}

const waitMs = 250;
const context = createContext({ seed: 0, now: () => performance.now() });
const machine = describeMachine();
const host = await openEnv(
  webEnv,
  { tasks: ['click-button', 'choose-radio', 'tick-boxes', 'enter-text', 'sign-in', 'open-menu'] },
  context,
);
const warm = await host.create();
await warm.reset({ panel: 'dev', index: 0 }, context); // starts the browser
await warm.close();
const { resets, clicks, others } = await playSome(host, context);
await host.close();

const rateOf = async (handler: PageHandler, name: string) => {
  const [one, eight] = [await stepsASecond(1, handler, name), await stepsASecond(8, handler, name)];
  return { oneContext: rounded(one), eightContexts: rounded(eight), ratio: rounded(eight / one) };
};
const counting = await rateOf(countingPage, 'more');
const waiting = await rateOf(waitingPages(waitMs), 'next');

printReport({
  what: 'resets and steps of web-v1 in a headless Chromium, one episode at a time, and steps a second of one context and of eight',
  ...machine,
  episodes,
  reset: quantiles(resets, rounded),
  click: quantiles(clicks, rounded),
  otherSteps: quantiles(others, rounded),
  stepsASecond: {
    clicks: counting,
    [`documents that take ${waitMs} ms to come`]: waiting,
  },
});
