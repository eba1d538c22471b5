import type { z } from 'zod';
import type { Context, ResetContext } from './context.ts';
import type { Json } from './json.ts';
import type { EnvBench, EnvRecipes } from './presets.ts';
import type { Rng } from './rng.ts';
import type { Ongoing, Opening, StepResult, Turn } from './step.ts';
import type { TaskRef, TaskSource } from './task.ts';
import type { Textual } from './textual.ts';

/** Everything needed to go on from a point of an episode, as JSON. */
export interface Snapshot {
  /** The world, canonical: equal worlds have equal values. `stateKey` is a function of it and of nothing else. */
  readonly world: Json;
  /** The rest: the task and what has been shown. */
  readonly episode: Json;
  /** Steps taken so far; the turn limit keeps count by it, an env itself may leave it 0. */
  readonly steps: number;
}

/** One episode at a time: `reset`, then `step` until it ends; nothing resets itself. */
export interface Env<Obs, Act> {
  /** Starts the task. The initial state is a function of (env id, config, task) alone. */
  reset(task: TaskRef, context: ResetContext): Promise<Opening<Obs, Act>>;
  /** Does the action. After the end, or before `reset`, it throws a `UsageError`. */
  step(action: Act, context: Context): Promise<StepResult<Obs, Act>>;
  /** Gives everything back. A second call does nothing. */
  close(): Promise<void>;
  /**
   * Present where the env can be saved in mid-episode. Law: restoring and replaying the same actions with the same luck
   * gives equal results; `restore` also works on a fresh env of the same host.
   */
  readonly snapshots?: Snapshots<Obs, Act>;
}

export interface Snapshots<Obs, Act> {
  take(): Snapshot;
  /** Puts the saved point back and returns its turn, whose observation is the last one shown. */
  restore(snapshot: Snapshot): Turn<Obs, Act>;
}

/** Plays from what an agent sees, one object an episode. */
export interface Searcher<Obs, Act> {
  act(turn: Opening<Obs, Act> | Ongoing<Obs, Act>): Act;
}

/** An env's own players. */
export interface Experts<Obs, Act> {
  /** May look at everything: actions that solve the task, which proves that it can be solved. */
  planner?(task: TaskRef): readonly Act[];
  /** Uses only what an agent sees: gives the demonstrations, and its score is the ceiling to quote. `rng` breaks its ties. */
  searcher?(rng: Rng): Searcher<Obs, Act>;
}

/** What `checkEnv` needs to know to look behind an env's curtain. */
export interface Audit<Act> {
  /**
   * The same point of an episode with facts changed that have not been shown, and the test of which actions may show the
   * difference; undefined when nothing is hidden here. Until such an action is done, both must look the same.
   */
  swapHidden?(
    snapshot: Snapshot,
    rng: Rng,
  ): { readonly snapshot: Snapshot; reveals(action: Act): boolean } | undefined;
  /** Texts that no observation, action list or key of this task may ever contain, in capitals or not. */
  secrets?(task: TaskRef): readonly string[];
}

/** What episodes of one configuration share: catalogues, indices, browsers. Opened once, closed after the last env. */
export interface EnvHost<Obs, Act> extends TaskSource {
  create(): Promise<Env<Obs, Act>>;
  close(): Promise<void>;
  /**
   * Episodes that it can have under way at once, where each takes much of the machine, such as a browser's process; any number when
   * left out. Runs and `checkEnv` have no more envs open either, but for one whose `create` or `close` did not come back in time: so
   * `create` beyond the number may wait or throw, and need not work.
   */
  readonly mostAtOnce?: number;
  readonly experts?: Experts<Obs, Act>;
  readonly audit?: Audit<Act>;
}

export type EnvId = `${string}-v${number}`;

/** All that there is to know of an env, as one value. Make it with {@link defineEnv}. */
export interface EnvDefinition<Id extends EnvId, Config extends z.ZodType, Obs, Act> {
  /** `name-vN`, or `scope/name-vN` for a third party's. Tasks or rewards that change get a new N. */
  readonly id: Id;
  readonly summary: string;
  /**
   * A strict object with its defaults; the parsed value is stored in every trajectory and fingerprint. Say of each key what it means
   * with `.describe`: `cairn envs` shows it.
   */
  readonly config: Config;
  readonly observation: z.ZodType<Obs>;
  /**
   * Without transforms and defaults: `openEnv` holds actions to it that the turn does not list, and passes them on as they are given; what is
   * read from the words of a language model or a person is held to it too.
   */
  readonly action: z.ZodType<Act>;
  /** True when no step draws from the luck. */
  readonly deterministic: boolean;
  readonly text: Textual<Obs, Act>;
  /** How the env is trained by default: plain data, which the trainer validates. Without it: GiGPO with the trainer's defaults. */
  readonly recipes?: EnvRecipes;
  /** How the env is benchmarked: plain data. */
  readonly bench?: EnvBench;
  /** Laws of `checkEnv` that cannot be checked here, by name, each with the reason. */
  readonly unchecked?: Readonly<Record<string, string>>;
  /** Steps after which the task itself has failed; undefined when the env ends by its own rules. */
  turnLimit?(config: z.output<Config>): number;
  /** Has ten minutes, and ten more whenever the context's log is told of progress (`opening-advance`). */
  open(config: z.output<Config>, context: ResetContext): Promise<EnvHost<Obs, Act>>;
}

/** Any definition: nothing may be assumed of its observations and actions. */
export type AnyEnvDefinition = EnvDefinition<EnvId, z.ZodType, unknown, unknown>;

/** Types a definition; does nothing at run time. */
export function defineEnv<const Id extends EnvId, Config extends z.ZodType, Obs, Act>(
  definition: EnvDefinition<Id, Config, Obs, Act>,
): EnvDefinition<Id, Config, Obs, Act> {
  return definition;
}
