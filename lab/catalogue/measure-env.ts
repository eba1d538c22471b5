import type { Context } from '../../envs/core/context.ts';
import { forkContext, StepContext } from '../../envs/core/context.ts';
import { closeHost } from '../../envs/core/closing.ts';
import type { AnyEnvDefinition, Env, EnvHost, Searcher } from '../../envs/core/env.ts';
import type { ActingTurn } from '../../envs/core/step.ts';
import type { PanelInfo, TaskRef } from '../../envs/core/task.ts';
import { openEnv } from '../../envs/open.ts';
import { wilsonInterval } from '../../trainers/results/intervals.ts';
import { defaultPanel } from '../evaluate/default-panel.ts';
import { entryOf, fingerprintPanels } from './entry.ts';
import type { CatalogueMeasurement, CatalogueRecord, CatalogueScore } from './record.ts';

/** How much of an env is played. */
export interface MeasurePlan {
  /** The most episodes of each player. */
  readonly episodes: number;
  /** No episode of a player starts after this time, except for the first. */
  readonly playerMs: number;
}

const needWords = {
  browser: 'it needs a browser',
  sandbox: 'it needs a sandbox for programs',
  data: 'it needs data that the user brings',
} as const;

/**
 * Measures an env with its default config: keys, snapshots, experts, the success of random play and of the expert on the first tasks of its
 * `dev` panel, and steps a second. An env that needs a browser, a sandbox or data of the user is not opened.
 *
 * @param clock milliseconds of the processor that this process has used
 * @throws whatever the env throws
 */
export async function measureEnv(
  definition: AnyEnvDefinition,
  {
    plan,
    context,
    clock,
  }: { readonly plan: MeasurePlan; readonly context: Context; readonly clock: () => number },
): Promise<CatalogueRecord['result']> {
  const { needs } = entryOf(definition);
  if (needs.length > 0)
    return { kind: 'unmeasured', why: needs.map((need) => needWords[need]).join(', and ') };
  using opening = forkContext(context, definition.id);
  const host = await openEnv(definition, {}, opening);
  try {
    const env = await host.create();
    try {
      return await new Measurement({ host, env, plan, context: opening, clock }).run();
    } finally {
      await env.close();
    }
  } finally {
    await closeHost(host, definition.id, context);
  }
}

type AnyTurn = ActingTurn<unknown, unknown>;
/** Chooses an action; undefined where it cannot. */
type Choose = (turn: AnyTurn) => unknown;

interface Parts {
  readonly host: EnvHost<unknown, unknown>;
  readonly env: Env<unknown, unknown>;
  readonly plan: MeasurePlan;
  readonly context: Context;
  readonly clock: () => number;
}

interface Played {
  readonly solved: boolean;
  readonly score: number;
  readonly steps: number;
}

class Measurement {
  readonly #parts: Parts;
  readonly #panel: PanelInfo;
  #hasStateKeys = true;
  #hasAnchorKeys = true;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { panels } = parts.host;
    const name = defaultPanel(panels, {
      usual: undefined,
      names: ['dev'],
      purposes: ['dev', 'train'],
      say: () => undefined,
    });
    const panel = panels.find((one) => one.name === name);
    if (panel === undefined) throw new RangeError('the env has no panels');
    this.#panel = panel;
  }

  async run(): Promise<CatalogueMeasurement> {
    const { host, env } = this.#parts;
    const experts = (['planner', 'searcher'] as const).filter((name) => host.experts?.[name] !== undefined);
    const spent = { steps: 0, ms: 0 };
    const random = await this.#score(() => this.#randomly(), spent);
    const kind = experts.includes('searcher') ? 'searcher' : experts[0];
    const expert = kind === undefined ? undefined : await this.#score((task) => this.#expert(kind, task));
    return {
      kind: 'measured',
      panels: fingerprintPanels(host),
      panel: this.#panel.name,
      keys: { state: this.#hasStateKeys, anchor: this.#hasAnchorKeys },
      snapshots: env.snapshots !== undefined,
      experts,
      ...(random === undefined
        ? {}
        : { random, stepsPerSecond: Math.round((1_000 * spent.steps) / Math.max(spent.ms, 0.001)) }),
      ...(expert === undefined || kind === undefined ? {} : { expert: { kind, ...expert } }),
    };
  }

  /** Plays the first tasks; undefined where the player can choose no action. */
  async #score(
    playerOf: (task: TaskRef) => Choose,
    spent = { steps: 0, ms: 0 },
  ): Promise<CatalogueScore | undefined> {
    const { plan, context } = this.#parts;
    const start = context.now();
    const played: Played[] = [];
    const most = Math.min(plan.episodes, this.#panel.size);
    while (played.length < most && (played.length === 0 || context.now() - start < plan.playerMs)) {
      context.signal.throwIfAborted();
      const task = { panel: this.#panel.name, index: played.length };
      const one = await this.#play(task, playerOf(task), spent);
      if (one === undefined) return undefined;
      played.push(one);
    }
    const solved = played.filter((one) => one.solved).length;
    const { low, high } = wilsonInterval(solved, played.length);
    const mean = (value: (one: Played) => number): number =>
      rounded(played.reduce((sum, one) => sum + value(one), 0) / played.length);
    return {
      episodes: played.length,
      success: rounded(solved / played.length),
      low: rounded(low),
      high: rounded(high),
      score: mean(({ score }) => score),
      steps: mean(({ steps }) => steps),
    };
  }

  async #play(
    task: TaskRef,
    choose: Choose,
    spent: { steps: number; ms: number },
  ): Promise<Played | undefined> {
    const { env, context, clock } = this.#parts;
    using episode = forkContext(context, `${task.panel}-${task.index}`);
    const luck = new StepContext(episode);
    let turn: AnyTurn = await env.reset(task, episode);
    let score = 0;
    const begun = clock();
    for (let steps = 0; steps < longestEpisode; steps += 1) {
      this.#hasStateKeys &&= turn.stateKey !== undefined;
      this.#hasAnchorKeys &&= turn.anchorKey !== undefined;
      const action = choose(turn);
      if (action === undefined) return undefined;
      luck.advance(steps);
      const result = await env.step(action, luck);
      score += result.reward.total;
      if (result.kind === 'ongoing' && steps + 1 < longestEpisode) {
        turn = result;
        continue;
      }
      spent.ms += clock() - begun;
      spent.steps += steps + 1;
      const solved = result.kind === 'terminated' && result.outcome === 'solved';
      return { solved, score, steps: steps + 1 };
    }
    return undefined;
  }

  #randomly(): Choose {
    const rng = this.#parts.context.rng.fork('random');
    return ({ admissible = [] }) => (admissible.length === 0 ? undefined : rng.pick(admissible));
  }

  #expert(kind: 'planner' | 'searcher', task: TaskRef): Choose {
    const { experts } = this.#parts.host;
    if (kind === 'planner') {
      const plan = [...(experts?.planner?.(task) ?? [])];
      return () => plan.shift();
    }
    const rng = this.#parts.context.rng.fork(`searcher-${task.index}`);
    const searcher: Searcher<unknown, unknown> | undefined = experts?.searcher?.(rng);
    return (turn) => searcher?.act(turn);
  }
}

/** An env without a limit of its own is left after so many steps. */
const longestEpisode = 2_000;

const rounded = (value: number): number => Number(value.toFixed(4));
