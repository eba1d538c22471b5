import type { z } from 'zod';
import type { RulesAudit } from './audit.ts';
import type { Context, ResetContext } from './context.ts';
import type { Json } from './json.ts';
import type { EnvBench, EnvCatalogue, EnvRecipes } from './presets.ts';
import type { Rng } from './rng.ts';
import type { Ongoing, Opening, StepResult, Turn } from './step.ts';
import type { TaskRef, TaskSource } from './task.ts';
import type { Textual, ToolWords } from './textual.ts';

/** A saved point of an episode, as JSON. */
export interface Snapshot {
  /** The world in canonical form: equal worlds have equal values. `stateKey` depends on it alone. */
  readonly world: Json;
  /** The rest, such as the task and what has been shown. */
  readonly episode: Json;
  /** Steps taken so far. The turn limit counts with it; an env itself may leave it 0. */
  readonly steps: number;
}

/** Plays one episode at a time: `reset`, then `step` until the episode ends. Nothing resets itself. */
export interface Env<Obs, Act> {
  /** Starts the task. The initial state depends on the env id, the config and the task alone. */
  reset(task: TaskRef, context: ResetContext): Promise<Opening<Obs, Act>>;
  /** Does the action. Throws a `UsageError` before `reset` and after the end. */
  step(action: Act, context: Context): Promise<StepResult<Obs, Act>>;
  /** Releases all resources. A second call does nothing. */
  close(): Promise<void>;
  /**
   * Present where the env can be saved in mid-episode. Law: a restored env gives equal results for the same
   * actions with the same random stream. `restore` also works on a new env of the same host.
   */
  readonly snapshots?: Snapshots<Obs, Act>;
}

export interface Snapshots<Obs, Act> {
  take(): Snapshot;
  /** Restores the saved point and returns its turn, whose observation is the last one shown. */
  restore(snapshot: Snapshot): Turn<Obs, Act>;
}

/** A player that uses only what an agent sees. One object plays one episode. */
export interface Searcher<Obs, Act> {
  act(turn: Opening<Obs, Act> | Ongoing<Obs, Act>): Act;
}

/** A player of an env for comparisons, which is neither trained nor an expert. */
export interface Baseline<Obs, Act> {
  /** What it does, in a clause for tables and help. */
  readonly summary: string;
  /** Creates a player for an episode. It may look at hidden facts, as its summary says. */
  play(task: TaskRef, rng: Rng): Searcher<Obs, Act>;
}

/** The players that an env comes with. */
export interface Experts<Obs, Act> {
  /** Returns actions that solve the task, which proves that it can be solved. It may look at hidden facts. */
  planner?(task: TaskRef): readonly Act[];
  /** Creates a player that uses only what an agent sees. It gives the demonstrations, and its score is the ceiling to quote. `rng` breaks ties. */
  searcher?(rng: Rng): Searcher<Obs, Act>;
  /**
   * The attempt at its task that an observation belongs to, where an episode has several. A planner's plan is for one attempt, and a
   * player of it starts it again in each.
   */
  attemptOf?(observation: Obs): number;
  /** Players by name, whose rows stand in every table of the env, such as one that reads only the first document found. */
  readonly baselines?: Readonly<Record<string, Baseline<Obs, Act>>>;
}

/** What `checkEnv` needs to check that hidden facts stay hidden, and that the rules of the world hold. */
export interface Audit<Act> {
  /**
   * Returns the same point of an episode with hidden facts changed; undefined where nothing is hidden. `reveals` says which actions may
   * show the difference. Until such an action is done, both points must look the same.
   */
  swapHidden?(
    snapshot: Snapshot,
    rng: Rng,
  ): { readonly snapshot: Snapshot; reveals(action: Act): boolean } | undefined;
  /** Texts that no observation, action list or key of this task may contain. Case is ignored. */
  secrets?(task: TaskRef): readonly string[];
  /** An audit of the world's own rules, such as its verifier. It tries about `tasks` tasks of each kind or level. */
  rules?(tasks: number): RulesAudit;
}

/** What the episodes of one configuration share, such as catalogues, indices and browsers. It is opened once and closed after the last env. */
export interface EnvHost<Obs, Act> extends TaskSource {
  create(): Promise<Env<Obs, Act>>;
  close(): Promise<void>;
  /**
   * The maximum number of open envs, for hosts whose episodes use much of the machine, such as a browser
   * process. Unlimited by default. Runs and `checkEnv` open no more envs than that, except for an env whose
   * `create` or `close` did not return in time. So `create` may wait or throw beyond this number.
   */
  readonly maxConcurrency?: number;
  readonly experts?: Experts<Obs, Act>;
  readonly audit?: Audit<Act>;
  /** The actions as tools, where only an opened env knows them. Otherwise the definition's `text` has them. */
  readonly tools?: ToolWords<Act>;
}

/** `name-vN`, or the envs and weights of a mixture. */
export type EnvId = `${string}-v${number}` | `mix:${string}`;

/** An env as one value. Create it with {@link defineEnv}. */
export interface EnvDefinition<Id extends EnvId, Config extends z.ZodType, Obs, Act> {
  /**
   * `name-vN`, or `scope/name-vN` for an env of a third party. A change of tasks or rewards needs a new N. A mixture has the form
   * `mix:NAME-vN=WEIGHT,…`.
   */
  readonly id: Id;
  readonly summary: string;
  /**
   * A strict object with a default for every key. The parsed value is stored in every trajectory and fingerprint. Describe each key with
   * `.describe`: `cairn-gym envs` shows it.
   */
  readonly config: Config;
  readonly observation: z.ZodType<Obs>;
  /**
   * The schema of actions, without transforms and defaults. `openEnv` validates actions that the turn does not list, and passes them on
   * unchanged. Actions parsed from the words of a language model or a person are validated too.
   */
  readonly action: z.ZodType<Act>;
  /** True when no step uses the context's `rng`. */
  readonly deterministic: boolean;
  readonly text: Textual<Obs, Act>;
  /** How the env is trained by default: plain data, which the trainer validates. Without it: GiGPO with the trainer's defaults. */
  readonly recipes?: EnvRecipes;
  /** How the env is benchmarked: plain data. */
  readonly bench?: EnvBench;
  /** How the catalogue lists the env: plain data. */
  readonly catalogue?: EnvCatalogue;
  /** Laws of `checkEnv` that cannot be checked here, by name, each with the reason. */
  readonly unchecked?: Readonly<Record<string, string>>;
  /** What the `feedback` of results says, in a clause for help texts, such as `which checks failed`. Absent where results have none. */
  readonly feedback?: string;
  /** Steps after which the task has failed. Absent or undefined where the env ends episodes by its own rules. */
  turnLimit?(config: z.output<Config>): number | undefined;
  /** Opens a host. It has ten minutes, and ten more after each report of progress (`opening-advance`) to the context's log. */
  open(config: z.output<Config>, context: ResetContext): Promise<EnvHost<Obs, Act>>;
}

/** A definition of unknown observations and actions. */
export type AnyEnvDefinition = EnvDefinition<EnvId, z.ZodType, unknown, unknown>;

/** Infers the types of a definition. Does nothing at run time. */
export function defineEnv<const Id extends EnvId, Config extends z.ZodType, Obs, Act>(
  definition: EnvDefinition<Id, Config, Obs, Act>,
): EnvDefinition<Id, Config, Obs, Act> {
  return definition;
}
