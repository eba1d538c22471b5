import { z } from 'zod';
import type { ResetContext } from '../../core/context.ts';
import { defineEnv, type EnvDefinition, type EnvHost, type EnvId, type Searcher } from '../../core/env.ts';
import { UsageError } from '../../core/errors.ts';
import type { EnvBench, EnvCatalogue, EnvRecipes } from '../../core/presets.ts';
import type { Rng } from '../../core/rng.ts';
import { assertTask, type PanelInfo, type TaskRef } from '../../core/task.ts';
import { LruCache } from '../../kit/lru-cache.ts';
import { ends, toolActionSchema, type End, type ToolAction } from './action.ts';
import { parseAction, printAction } from './call-text.ts';
import { ToolEnv } from './env.ts';
import { checkedParts } from './failed-checks.ts';
import type { Grader } from './grader.ts';
import { instructionFor } from './manual.ts';
import {
  printObservation,
  printResults,
  toolObservationSchema,
  type ToolObservation,
} from './observation.ts';
import { planFor } from './plan.ts';
import type { ToolRules } from './rules.ts';
import type { ErrorWording } from './run-call.ts';
import {
  settingsOf,
  toolSettings,
  withDefaults,
  type SettingDefaults,
  type ToolSettings,
} from './settings.ts';
import { swapHiddenIn } from './swap-hidden.ts';
import { freezeDeep, type AnyRow, type TableSchemas } from './tables.ts';
import { readTask, type ReadTask, type ToolTask } from './task.ts';
import { RunnableTool, type Tool } from './tool.ts';
import { toolWords } from './tool-words.ts';
import { scriptedUser, type UserSimulator } from './user.ts';
import { WorldState } from './world.ts';

/** What an author writes: data, tools and tasks. */
export interface ToolWorld<Schemas extends TableSchemas> {
  /** The schemas of the tables, by name. Rows are JSON objects with an `id`. */
  readonly tables: Schemas;
  readonly tools: readonly Tool[];
  /** The size of each panel. All panels but `train` and `dev` are held out. */
  readonly panels: Readonly<Record<string, number>>;
  /** Returns the task. It depends on its arguments alone. */
  task(ref: TaskRef): ToolTask<Schemas>;
  /** What the agent is and may do, for the instruction. */
  readonly policy?: string;
  /** Rules that forbid requests, by name. With them, an agent can refuse a request by a rule. */
  readonly rules?: Readonly<Record<string, string>>;
  /** What users can be asked for, such as `email`. It is the same for all tasks. */
  readonly slots?: readonly string[];
  /** Tools of the user. {@link scriptedUser} uses one without arguments when the agent asks for it. */
  readonly userTools?: readonly Tool[];
  /** Default: {@link scriptedUser}. */
  readonly user?: UserSimulator;
  /** Plays from turns alone, one object per episode. `rng` breaks ties. */
  searcher?(rng: Rng): Searcher<ToolObservation, ToolAction>;
  /** Grades by rules of the world's own. Default: the end state, what was communicated and read, and the right end. */
  readonly grader?: Grader;
  /** How requests can end. Default: all ends. */
  readonly ends?: readonly End[];
  /** Writes errors of calls in the world's own words. Default: code and message. */
  readonly wordError?: ErrorWording;
  /** A plan of the world's own. Default: the gold calls, then what must be communicated, then the end. */
  plan?(ref: TaskRef): readonly ToolAction[];
  /** Releases what the world holds, such as connections. */
  close?(): Promise<void>;
}

/** An env of tools. */
export interface ToolEnvParts<Id extends EnvId, Schemas extends TableSchemas, Shape extends z.ZodRawShape> {
  readonly id: Id;
  readonly summary: string;
  /** Config keys of the env, each with a default, beside those of the kit. */
  readonly settings?: Shape;
  /** Defaults of the kit's settings that suit this env better. */
  readonly defaults?: SettingDefaults;
  /** The world, or one for each config. Use `context` to read files. */
  readonly world:
    | ToolWorld<Schemas>
    | ((
        config: z.output<z.ZodObject<Shape>>,
        context: ResetContext,
      ) => ToolWorld<Schemas> | Promise<ToolWorld<Schemas>>);
  readonly recipes?: EnvRecipes;
  readonly catalogue?: EnvCatalogue;
  readonly bench?: EnvBench;
}

type SettingsShape = typeof toolSettings;

/**
 * Defines an env over a world of typed tools. Actions, keys, snapshots, rewards, grading, the planner, the
 * list of calls and the audit of hidden facts follow from data, tools and tasks.
 *
 * @throws UsageError for a setting whose name the kit uses
 */
export function defineToolEnv<
  const Id extends EnvId,
  Schemas extends TableSchemas,
  Shape extends z.ZodRawShape = Record<never, never>,
>(
  parts: ToolEnvParts<Id, Schemas, Shape>,
): EnvDefinition<Id, z.ZodObject<Shape & SettingsShape>, ToolObservation, ToolAction> {
  const { id, summary, settings = {}, defaults = {}, world, recipes, bench, catalogue } = parts;
  const clash = Object.keys(settings).find((key) => Object.hasOwn(toolSettings, key));
  if (clash !== undefined)
    throw new UsageError({
      where: `defineToolEnv of ${id}`,
      what: `the setting ${clash} belongs to the kit.`,
      fix: 'Give it another name.',
    });
  const own = z.object(settings as Shape); // `{}` has the type of the default
  return defineEnv({
    id,
    summary,
    config: z.strictObject({ ...settings, ...withDefaults(defaults) }) as z.ZodObject<Shape & SettingsShape>,
    observation: toolObservationSchema,
    action: toolActionSchema,
    deterministic: true,
    turnLimit: (config) => settingsOf(config).maxSteps,
    text: {
      observation: printObservation,
      toolResults: printResults,
      action: printAction,
      parse: parseAction,
      isSample: () => true,
      // the tools of a world that depends on the config are known only when it is opened
      ...(typeof world === 'function' ? {} : { tools: toolWords(world) }),
    },
    feedback: checkedParts,
    unchecked: { secrets: 'the facts of a world are what its tools are there to show' },
    ...(recipes === undefined ? {} : { recipes }),
    ...(catalogue === undefined ? {} : { catalogue }),
    ...(bench === undefined ? {} : { bench }),
    open: async (config, context) => {
      const opened = typeof world === 'function' ? await world(own.parse(config), context) : world;
      return openWorld(id, opened as unknown as ToolWorld<TableSchemas>, settingsOf(config));
    },
  });
}

/** Tasks that are kept ready. */
const keptTasks = 512;

function openWorld(
  id: EnvId,
  world: ToolWorld<TableSchemas>,
  settings: ToolSettings,
): EnvHost<ToolObservation, ToolAction> {
  assertNames(id, world);
  if (world.grader !== undefined && settings.grading === 'results')
    throw new UsageError({
      where: `config of ${id}, grading`,
      what: 'results is no way to grade this env, which has criteria of its own.',
      fix: 'Leave grading out.',
    });
  const panels = Object.entries(world.panels).map(([name, size]): PanelInfo => {
    const purpose = name === 'train' || name === 'dev' ? name : 'held-out';
    return { name, size, purpose, summary: `${size} tasks of ${id}` };
  });
  const tasks = new LruCache<string, ReadTask>(keptTasks);
  const rules: ToolRules = {
    id,
    settings,
    limits: { resultCharacters: settings.resultCharacters, timeMs: settings.timeMs },
    userTools: (world.userTools ?? []).map((tool) => runnable(id, tool)),
    user: world.user ?? scriptedUser,
    slots: world.slots ?? [],
    rules: world.rules ?? {},
    ends: world.ends ?? ends,
    grader: world.grader,
    wordError: world.wordError,
    task: ({ panel, index }) =>
      tasks.get(`${panel}/${index}`, () => {
        assertTask({ panels }, id, { panel, index });
        return readTask(`${id}, task ${panel}/${index}`, world.tables, world.task({ panel, index }));
      }),
    toolsWithout: offeredTools(world.tools.map((tool) => runnable(id, tool))),
    worldOf: (task, swapped, saved) =>
      new WorldState({
        schemas: world.tables,
        start: task.start,
        facts: withSwapped(task.facts, swapped),
        ...(saved === undefined ? {} : { changes: saved.world, reads: saved.episode.reads }),
      }),
  };
  const instructionOf = (ref: TaskRef): string => {
    const task = rules.task(ref);
    return instructionFor({
      policy: world.policy,
      rules: rules.rules,
      request: rules.user.open === undefined ? (task.requests[0]?.says ?? '') : undefined,
      before: task.before,
      tools: settings.manual ? [...rules.toolsWithout(task.withheld).values()] : undefined,
      slots: rules.slots,
      ends: rules.ends,
    });
  };
  return {
    panels,
    describeTask: (ref) => {
      const task = rules.task(ref);
      const family = task.family ?? id.replace(/^.*\//, '').replace(/-v\d+$/, '');
      return { family, instruction: instructionOf(ref), content: task.content };
    },
    create: () => Promise.resolve(new ToolEnv(rules, instructionOf)),
    close: async () => await world.close?.(),
    experts: {
      planner: (ref) => world.plan?.(ref) ?? planFor(rules.task(ref)),
      ...(world.searcher === undefined ? {} : { searcher: world.searcher.bind(world) }),
    },
    audit: { swapHidden: swapHiddenIn(rules) },
    tools: toolWords(world),
  };
}

function assertNames(id: EnvId, { tools, userTools = [] }: ToolWorld<TableSchemas>): void {
  const names = [...tools, ...userTools].map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  const taken = names.find((name) => ['say', 'done', 'refuse', 'transfer'].includes(name));
  if (twice === undefined && taken === undefined) return;
  throw new UsageError({
    where: `defineToolEnv of ${id}`,
    what: `the name ${twice ?? taken} is used ${twice === undefined ? 'by the kit' : 'twice'}.`,
    fix: 'Give each tool its own name, and none of say, done, refuse, transfer.',
  });
}

function runnable(id: EnvId, tool: Tool): RunnableTool {
  if (tool instanceof RunnableTool) return tool;
  throw new UsageError({
    where: `defineToolEnv of ${id}, tool ${tool.name}`,
    what: 'it is no tool of this package.',
    fix: 'Make it with defineTool.',
  });
}

/** The tools of a task. Most tasks have all, so that the map of all is made once. */
function offeredTools(
  tools: readonly RunnableTool[],
): (withheld: ReadonlySet<string>) => ReadonlyMap<string, RunnableTool> {
  const all = new Map(tools.map((tool) => [tool.name, tool]));
  return (withheld) =>
    withheld.size === 0 ? all : new Map([...all].filter(([name]) => !withheld.has(name)));
}

function withSwapped(
  facts: ReadTask['facts'],
  swapped: Readonly<Record<string, Readonly<Record<string, AnyRow>>>>,
): ReadTask['facts'] {
  const tables = Object.entries(swapped);
  if (tables.length === 0) return facts;
  const merged = new Map(facts);
  for (const [table, rows] of tables) {
    const own = new Map(merged.get(table));
    for (const row of Object.values(rows)) own.set(row.id, freezeDeep(row));
    merged.set(table, own);
  }
  return merged;
}
