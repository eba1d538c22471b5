import { z } from 'zod';
import type { BrowserEngine } from '../../../envs/engines/browser/session/browser-engine.ts';
import type { EpisodeBrowser } from '../../../envs/engines/browser/session/episode-browser.ts';
import type { PageView } from '../../../envs/engines/browser/view/page-view.ts';
import type { PageAction } from '../../../envs/engines/browser/actions/page-action.ts';
import type { PageHandler } from '../../../envs/engines/browser/page/page-handler.ts';

/** What the convention reports about an episode. */
const outcome = z.strictObject({
  done: z.boolean(),
  raw: z.number(),
  reward: z.number(),
  reason: z.string(),
});
export type Outcome = z.output<typeof outcome>;

const readOutcome =
  '({ done: WOB_DONE_GLOBAL, raw: WOB_RAW_REWARD_GLOBAL, reward: WOB_REWARD_GLOBAL, reason: WOB_REWARD_REASON })';
const never = new AbortController().signal;

export interface Started {
  readonly browser: EpisodeBrowser;
  readonly instruction: string;
  readonly view: PageView;
}

/** Everything needed to play a page. */
export interface Stage {
  readonly engine: BrowserEngine;
  readonly handler: PageHandler;
  /** Of the page's own clock; 10 ms where it is left out, so that long pages have time. */
  readonly actionMs?: number;
}

/** Opens a context for one page, which shows its cover. Close it in the end. */
export async function openPage(
  { engine, handler, actionMs = 10 }: Stage,
  name: string,
): Promise<EpisodeBrowser> {
  const browser = await engine.episode(
    handler,
    { seed: 0, actionMs, patienceMs: 30_000, screenshots: false },
    never,
  );
  engine.prepare();
  await browser.open(`/pages/${name}.html`, never);
  return browser;
}

/** Starts an episode as the convention has it, from the page's first document; earlier episodes of the context have ended. */
export async function startPage(browser: EpisodeBrowser, name: string, seed: number): Promise<Started> {
  if ((await browser.read('location.search', never)) !== '')
    await browser.act({ kind: 'goto', url: `/pages/${name}.html` }, never);
  const instruction = z
    .string()
    .parse(
      await browser.read(`Math.seedrandom(${seed}); core.startEpisodeReal(); core.getUtterance()`, never),
    );
  return { browser, instruction, view: await browser.look(never) };
}

export interface Played extends Outcome {
  readonly steps: number;
  /** The refusals of actions. */
  readonly refusals: readonly string[];
}

/** Plays until the episode is over, or for as many steps. */
export async function play(
  { browser, instruction, view: first }: Started,
  choose: (view: PageView, instruction: string) => PageAction,
  mostSteps: number,
): Promise<Played> {
  const refusals: string[] = [];
  let view = first;
  for (let steps = 0; ; steps += 1) {
    const now = outcome.parse(await browser.read(readOutcome, never));
    if (now.done || steps === mostSteps) return { ...now, steps, refusals };
    const action = choose(view, instruction);
    const done = await browser.act(action, never);
    if (done.refusal !== undefined) refusals.push(`${JSON.stringify(action)}: ${done.refusal}`);
    view = done.view;
  }
}

/** Does the work for each item, so many at a time, and gives the results in order. */
export async function forAll<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results = new Map<Item, Result>();
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift())
      results.set(item, await work(item));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return items.map((item) => results.get(item) as Result);
}
