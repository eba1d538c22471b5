import path from 'node:path';
import { z } from 'zod';
import type { ResetContext } from '../core/context.ts';
import { UsageError } from '../core/errors.ts';
import type { TaskRef } from '../core/task.ts';
import type { Tau2Config } from './config.ts';
import { functionOf, needsJudge } from './criteria.ts';
import { damaged, readJson, readJsonIfThere } from './data-folder.ts';
import type { Domain } from './domain.ts';
import { splitSchema, tau2TaskSchema, type Tau2Task } from './task-file.ts';

/** The tasks of a domain by panel. */
export interface Tau2Tasks {
  readonly file: string;
  readonly panels: ReadonlyMap<string, readonly Tau2Task[]>;
  readonly of: (ref: TaskRef) => Tau2Task;
}

/**
 * Reads the tasks and their split. Tasks that need a judge are left out with `judged=exclude`, and the log reports how many.
 *
 * @throws UsageError for a file that is missing or damaged, and where no task is left
 */
export async function readTasks(
  folder: string,
  domain: Domain,
  config: Pick<Tau2Config, 'tasks' | 'whole' | 'split' | 'dev' | 'judged'>,
  context: ResetContext,
): Promise<Tau2Tasks> {
  const file = path.join(folder, config.tasks);
  const all = await readJson(file, z.array(tau2TaskSchema).min(1));
  assertTasks(file, all, domain);
  const splitFile = path.join(folder, `split_${config.tasks}`);
  const split = await readJsonIfThere(splitFile, splitSchema);
  const byId = new Map(all.map((task) => [task.id, task]));
  const tasksOf = (name: string): readonly Tau2Task[] | undefined =>
    split?.[name]?.map((id) => byId.get(id) ?? unknownTask(`${splitFile}, ${name}`, id, file));
  if (config.whole && split !== undefined && split[config.split] === undefined)
    throw new UsageError({
      where: 'config of tau2-v1, split',
      what: `${splitFile} has no split ${JSON.stringify(config.split)}.`,
      fix: `Choose one of ${Object.keys(split).join(', ')}.`,
    });
  const [train, test] = [tasksOf('train'), tasksOf('test')];
  const chosen =
    config.whole || train === undefined || test === undefined
      ? { [config.whole ? config.split : 'base']: tasksOf(config.whole ? config.split : 'base') ?? all }
      : { ...trainAndDev(train, config.dev), test };
  const isPlayed = (task: Tau2Task): boolean => config.judged !== 'exclude' || !needsJudge(task);
  const panels = new Map(
    Object.entries(chosen)
      .map(([name, tasks]) => [name, tasks.filter(isPlayed)] as const)
      .filter(([, tasks]) => tasks.length > 0),
  );
  report(file, Object.values(chosen).flat(), config.judged, context);
  if (panels.size === 0)
    throw new UsageError({
      where: file,
      what: 'the reward of every task needs a model that judges NL assertions.',
      fix: 'Use --set judged=communicate or judged=ignore.',
    });
  return { file, panels, of: ({ panel, index }) => taskOf(panels, panel, index) };
}

function taskOf(panels: ReadonlyMap<string, readonly Tau2Task[]>, panel: string, index: number): Tau2Task {
  const task = panels.get(panel)?.[index];
  if (task !== undefined) return task;
  throw new UsageError({
    where: `tau2-v1, task ${panel}/${index}`,
    what: 'there is no such task.',
    fix: `Use the panels ${[...panels.keys()].join(', ')}.`,
  });
}

/** The last tasks of train form dev. */
function trainAndDev(
  tasks: readonly Tau2Task[],
  wanted: number,
): { readonly train: readonly Tau2Task[]; readonly dev: readonly Tau2Task[] } {
  const dev = Math.min(wanted, Math.floor(tasks.length / 4));
  return { train: tasks.slice(0, tasks.length - dev), dev: tasks.slice(tasks.length - dev) };
}

function report(
  file: string,
  tasks: readonly Tau2Task[],
  judged: Tau2Config['judged'],
  { path: unit, log }: ResetContext,
): void {
  const count = tasks.filter(needsJudge).length;
  if (count === 0) return;
  const does = {
    exclude: 'left out',
    communicate: 'graded by communicate_info instead',
    ignore: 'graded without them',
  }[judged];
  log.event(unit, {
    type: 'opening-tally',
    part: `${path.basename(path.dirname(file))}/${path.basename(file)}`,
    name: `tasks with NL assertions, which are ${does}`,
    count,
  });
}

function unknownTask(where: string, id: string, file: string): never {
  throw damaged(where, `it names the task ${JSON.stringify(id)}, which ${file} does not have`);
}

/** @throws UsageError for two tasks of one id, and for tools and functions that the domain does not have */
function assertTasks(file: string, tasks: readonly Tau2Task[], domain: Domain): void {
  const ids = new Set<string>();
  for (const { id, evaluation_criteria: criteria, initial_state: state } of tasks) {
    const where = `${file}, task ${id}`;
    if (ids.has(id)) throw damaged(where, 'two tasks have this id');
    ids.add(id);
    for (const { name, requestor } of criteria?.actions ?? []) {
      const side = requestor === 'user' ? domain.user : domain.agent;
      if (side?.tools.some((tool) => tool.name === name) !== true)
        throw damaged(
          `${where}, actions`,
          `the ${requestor} has no tool ${name} in the domain ${domain.name}`,
        );
    }
    for (const { env_type, func_name } of criteria?.env_assertions ?? []) {
      if (functionOf(domain, env_type, func_name) === undefined)
        throw damaged(`${where}, env_assertions`, `the domain ${domain.name} has no assertion ${func_name}`);
    }
    if (state?.initialization_data?.user_data != null && domain.user === undefined)
      throw damaged(`${where}, initialization_data`, `the user of the domain ${domain.name} has no data`);
  }
}
