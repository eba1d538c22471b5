import { builtInEnvs } from '../envs/catalog.ts';
import { createContext, forkContext, StepContext, type OwnedContext } from '../envs/core/context.ts';
import type { AnyEnvDefinition, EnvId } from '../envs/core/env.ts';
import { UsageError } from '../envs/core/errors.ts';
import { createReferences } from '../envs/references.ts';
import type { ActingTurn } from '../envs/core/step.ts';
import { findPanel, type PanelInfo } from '../envs/core/task.ts';
import { strictTextual, textAt } from '../envs/core/textual.ts';
import { openEnv } from '../envs/open.ts';

/** Options of {@link makeEnv}; all have defaults. */
export interface MakeEnvOptions {
  /** Config of the environment, as `cairn-gym envs ID` lists it. Keys that are left out have their defaults. */
  readonly config?: unknown;
  /** The panel whose tasks are played. The default is the environment's first panel for training. */
  readonly panel?: string;
  /** Seeds the luck of steps. Tasks do not depend on it. The default is 0. */
  readonly seed?: number;
  /** Aborts what is under way. */
  readonly signal?: AbortSignal;
}

/** What the player sees at a turn. */
export interface GymObservation {
  /** The observation in words. */
  readonly observation: string;
  /** The listed actions in words; undefined where actions are written freely. */
  readonly actions: readonly string[] | undefined;
}

/** What a step returned. */
export interface GymStep extends GymObservation {
  /** The total reward of the step. */
  readonly reward: number;
  /** True when the task is over, solved or failed. */
  readonly terminated: boolean;
  /** True when a limit outside of the task cut the episode off. */
  readonly truncated: boolean;
  /** True when the action did nothing because it was not admissible. */
  readonly inadmissible: boolean;
  /** True when the task is solved; false while the episode goes on. */
  readonly solved: boolean;
  /** The named terms that the reward is the sum of. */
  readonly terms: Readonly<Record<string, number>>;
}

/** An environment in words: `reset`, then `step` until `terminated` or `truncated`. One episode at a time. */
export interface GymEnv extends AsyncDisposable {
  readonly id: EnvId;
  readonly panels: readonly PanelInfo[];
  /**
   * Starts task `index` of the panel. The instruction says in words what is to be done.
   * @throws UsageError for an index that the panel does not have
   */
  reset(index?: number): Promise<GymObservation & { readonly instruction: string }>;
  /**
   * Does the action, given in words.
   * @throws UsageError before `reset`, after the end, and for words that are no action. The episode goes on as it was.
   */
  step(action: string): Promise<GymStep>;
  close(): Promise<void>;
}

/**
 * Opens an environment for the plain loop of a gym. An id without `-vN` means the newest version.
 *
 * ```ts
 * const env = await makeEnv('household');
 * let { actions } = await env.reset(0);
 * for (let done = false; !done; ) {
 *   const step = await env.step(actions?.[0] ?? 'look');
 *   ({ actions } = step);
 *   done = step.terminated || step.truncated;
 * }
 * await env.close();
 * ```
 *
 * @param env the id of a built-in environment, a mixture such as `mix:household=2,game-maze=1`, or a definition
 * @throws UsageError for an unknown id, a wrong config and an unknown panel
 */
export async function makeEnv(env: string | AnyEnvDefinition, options: MakeEnvOptions = {}): Promise<GymEnv> {
  const definition: AnyEnvDefinition =
    typeof env === 'string' ? createReferences([...builtInEnvs]).find(env) : env;
  const context = createContext({
    seed: options.seed ?? 0,
    now: () => performance.now(),
    system: process.env,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  const host = await openEnv(definition, options.config ?? {}, context);
  try {
    const panel = findPanel(host, definition.id, options.panel ?? trainingPanel(host.panels));
    return new PlainEnv(definition, { host, panel, context, env: await host.create() });
  } catch (error) {
    await host.close();
    throw error;
  }
}

const trainingPanel = (panels: readonly PanelInfo[]): string =>
  (panels.find(({ purpose }) => purpose === 'train') ?? panels[0])?.name ?? 'train';

type Host = Awaited<ReturnType<typeof openEnv<AnyEnvDefinition['config'], unknown, unknown>>>;

interface Opened {
  readonly host: Host;
  readonly panel: PanelInfo;
  readonly context: ReturnType<typeof createContext>;
  readonly env: Awaited<ReturnType<Host['create']>>;
}

class PlainEnv implements GymEnv {
  readonly #opened: Opened;
  readonly #definition: AnyEnvDefinition;
  readonly #text: AnyEnvDefinition['text'];
  #episode:
    | { readonly owned: OwnedContext; readonly luck: StepContext; steps: number; observation: unknown }
    | undefined;
  #episodes = 0;

  constructor(definition: AnyEnvDefinition, opened: Opened) {
    this.#definition = definition;
    this.#opened = opened;
    this.#text = strictTextual(definition);
  }

  get id(): EnvId {
    return this.#definition.id;
  }

  get panels(): readonly PanelInfo[] {
    return this.#opened.host.panels;
  }

  async reset(index = 0): Promise<GymObservation & { readonly instruction: string }> {
    this.#end();
    const { env, panel, context } = this.#opened;
    const task = { panel: panel.name, index };
    this.#opened.host.describeTask(task);
    const owned = forkContext(context, `${panel.name}-${index}-${this.#episodes++}`);
    const opening = await env.reset(task, owned);
    this.#episode = { owned, luck: new StepContext(owned), steps: 0, observation: opening.observation };
    return { instruction: opening.instruction, ...this.#shown(opening) };
  }

  async step(action: string): Promise<GymStep> {
    const episode = this.#episode;
    if (episode === undefined) throw this.#refusal('no episode is under way.', 'Call `reset` first.');
    const reply = textAt(this.#text, episode.observation).parse(action);
    if (reply.kind === 'malformed')
      throw this.#refusal(
        `it is no action: ${reply.why}`,
        'Choose one of the listed `actions`, or write one as the observation describes.',
      );
    episode.luck.advance(episode.steps);
    const result = await this.#opened.env.step(reply.action, episode.luck);
    episode.steps += 1;
    episode.observation = result.observation;
    const { reward, inadmissible } = result;
    const step = { reward: reward.total, terms: reward.terms, inadmissible };
    if (result.kind === 'ongoing')
      return { ...this.#shown(result), ...step, terminated: false, truncated: false, solved: false };
    this.#end();
    return {
      observation: this.#text.observation(result.observation),
      actions: undefined,
      ...step,
      terminated: result.kind === 'terminated',
      truncated: result.kind === 'truncated',
      solved: result.kind === 'terminated' && result.outcome === 'solved',
    };
  }

  async close(): Promise<void> {
    this.#end();
    await this.#opened.env.close();
    await this.#opened.host.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #shown(turn: ActingTurn<unknown, unknown>): GymObservation {
    return {
      observation: this.#text.observation(turn.observation),
      actions: turn.admissible?.map((action) => this.#text.action(action)),
    };
  }

  #end(): void {
    this.#episode?.owned[Symbol.dispose]();
    this.#episode = undefined;
  }

  #refusal(what: string, fix: string): UsageError {
    return new UsageError({ where: `step of ${this.id}`, what, fix });
  }
}
