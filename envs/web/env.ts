import type { Context, ResetContext } from '../core/context.ts';
import type { Env } from '../core/env.ts';
import { FaultError } from '../core/errors.ts';
import { reward, type Opening, type StepResult, type Turn } from '../core/step.ts';
import type { TaskRef } from '../core/task.ts';
import { shortDigest } from '../kit/short-digest.ts';
import { currentEpisode } from '../kit/current-episode.ts';
import type { BrowserEngine } from '../engines/browser/session/browser-engine.ts';
import type { EpisodeBrowser } from '../engines/browser/session/episode-browser.ts';
import type { PageView } from '../engines/browser/view/page-view.ts';
import type { PageHandler } from '../engines/browser/page/page-handler.ts';
import { renderTree } from '../engines/browser/view/page-tree.ts';
import { bareAction, type WebAction } from './action.ts';
import { candidatesOn, type CandidateKind } from './candidates.ts';
import type { WebConfig } from './config.ts';
import { conventionScript } from './convention-script.ts';
import { valuesIn, type InstructionValues } from './instruction-values.ts';
import type { WebObservation } from './observation.ts';
import { assertStays, outcomeOf, startEpisode, type PageOutcome } from './page-convention.ts';
import { stepLimitOf } from './pages.ts';
import type { WebTask } from './tasks.ts';

/** What the episodes of a host share. */
export interface WebStage {
  readonly engine: BrowserEngine;
  readonly handler: PageHandler;
  readonly config: WebConfig;
  taskOf(ref: TaskRef): WebTask;
}

/** A running episode. */
interface Playing {
  readonly browser: EpisodeBrowser;
  readonly task: WebTask;
  readonly instruction: string;
  readonly values: InstructionValues;
  /** Steps after which it has failed. */
  readonly limit: number;
  steps: number;
  view: PageView;
}

/** An env for one page at a time, each in a context of its own. */
export class WebEnv implements Env<WebObservation, WebAction> {
  readonly #stage: WebStage;
  readonly #kinds: ReadonlySet<CandidateKind>;
  #playing: Playing | undefined;
  #browser: EpisodeBrowser | undefined;
  /** Contexts that are closing. */
  readonly #leaving = new Set<Promise<void>>();

  constructor(stage: WebStage) {
    this.#stage = stage;
    this.#kinds = new Set(stage.config.candidates);
  }

  async reset(ref: TaskRef, { signal }: ResetContext): Promise<Opening<WebObservation, WebAction>> {
    this.#leave();
    const { engine, handler, config } = this.#stage;
    const task = this.#stage.taskOf(ref);
    const { page, seed, known } = task;
    const { actionMs, patienceMs, screenshots, reward: paid, dataMode } = config;
    const browser = await engine.episode(
      handler,
      { seed, actionMs, patienceMs, screenshots, script: conventionScript({ timed: paid === 'timed' }) },
      signal,
    );
    this.#browser = browser;
    if (signal.aborted) this.#leave(); // the caller that aborted has closed the rest by now
    signal.throwIfAborted();
    await browser.open(
      dataMode === undefined
        ? page.path
        : `${page.path}?${new URLSearchParams({ mode: dataMode }).toString()}`,
      signal,
    );
    const instruction = await startEpisode(browser, { page, seed }, signal);
    const view = await browser.look(signal);
    await assertStays(browser, page, signal);
    const limit = Math.min(
      config.maxSteps,
      known === undefined ? Number.POSITIVE_INFINITY : stepLimitOf(known),
    );
    const playing: Playing = {
      browser,
      task,
      instruction,
      values: valuesIn(instruction),
      limit,
      steps: 0,
      view,
    };
    await beginWith(playing, signal);
    this.#playing = playing;
    engine.prepare();
    return { ...this.#turn(playing, undefined), instruction };
  }

  async step(action: WebAction, { signal }: Context): Promise<StepResult<WebObservation, WebAction>> {
    const playing = currentEpisode('web', this.#playing);
    playing.steps += 1;
    if (action.kind === 'stop')
      return this.#end(playing, { raw: 0, timed: 0, reason: 'the agent stopped' }, undefined);
    this.#playing = undefined; // until the page has answered
    const { view, refusal } = await playing.browser.act(bareAction(action), signal);
    playing.view = view;
    const outcome = await outcomeOf(playing.browser, playing.task.page, signal);
    if (outcome !== undefined) return this.#end(playing, outcome, refusal);
    if (playing.steps >= playing.limit)
      return {
        ...this.#end(playing, { raw: -1, timed: -1, reason: 'out of steps' }, refusal),
        limit: 'turn-limit',
      };
    this.#playing = playing;
    return {
      kind: 'ongoing',
      ...this.#turn(playing, refusal),
      reward: reward({ page: 0 }),
      inadmissible: refusal !== undefined,
    };
  }

  async close(): Promise<void> {
    this.#leave();
    await Promise.all(this.#leaving);
  }

  /** Closes the context, which takes a while. Only `close` waits for it. */
  #leave(): void {
    const browser = this.#browser;
    this.#browser = undefined;
    this.#playing = undefined;
    if (browser === undefined) return;
    const leaving = browser.close().finally(() => this.#leaving.delete(leaving));
    this.#leaving.add(leaving);
  }

  #turn(
    { view, task, values, limit, steps }: Playing,
    refused: string | undefined,
  ): Turn<WebObservation, WebAction> {
    return {
      observation: observationOf(view, refused),
      stateKey: undefined, // the state of a page's scripts is not visible from outside
      anchorKey: anchorKeyOf(task, view),
      admissible: candidatesOn(view, values, this.#kinds),
      stepsLeft: limit - steps,
      seat: 0,
    };
  }

  #end(playing: Playing, outcome: PageOutcome, refused: string | undefined) {
    this.#leave();
    const { raw, timed } = outcome;
    const paid = { raw, timed, binary: raw > 0 ? 1 : 0 }[this.#stage.config.reward];
    return {
      kind: 'terminated',
      outcome: raw > 0 ? 'solved' : 'failed',
      observation: observationOf(playing.view, refused),
      reward: reward({ page: paid }),
      inadmissible: refused !== undefined,
      metrics: { raw, timed },
      stateKey: undefined,
    } as const;
  }
}

/**
 * Runs the first part of the solution of one of our pages, where the task starts in the middle of the work.
 */
async function beginWith(playing: Playing, signal: AbortSignal): Promise<void> {
  const { browser, task, instruction } = playing;
  const { known, thirdsDone, page } = task;
  if (known === undefined || thirdsDone === 0) return;
  const memory = new Map<string, string>();
  for (let step = Math.floor((thirdsDone * (known.steps - 1)) / 3); step > 0; step -= 1) {
    const { view, refusal } = await browser.act(
      known.solve({ view: playing.view, instruction, memory }),
      signal,
    );
    playing.view = view;
    if (refusal !== undefined || (await outcomeOf(browser, page, signal)) !== undefined) {
      throw new FaultError({
        kind: 'task-broken',
        where: `page ${page.name}, seed ${task.seed}`,
        message: `its solution did not get through its first steps (${refusal ?? 'the episode ended'}).`,
      });
    }
  }
}

const observationOf = (view: PageView, refused: string | undefined): WebObservation =>
  refused === undefined ? view : { ...view, refused };

/** The problem, if there is one, and what is shown there with ids, values, states and focus. */
function anchorKeyOf({ page, seed }: WebTask, { url, tab, tabs, content }: PageView): string {
  const shown = shortDigest(renderTree(content).join('\n'));
  return `${page.name} ${seed} ${tab}/${tabs.length} ${url} ${shown}`;
}
