import { z } from 'zod';
import type { RulesAudit } from '../core/audit.ts';
import type { Context } from '../core/context.ts';
import type { EnvId, Searcher } from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import type { ActionTarget, Features } from '../core/features.ts';
import { describeIssues } from '../core/issues.ts';
import type { Json } from '../core/json.ts';
import type { EnvBench, EnvCatalogue, EnvRecipes } from '../core/presets.ts';
import type { Rng } from '../core/rng.ts';
import type { PanelInfo, TaskRef } from '../core/task.ts';
import type { Reply } from '../core/textual.ts';
import type { Frozen } from './snapshot.ts';

export const noConfig = z.strictObject({});

/**
 * The rules of a world for one player. Its state is one JSON value. What the player sees and does are texts, or values with a schema.
 * States are stored as canonical JSON (keys sorted) and frozen. The type of the state is that of `start`; where that is too narrow,
 * annotate it there (`const start: Board = …`) or give `state`. Every call gets the parsed config as its last argument.
 */
export interface TextWorld<
  Id extends EnvId,
  State,
  Config extends z.ZodType = typeof noConfig,
  Act = string,
  Obs = string,
> {
  readonly id: Id;
  readonly summary: string;
  /** A strict object with defaults. Default: no settings. */
  readonly config?: Config;
  /** Steps after which an episode has failed. */
  readonly turnLimit: number | ((config: z.output<Config>) => number);
  /** The size of each panel, by name. All panels but `train` and `dev` are held out. */
  readonly panels: Readonly<Record<string, number | WorldPanel>>;
  /** `false` where a step draws from `context.rng`. Default: `true`. */
  readonly deterministic?: boolean;
  /** The schema of the state. It validates snapshots and gives the state its type. */
  readonly state?: z.ZodType<State>;
  /** The schema of actions, and how they are printed and parsed. Default: an action is one line of words. */
  readonly action?: ActionWords<Act>;
  /** The schema of observations, and how they are printed. Default: an observation is a string. */
  readonly observation?: ObservationWords<Obs>;
  /** Returns the task: its instruction and its initial state. */
  task(ref: TaskRef, config: z.output<Config>): WorldTask<State>;
  /** What the player sees. */
  observe(state: Frozen<State>, config: z.output<Config>): NoInfer<Obs>;
  /**
   * The actions that have an effect here. The list is never empty. Any other action is inadmissible. It changes
   * nothing, unless `refuse` says otherwise.
   */
  actions(state: Frozen<State>, config: z.output<Config>): readonly NoInfer<Act>[];
  /** Whether an action that is not listed has an effect, such as a free search. Default: no. */
  accepts?(state: Frozen<State>, action: NoInfer<Act>, config: z.output<Config>): boolean;
  /** Performs an action. Not `async`. */
  step(
    state: Frozen<State>,
    action: NoInfer<Act>,
    context: Context,
    config: z.output<Config>,
  ): TextStep<State>;
  /**
   * The result of a turn without an action: of an action that is neither listed nor accepted. It may cost a reward, such as that of a step,
   * and change the state to one that says why. It never ends the episode. Default: nothing happens, at no cost.
   */
  refuse?(state: Frozen<State>, action: NoInfer<Act>, config: z.output<Config>): RefusedTurn<State>;
  /**
   * The observation as a grid or as named facts, for policies that read data instead of words. It gets the observation alone. Default: a
   * policy has the words only.
   */
  features?(observation: NoInfer<Obs>): Features;
  /** What an action refers to: a cell, a direction, a value. */
  target?(action: NoInfer<Act>): ActionTarget | undefined;
  /**
   * What the player can know of a state, where that is less than all of it. States with equal knowledge
   * within a task are one decision. What has been shown so far must then be part of the state. It becomes
   * `anchorKey`. Default: everything.
   */
  information?(state: Frozen<State>, config: z.output<Config>): Json;
  /** A text that only equal states share. It becomes `stateKey`. Default: the state as canonical JSON. */
  key?(state: Frozen<State>): string;
  readonly experts?: WorldExperts<State, NoInfer<Act>, NoInfer<Obs>, z.output<Config>>;
  readonly audit?: WorldAudit<State, NoInfer<Act>, z.output<Config>>;
  readonly recipes?: EnvRecipes;
  /** How the catalogue lists the env. */
  readonly catalogue?: EnvCatalogue;
  readonly bench?: EnvBench;
  /** Laws of `checkEnv` that cannot be checked here, each with the reason. */
  readonly unchecked?: Readonly<Record<string, string>>;
}

/** A panel with more settings than its size. */
export type WorldPanel = Pick<PanelInfo, 'size'> & Partial<Pick<PanelInfo, 'purpose' | 'summary'>>;

export interface ActionWords<Act> {
  readonly schema: z.ZodType<Act>;
  /** The action as a player would write it. */
  readonly print: (action: Act) => string;
  /** Parses the words of a player. */
  readonly parse: (text: string) => Reply<Act>;
  /** Whether an action is one of many that players write freely. See `Textual`. */
  readonly isSample?: (action: Act) => boolean;
}

export interface ObservationWords<Obs> {
  readonly schema: z.ZodType<Obs>;
  readonly print: (observation: Obs) => string;
}

export interface WorldTask<State> {
  readonly instruction: string;
  readonly start: State | Frozen<State>;
  /** Results are reported by family. Default: the name of the env. */
  readonly family?: string;
  /** The canonical content for fingerprints. Default: instruction and start. */
  readonly content?: Json;
}

/** The result of an action. */
export interface TextStep<State> {
  readonly state: State | Frozen<State>;
  /** The reward terms by name, such as `{ sorted: 1 }`. A term that is undefined is left out. Default: none, even where the task is solved. */
  readonly reward?: Readonly<Record<string, number | undefined>>;
  /** Ends the episode. */
  readonly outcome?: 'solved' | 'failed';
}

/** The result of an action that was refused. */
export interface RefusedTurn<State> {
  /** Default: the state stays as it is. */
  readonly state?: State | Frozen<State>;
  /** The reward terms by name. Default: none. */
  readonly reward?: Readonly<Record<string, number | undefined>>;
}

export interface WorldExperts<State, Act, Obs, Settings> {
  /** Actions that solve the task from its start. It may use hidden facts. */
  planner?(start: Frozen<State>, config: Settings, task: TaskRef): readonly Act[];
  /** Plays from turns alone, one object per episode. `rng` breaks ties. */
  searcher?(rng: Rng, config: Settings): Searcher<Obs, Act>;
}

export interface WorldAudit<State, Act, Settings> {
  /**
   * The same state with hidden facts changed, and a test for actions that may show the difference. Undefined
   * where nothing is hidden. Until such an action is performed, both states must look the same.
   */
  swapHidden?(
    state: Frozen<State>,
    rng: Rng,
    config: Settings,
  ): { readonly state: State | Frozen<State>; reveals(action: Act): boolean } | undefined;
  /** Texts that no observation, action list or key of the task may contain. */
  secrets?(start: Frozen<State>, config: Settings): readonly string[];
  /** An audit of the world's own rules, such as its verifier. It tries about `tasks` tasks of each kind or level. */
  rules?(tasks: number, config: Settings): RulesAudit;
}

const callable = z.custom((value) => typeof value === 'function', 'must be a function');
const schema = z.custom((value) => value instanceof z.ZodType, 'is no zod schema');
const size = z.int().positive();
const worldSchema = z.strictObject({
  id: z.string(),
  summary: z.string(),
  config: schema.optional(),
  turnLimit: z.union([size, callable]),
  panels: z
    .record(
      z.string().min(1),
      z.union([
        size,
        z.strictObject({
          size,
          purpose: z.enum(['train', 'dev', 'held-out']).optional(),
          summary: z.string().optional(),
        }),
      ]),
    )
    .refine((panels) => Object.keys(panels).length > 0, 'names no panel'),
  deterministic: z.boolean().optional(),
  state: schema.optional(),
  action: z
    .looseObject({ schema, print: callable, parse: callable, isSample: callable.optional() })
    .optional(),
  observation: z.strictObject({ schema, print: callable }).optional(),
  task: callable,
  observe: callable,
  actions: callable,
  accepts: callable.optional(),
  step: callable,
  refuse: callable.optional(),
  features: callable.optional(),
  target: callable.optional(),
  information: callable.optional(),
  key: callable.optional(),
  experts: z.strictObject({ planner: callable.optional(), searcher: callable.optional() }).optional(),
  audit: z
    .strictObject({
      swapHidden: callable.optional(),
      secrets: callable.optional(),
      rules: callable.optional(),
    })
    .optional(),
  recipes: z.unknown().optional(),
  catalogue: z.unknown().optional(),
  bench: z.unknown().optional(),
  unchecked: z.unknown().optional(),
});

/**
 * Validates the members of a world.
 *
 * @throws UsageError where a member is missing, unknown or of the wrong type
 */
export function assertWorld(world: { readonly id: string }): void {
  const parsed = worldSchema.safeParse(world);
  if (parsed.success) return;
  throw new UsageError({
    where: `defineTextEnv of ${world.id}`,
    what: `${describeIssues(parsed.error)}.`,
    fix: 'Fix these members. The documentation of TextWorld describes each one.',
  });
}
