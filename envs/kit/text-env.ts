import { z } from 'zod';
import type { Context } from '../core/context.ts';
import {
  defineEnv,
  type Audit,
  type Env,
  type EnvDefinition,
  type EnvHost,
  type EnvId,
  type Experts,
} from '../core/env.ts';
import { messageOf, UsageError } from '../core/errors.ts';
import { describeIssues } from '../core/issues.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import { reward, type StepResult, type Turn } from '../core/step.ts';
import { assertTask, type PanelInfo, type TaskRef } from '../core/task.ts';
import type { Reply } from '../core/textual.ts';

/** What a world is shown of its state: it cannot be changed in place. */
export type Frozen<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
  : Value;

/**
 * A world of words for one player: its state is one JSON value, what is seen and done are texts. Without configuration. The state is
 * kept as JSON gives it back, keys sorted, and frozen. Its type is that of `start`; where that says too little, say it there:
 * `const start: Board = …`.
 */
export interface TextWorld<Id extends EnvId, State> {
  readonly id: Id;
  readonly summary: string;
  /** Steps after which an episode has failed. */
  readonly turnLimit: number;
  /** How many tasks each panel has, by name; all but `train` and `dev` are held out. */
  readonly panels: Readonly<Record<string, number>>;
  /** Where a step draws from `context.rng`: `false`. */
  readonly deterministic?: boolean;
  /** What a task asks for, and the state that it begins in. Results are told by family; left out, all tasks are of one. */
  task(ref: TaskRef): { readonly instruction: string; readonly start: State; readonly family?: string };
  /** What the player reads. */
  observe(state: Frozen<State>): string;
  /** The actions that would do something here; any other changes nothing and counts as the player's error. Never empty. */
  actions(state: Frozen<State>): readonly string[];
  /** Does one of `actions` and gives back what comes of it; not `async`. */
  step(state: Frozen<State>, action: string, context: Context): TextStep<State>;
  /**
   * What the player can know of a state, where it is less than all of it: equal knowledge of a task is one decision. What has been seen
   * so far must then be part of the state.
   */
  known?(state: Frozen<State>): Json;
  readonly experts?: Experts<string, string>;
  readonly audit?: Audit<string>;
}

/** What comes of an action. */
export interface TextStep<State> {
  readonly state: State | Frozen<State>;
  /** What it earned, by name, such as `{ sorted: 1 }`; nothing when left out, also where the task is solved. */
  readonly reward?: Readonly<Record<string, number>>;
  /** Ends the episode. */
  readonly outcome?: 'solved' | 'failed';
}

const noConfig = z.strictObject({});

/**
 * An env of a world that is little more than its rules: keys, snapshots, panels and the reading of actions follow from them. What needs
 * settings, an observation that is more than words, several players or something to open takes {@link defineEnv}.
 *
 * @throws UsageError where the world lacks a part, or has one of the wrong type
 */
export function defineTextEnv<const Id extends EnvId, State>(
  world: TextWorld<Id, State>,
): EnvDefinition<Id, typeof noConfig, string, string> {
  assertWorld(world);
  return defineEnv({
    id: world.id,
    summary: world.summary,
    config: noConfig,
    observation: z.string(),
    action: z.string(),
    deterministic: world.deterministic ?? true,
    turnLimit: () => world.turnLimit,
    text: { observation: (text) => text, action: (text) => text, parse },
    open: () => Promise.resolve(hostOf(world)),
  });
}

/** An action is a line of words. */
function parse(text: string): Reply<string> {
  const action = text.trim();
  if (action === '') return { kind: 'malformed', why: 'Nothing was said. Say one of the actions.', text };
  if (/[\r\n]/.test(action)) return { kind: 'malformed', why: 'Say one action, on one line.', text };
  return { kind: 'action', action };
}

function hostOf<State>(world: TextWorld<EnvId, State>): EnvHost<string, string> {
  const panels = Object.entries(world.panels).map(([name, size]) => panelOf(world.id, name, size));
  const taskOf = (ref: TaskRef): Task<State> => {
    assertTask({ panels }, world.id, ref);
    const place = `${world.id}, task ${ref.panel}/${ref.index}`;
    const {
      instruction,
      start,
      family = familyOf(world.id),
    } = checked(place, 'task', taskSchema, world.task(ref));
    return { place, instruction, family, start: keep<State>(place, start) };
  };
  return {
    panels,
    identity: { turnLimit: world.turnLimit },
    describeTask: (ref) => {
      const { family, instruction, start } = taskOf(ref);
      return { family, instruction, content: { instruction, start: start.json } };
    },
    create: () => Promise.resolve(envOf(world, taskOf)),
    close: () => Promise.resolve(),
    ...(world.experts === undefined ? {} : { experts: world.experts }),
    ...(world.audit === undefined ? {} : { audit: world.audit }),
  };
}

function envOf<State>(
  world: TextWorld<EnvId, State>,
  taskOf: (ref: TaskRef) => Task<State>,
): Env<string, string> {
  let now: Kept<State>;
  let task = world.id as string; // for errors: which task, where one has begun
  let steps = 0;
  const place = (): string => `${task}, step ${steps}`;
  const actions = (): readonly string[] =>
    checked(place(), 'actions', actionsSchema, world.actions(now.state));
  const observation = (): string => checked(place(), 'observe', z.string(), world.observe(now.state));
  const turn = (): Turn<string, string> => ({
    observation: observation(),
    stateKey: now.key,
    anchorKey: world.known === undefined ? now.key : jsonOf(place(), 'known', world.known(now.state)),
    admissible: [...actions()],
    stepsLeft: undefined,
    seat: 0,
  });
  return {
    reset: async (ref) => {
      const { instruction, start, place: begun } = taskOf(ref);
      [now, task, steps] = [start, begun, 0];
      return { ...turn(), instruction };
    },
    step: async (action, context): Promise<StepResult<string, string>> => {
      steps += 1;
      const inadmissible = !actions().includes(action);
      if (inadmissible) return { kind: 'ongoing', ...turn(), reward: reward({}), inadmissible };
      const {
        state,
        reward: earned = {},
        outcome,
      } = checked(place(), 'step', stepSchema, world.step(now.state, action, context));
      now = keep<State>(place(), state);
      const result = { reward: reward(earned), inadmissible };
      if (outcome === undefined) return { kind: 'ongoing', ...turn(), ...result };
      return { kind: 'terminated', outcome, observation: observation(), stateKey: now.key, ...result };
    },
    close: () => Promise.resolve(),
    snapshots: {
      take: () => ({ world: now.json, episode: {}, steps: 0 }),
      restore: ({ world: saved }) => {
        now = keep<State>(place(), saved);
        return turn();
      },
    },
  };
}

interface Task<State> {
  /** Env and task, for errors. */
  readonly place: string;
  readonly instruction: string;
  readonly family: string;
  readonly start: Kept<State>;
}

/** A state: the frozen copy, which the world is shown, and its one text, which equal states share. */
interface Kept<State> {
  readonly state: Frozen<State>;
  readonly json: Json;
  readonly key: string;
}

/** A copy, so that neither the world's own constants are frozen nor a change to them reaches a state, a snapshot or a group. */
function keep<State>(place: string, state: unknown): Kept<State> {
  const key = jsonOf(place, 'the state', state);
  const json = freeze(JSON.parse(key) as Json);
  return { state: json as Frozen<State>, json, key }; // equal to what the world gave, which has that type
}

/** Its one text, or a {@link UsageError} that says what of it is no JSON. */
function jsonOf(place: string, of: string, value: unknown): string {
  try {
    return canonicalJson(value);
  } catch (thrown) {
    throw new UsageError({
      where: `${place}, ${of}`,
      what: `it is no JSON: ${messageOf(thrown)}.`,
      mend: 'Make it of plain objects, lists, texts, finite numbers, booleans and null.',
    });
  }
}

function freeze(value: Json): Json {
  if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value) as Json[]) freeze(part);
    Object.freeze(value);
  }
  return value;
}

function panelOf(id: EnvId, name: string, size: number): PanelInfo {
  return {
    name,
    size,
    purpose: name === 'train' || name === 'dev' ? name : 'held-out',
    summary: `${size} tasks of ${id}`,
  };
}

/** `my-lab/sort-v1` has the family `sort`. */
const familyOf = (id: EnvId): string => id.replace(/^.*\//, '').replace(/-v\d+$/, '');

const given = z.unknown().refine((value) => value !== undefined, 'is left out');
const taskSchema = z.strictObject({
  instruction: z.string().min(1),
  start: given,
  family: z.string().min(1).optional(),
});
const actionsSchema = z.array(z.string());
const stepSchema = z.strictObject({
  state: given,
  reward: z
    .record(
      z.string(),
      z.custom<number>((value) => typeof value === 'number', 'expected number'),
    )
    .optional(), // that it is finite is asked of every env
  outcome: z.enum(['solved', 'failed']).optional(),
});
const callable = z.custom((value) => typeof value === 'function', 'is no function');
const worldSchema = z.strictObject({
  id: z.string(),
  summary: z.string(),
  turnLimit: z.int().positive(),
  panels: z
    .record(z.string().min(1), z.int().positive())
    .refine((panels) => Object.keys(panels).length > 0, 'names no panel'),
  deterministic: z.boolean().optional(),
  task: callable,
  observe: callable,
  actions: callable,
  step: callable,
  known: callable.optional(),
  experts: z.strictObject({ planner: callable.optional(), searcher: callable.optional() }).optional(),
  audit: z.strictObject({ swapHidden: callable.optional(), secrets: callable.optional() }).optional(),
});

function assertWorld(world: TextWorld<EnvId, unknown>): void {
  const parsed = worldSchema.safeParse(world);
  if (parsed.success) return;
  throw new UsageError({
    where: `defineTextEnv of ${world.id}`,
    what: `${describeIssues(parsed.error)}.`,
    mend: 'Mend the parts named; the documentation of TextWorld says what each is.',
  });
}

/** What each call is to give back. */
const wanted = {
  task: '{ instruction, start, family? }',
  step: '{ state, reward?, outcome? }',
  observe: 'a text',
  actions: 'a list of texts',
} as const;

/** What the world gave back, or a {@link UsageError} that says what is wrong with it: it was written wrongly, and would be so again. */
function checked<Value>(
  place: string,
  call: keyof typeof wanted,
  schema: z.ZodType<Value>,
  value: unknown,
): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const isPromise = value instanceof Promise;
  throw new UsageError({
    where: `${place}, ${call}`,
    what: isPromise
      ? 'it gave back a promise.'
      : `what it gave back will not do: ${describeIssues(parsed.error)}.`,
    mend: isPromise ? 'Write it without async.' : `Give back ${wanted[call]}.`,
  });
}
