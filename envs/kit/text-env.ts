import { z } from 'zod';
import {
  defineEnv,
  type Audit,
  type Env,
  type EnvDefinition,
  type EnvHost,
  type EnvId,
  type Experts,
  type Snapshot,
} from '../core/env.ts';
import { UsageError } from '../core/errors.ts';
import { describeIssues } from '../core/issues.ts';
import { canonicalJson } from '../core/json.ts';
import type { Rng } from '../core/rng.ts';
import { reward, type Reward, type StepResult, type Turn } from '../core/step.ts';
import { assertTask, type PanelInfo, type TaskRef } from '../core/task.ts';
import type { Reply } from '../core/textual.ts';
import { jsonText, keepState, readSnapshot, type KeptState } from './snapshot.ts';
import {
  assertWorld,
  noConfig,
  type ActionWords,
  type ObservationWords,
  type TextWorld,
  type WorldAudit,
  type WorldExperts,
  type WorldPanel,
  type WorldTask,
} from './text-world.ts';

/** Makes a part mandatory where its values are more than strings. */
type Required<Part extends string, Value> = string extends Value ? unknown : Readonly<Record<Part, object>>;

/**
 * Defines an env by the rules of a world. Keys, snapshots, panels and the parsing of actions follow from the
 * rules. Use {@link defineEnv} for several players, or for resources that must be opened and closed.
 *
 * @throws UsageError where a part of the world is missing or has the wrong type
 */
export function defineTextEnv<
  const Id extends EnvId,
  State,
  Config extends z.ZodType = typeof noConfig,
  Act = string,
  Obs = string,
>(
  world: TextWorld<Id, State, Config, Act, Obs> &
    Required<'action', NoInfer<Act>> &
    Required<'observation', NoInfer<Obs>>,
): EnvDefinition<Id, Config, NoInfer<Obs>, NoInfer<Act>> {
  assertWorld(world);
  const { turnLimit, recipes, bench, catalogue, unchecked } = world;
  const words = wordsOf<Act, Obs>(world);
  return defineEnv({
    id: world.id,
    summary: world.summary,
    config: (world.config ?? noConfig) as Config, // without a config its type is that of `noConfig`
    observation: words.observation.schema,
    action: words.action.schema,
    deterministic: world.deterministic ?? true,
    turnLimit: typeof turnLimit === 'number' ? () => turnLimit : turnLimit,
    text: {
      observation: words.observation.print,
      action: words.action.print,
      parse: words.action.parse,
      ...(words.action.isSample === undefined ? {} : { isSample: words.action.isSample }),
      ...(world.features === undefined ? {} : { features: world.features.bind(world) }),
      ...(world.target === undefined ? {} : { target: world.target.bind(world) }),
    },
    ...(recipes === undefined ? {} : { recipes }),
    ...(bench === undefined ? {} : { bench }),
    ...(catalogue === undefined ? {} : { catalogue }),
    ...(unchecked === undefined ? {} : { unchecked }),
    open: async (config) => hostOf({ world, words, config }),
  });
}

interface Words<Act, Obs> {
  readonly action: ActionWords<Act>;
  readonly observation: ObservationWords<Obs>;
}

const plainAction: ActionWords<string> = { schema: z.string(), print: (text) => text, parse: parseLine };
const plainObservation: ObservationWords<string> = { schema: z.string(), print: (text) => text };

/**
 * The words of a world. Without its own words, actions and observations are strings. The type of {@link
 * defineTextEnv} requires this, so the casts are safe.
 */
function wordsOf<Act, Obs>({
  action = plainAction as unknown as ActionWords<Act>,
  observation = plainObservation as unknown as ObservationWords<Obs>,
}: Partial<Words<Act, Obs>>): Words<Act, Obs> {
  return { action, observation };
}

/** Parses an action: one line of words. */
function parseLine(text: string): Reply<string> {
  const action = text.trim();
  if (action === '') return { kind: 'malformed', why: 'Nothing was said. Say one of the actions.', text };
  if (/[\r\n]/.test(action)) return { kind: 'malformed', why: 'Say one action, on one line.', text };
  return { kind: 'action', action };
}

/** A world that was opened with a config. */
interface Opened<State, Config extends z.ZodType, Act, Obs> {
  readonly world: TextWorld<EnvId, State, Config, Act, Obs>;
  readonly words: Words<Act, Obs>;
  readonly config: z.output<Config>;
}

interface Task<State> extends Omit<WorldTask<State>, 'start'> {
  /** Env and task, for errors. */
  readonly place: string;
  readonly start: KeptState<State>;
}

function hostOf<State, Config extends z.ZodType, Act, Obs>(
  opened: Opened<State, Config, Act, Obs>,
): EnvHost<Obs, Act> {
  const { world, config } = opened;
  const { experts, audit, turnLimit } = world;
  const panels = Object.entries(world.panels).map(([name, panel]) => panelOf(world.id, name, panel));
  const read = (ref: TaskRef): Task<State> => {
    assertTask({ panels }, world.id, ref);
    const place = `${world.id}, task ${ref.panel}/${ref.index}`;
    const task = world.task(ref, config);
    checked(place, 'task', taskSchema, task);
    return { ...task, place, start: keepState<State>(place, task.start) };
  };
  return {
    panels,
    // A numeric limit is not part of the config, but results with different limits must have different
    // fingerprints.
    ...(typeof turnLimit === 'number' ? { identity: { ...recordSchema.parse(config), turnLimit } } : {}),
    describeTask: (ref) => {
      const { instruction, start, family = familyOf(world.id), content } = read(ref);
      return { family, instruction, content: content ?? { instruction, start: start.json } };
    },
    create: async () => envOf(opened, read),
    close: () => Promise.resolve(),
    ...(experts === undefined ? {} : { experts: expertsOf(experts, config, read) }),
    ...(audit === undefined ? {} : { audit: auditOf(audit, opened, read) }),
  };
}

function expertsOf<State, Act, Obs, Settings>(
  experts: WorldExperts<State, Act, Obs, Settings>,
  config: Settings,
  read: (ref: TaskRef) => Task<State>,
): Experts<Obs, Act> {
  const planner = experts.planner?.bind(experts);
  const searcher = experts.searcher?.bind(experts);
  return {
    ...(planner === undefined ? {} : { planner: (ref) => planner(read(ref).start.state, config, ref) }),
    ...(searcher === undefined ? {} : { searcher: (rng) => searcher(rng, config) }),
  };
}

function auditOf<State, Config extends z.ZodType, Act, Obs>(
  audit: WorldAudit<State, Act, z.output<Config>>,
  opened: Opened<State, Config, Act, Obs>,
  read: (ref: TaskRef) => Task<State>,
): Audit<Act> {
  const { world, config } = opened;
  const place = `${world.id}, audit`;
  const swapHidden = audit.swapHidden?.bind(audit);
  const secrets = audit.secrets?.bind(audit);
  const rules = audit.rules?.bind(audit);
  const swap = (snapshot: Snapshot, rng: Rng) => {
    const { state } = keepState<State>(place, restored(opened, snapshot));
    const swapped = swapHidden?.(state, rng, config);
    if (swapped === undefined) return undefined;
    checked(place, 'swapHidden', swappedSchema, swapped);
    const { json } = keepState<State>(place, swapped.state);
    return {
      snapshot: { ...snapshot, world: json },
      reveals: (action: Act) => swapped.reveals(action),
    };
  };
  return {
    ...(swapHidden === undefined ? {} : { swapHidden: swap }),
    ...(secrets === undefined ? {} : { secrets: (ref) => secrets(read(ref).start.state, config) }),
    ...(rules === undefined ? {} : { rules: (tasks) => rules(tasks, config) }),
  };
}

/** The state of a snapshot. Without a schema the snapshot is trusted to belong to this world. */
function restored<State, Config extends z.ZodType, Act, Obs>(
  { world }: Opened<State, Config, Act, Obs>,
  snapshot: Snapshot,
): State {
  if (world.state === undefined) return snapshot.world as State;
  return readSnapshot(z.object({ world: world.state, episode: z.unknown() }), snapshot, world.id).world;
}

function envOf<State, Config extends z.ZodType, Act, Obs>(
  opened: Opened<State, Config, Act, Obs>,
  taskOf: (ref: TaskRef) => Task<State>,
): Env<Obs, Act> {
  const { world, words, config } = opened;
  const listSchema = z.array(words.action.schema);
  const hasPlainActions = (words as Words<unknown, unknown>).action === plainAction;
  const hasPlainObservations = (words as Words<unknown, unknown>).observation === plainObservation;
  let now: KeptState<State>;
  let listed: { readonly in: KeptState<State>; readonly actions: readonly Act[] } | undefined;
  let task = world.id as string; // for errors: the task, once one has started
  let steps = 0;
  const place = (): string => `${task}, step ${steps}`;
  /** The actions of the present state. They are listed once for each state. */
  const actions = (): readonly Act[] => {
    if (listed?.in === now) return listed.actions;
    const given = world.actions(now.state, config);
    const isSound = hasPlainActions && areStrings(given);
    listed = { in: now, actions: isSound ? [...given] : checked(place(), 'actions', listSchema, given) };
    return listed.actions;
  };
  const observation = (): Obs => {
    const given = world.observe(now.state, config);
    if (hasPlainObservations && typeof given === 'string') return given;
    return checked(place(), 'observe', words.observation.schema, given);
  };
  const stateKey = (): string => (world.key === undefined ? now.text : world.key(now.state));
  const turn = (): Turn<Obs, Act> => ({
    observation: observation(),
    stateKey: stateKey(),
    anchorKey:
      world.information === undefined
        ? stateKey()
        : jsonText(place(), 'information', world.information(now.state, config)),
    admissible: [...actions()],
    stepsLeft: undefined,
    seat: 0,
  });
  const isAdmissible = (action: Act): boolean => {
    if (typeof action === 'string' ? actions().includes(action) : isListed(action, actions())) return true;
    return world.accepts?.(now.state, action, config) === true;
  };
  /** Refuses an action, and returns what that costs. */
  const refuse = (action: Act): Reward => {
    if (world.refuse === undefined) return reward({});
    const refused = world.refuse(now.state, action, config);
    const { reward: earned } = checked(place(), 'refuse', refusalSchema, refused);
    if (refused.state !== undefined) now = keepState<State>(place(), refused.state);
    return reward(earned === undefined ? {} : definedTerms(earned));
  };
  return {
    reset: async (ref) => {
      const { instruction, start, place: begun } = taskOf(ref);
      [now, task, steps] = [start, begun, 0];
      return { ...turn(), instruction };
    },
    step: async (action, context): Promise<StepResult<Obs, Act>> => {
      steps += 1;
      const inadmissible = !isAdmissible(action);
      if (inadmissible) return { kind: 'ongoing', reward: refuse(action), ...turn(), inadmissible };
      const done = world.step(now.state, action, context, config);
      const isSound = isSoundStep(done);
      const { reward: earned, outcome } = isSound ? done : checked(place(), 'step', stepSchema, done);
      now = keepState<State>(place(), done.state);
      const result = { reward: reward(earned === undefined ? {} : definedTerms(earned)), inadmissible };
      if (outcome === undefined) return { kind: 'ongoing', ...turn(), ...result };
      return { kind: 'terminated', outcome, observation: observation(), stateKey: stateKey(), ...result };
    },
    close: () => Promise.resolve(),
    snapshots: {
      take: () => ({ world: now.json, episode: {}, steps: 0 }),
      restore: (snapshot) => {
        now = keepState<State>(place(), restored(opened, snapshot));
        return turn();
      },
    },
  };
}

function isListed<Act>(action: Act, list: readonly Act[]): boolean {
  const text = canonicalJson(action);
  return list.some((one) => canonicalJson(one) === text);
}

function panelOf(id: EnvId, name: string, panel: number | WorldPanel): PanelInfo {
  const given: WorldPanel = typeof panel === 'number' ? { size: panel } : panel;
  const {
    size,
    purpose = name === 'train' || name === 'dev' ? name : 'held-out',
    summary = `${size} tasks of ${id}`,
  } = given;
  return { name, size, purpose, summary };
}

/** `my-lab/sort-v1` has the family `sort`. */
const familyOf = (id: EnvId): string => id.replace(/^.*\//, '').replace(/-v\d+$/, '');

const recordSchema = z.record(z.string(), z.json());
const given = z.unknown().refine((value) => value !== undefined, 'is missing');
const taskSchema = z.strictObject({
  instruction: z.string().min(1),
  start: given,
  family: z.string().min(1).exactOptional(),
  content: z.json().exactOptional(),
});
const rewardSchema = z
  .record(z.string(), z.custom<number>((value) => typeof value === 'number', 'expected number').optional())
  .optional(); // every env is checked for finite rewards later
const refusalSchema = z.strictObject({ state: z.unknown().optional(), reward: rewardSchema });
const stepSchema = z.strictObject({
  state: given,
  reward: rewardSchema,
  outcome: z.enum(['solved', 'failed']).optional(),
});
/** Whether a step without a reward is what {@link stepSchema} accepts. It is quicker than the schema. */
function isSoundStep(done: unknown): done is { readonly state: unknown } {
  if (typeof done !== 'object' || done === null || Object.getPrototypeOf(done) !== Object.prototype)
    return false;
  const keys = Object.keys(done);
  return keys.length === 1 && keys[0] === 'state' && 'state' in done && done.state !== undefined;
}

const areStrings = (list: unknown): boolean =>
  Array.isArray(list) && list.every((item) => typeof item === 'string');

/** The terms that were earned: branches of a `step` may leave each other's terms undefined. */
const definedTerms = (
  terms: Readonly<Record<string, number | undefined>>,
): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(terms).filter((term): term is [string, number] => term[1] !== undefined));

const swappedSchema = z.strictObject({
  state: given,
  reveals: z.custom((value) => typeof value === 'function', 'must be a function'),
});

/** What each call must return. */
const wanted = {
  task: '{ instruction, start, family?, content? }',
  step: '{ state, reward?, outcome? }',
  refuse: '{ state?, reward? }',
  observe: 'a value of the observation schema, by default a string',
  actions: 'an array of values of the action schema, by default strings',
  swapHidden: '{ state, reveals } or undefined',
} as const;

/**
 * Returns the value that the world returned.
 *
 * @throws UsageError that says why the value is invalid
 */
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
      ? 'it returned a promise.'
      : `its return value is invalid: ${describeIssues(parsed.error)}.`,
    fix: isPromise ? 'Remove async from it.' : `Return ${wanted[call]}.`,
  });
}
