import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UsageError } from './errors.ts';
import { canonicalJson, type Json } from './json.ts';
import { didYouMean, nearest } from './near-miss.ts';

/** Names a task: a place in a panel. It is plain data, so that groups share tasks, evaluations list them and curricula choose them. */
export interface TaskRef {
  readonly panel: string;
  readonly index: number;
}

/** A list of tasks that an env offers. */
export interface PanelInfo {
  readonly name: string;
  readonly size: number;
  /** `train` and `dev` may be played any number of times. A `held-out` panel is played once, at the end. */
  readonly purpose: 'train' | 'dev' | 'held-out';
  readonly summary: string;
}

/** A task, described without playing it. */
export interface TaskInfo {
  /** The kind of task, such as `heat`. Tables break results down by it. */
  readonly family: string;
  /** A finer kind of task, among which curricula choose, such as env and level in a mixture. Absent where it is the family. */
  readonly category?: string;
  /** The instruction of the opening. Absent where only playing shows it. */
  readonly instruction?: string;
  /** The whole content in canonical form: equal content means an equal task. It may contain hidden facts, so agents never see it. */
  readonly content: Json;
}

/** An ordered list of tasks, the same on every machine, with the fingerprint that every result on it stores. */
export interface TaskPanel {
  readonly env: string;
  readonly config: Json;
  readonly name: string;
  readonly purpose: PanelInfo['purpose'];
  readonly tasks: readonly TaskRef[];
  /** The family of each task. */
  readonly families: readonly string[];
  /** The category of each task. Absent where the categories are the families. */
  readonly categories?: readonly string[];
  /** `sha256:` and 64 hexadecimal digits over env id, config (or what the source gives for it) and the tasks' canonical content, in order. */
  readonly fingerprint: string;
}

/** SHA-256 over env id, config and the canonical content of the tasks, in order. */
export function fingerprintTasks(env: string, config: Json, contents: Iterable<Json>): string {
  const fingerprint = new TaskFingerprint(env, config);
  for (const content of contents) fingerprint.add(content);
  return fingerprint.toString();
}

class TaskFingerprint {
  readonly #hash = createHash('sha256');

  constructor(env: string, config: Json) {
    this.#hash.update(canonicalJson({ env, config })).update('\n');
  }

  add(content: Json): void {
    this.#hash.update(canonicalJson(content)).update('\n');
  }

  /** no task can be added after `toString` */
  toString(): string {
    return `sha256:${this.#hash.digest('hex')}`;
  }
}

/** A panel without a usable task. */
export interface UnavailablePanel {
  readonly name: string;
  /** Why no task is left, as a sentence without its full stop. */
  readonly why: string;
  /** How to get some, as a sentence without its full stop. */
  readonly fix: string;
}

/** The panels of an opened env and the description of each task. */
export interface TaskSource {
  readonly panels: readonly PanelInfo[];
  /**
   * The part of the config that fingerprints contain, where the config also has what does not change results, such as the paths of a
   * machine. The whole config by default.
   */
  readonly identity?: Json;
  /** Panels whose tasks were all left out. A request for one is refused with the reason. */
  readonly unavailablePanels?: readonly UnavailablePanel[];
  describeTask(task: TaskRef): TaskInfo;
}

/** The panel to read, and how much of it. */
export interface PanelRequest {
  readonly env: string;
  readonly config: Json;
  readonly name: string;
  /** The exact number of first tasks; a number above the panel's size is refused. All tasks by default. */
  readonly limit?: number;
  /** The most first tasks: a bound for panels of any size. */
  readonly atMost?: number;
  /** Exactly the tasks of these indices, in their order in the panel. Not together with a number of first tasks. */
  readonly indices?: readonly number[];
}

/**
 * Reads a panel, or its first tasks, with the fingerprint of exactly those tasks.
 *
 * @throws UsageError for an unknown panel, and for a count that is no positive integer or is above the panel's size. Also for indices
 *   that the panel does not have, or that come twice
 */
export function readPanel(source: TaskSource, of: PanelRequest): TaskPanel {
  const reading = new PanelReading(source, of);
  while (reading.readOn()) continue;
  return reading.panel();
}

/** Tasks that are described in one turn of the event loop. */
const tasksATurn = 256;

/** {@link readPanel} for panels of any size. It yields to the event loop now and then, and rejects when `signal` aborts. */
export async function readPanelInTurns(
  source: TaskSource,
  of: PanelRequest,
  signal: AbortSignal,
): Promise<TaskPanel> {
  const reading = new PanelReading(source, of);
  for (let read = 0; reading.readOn(); read += 1) {
    if (read % tasksATurn === 0) await nextTurn();
    signal.throwIfAborted();
  }
  return reading.panel();
}

/** A panel before its tasks are described. */
type SelectedTasks = Omit<TaskPanel, 'families' | 'categories' | 'fingerprint'>;

/** Describes each task of a panel once, in order. */
class PanelReading {
  readonly #source: TaskSource;
  readonly #selected: SelectedTasks;
  readonly #families: string[] = [];
  readonly #categories: string[] = [];
  #hasCategories = false;
  readonly #fingerprint: TaskFingerprint;

  constructor(source: TaskSource, of: PanelRequest) {
    this.#source = source;
    this.#selected = selectTasks(source, of);
    this.#fingerprint = new TaskFingerprint(of.env, source.identity ?? of.config);
  }

  /** Reads the next task; false where there is none. */
  readOn(): boolean {
    const task = this.#selected.tasks[this.#families.length];
    if (task === undefined) return false;
    const { family, category, content } = this.#source.describeTask(task);
    this.#families.push(family);
    this.#categories.push(category ?? family);
    this.#hasCategories ||= category !== undefined;
    this.#fingerprint.add(content);
    return true;
  }

  /** After the last task. */
  panel(): TaskPanel {
    return {
      ...this.#selected,
      families: this.#families,
      ...(this.#hasCategories ? { categories: this.#categories } : {}),
      fingerprint: this.#fingerprint.toString(),
    };
  }
}

function selectTasks(source: TaskSource, of: PanelRequest): SelectedTasks {
  const info = findPanel(source, of.env, of.name);
  for (const count of [of.limit, of.atMost]) if (count !== undefined) assertCount(count, of);
  if (of.limit !== undefined && of.limit > info.size) {
    throw new UsageError({
      where: `panel "${of.name}" of ${of.env}`,
      what: `${of.limit} tasks were requested, but the panel has ${info.size}.`,
      fix: `Request at most ${info.size}, or omit the number to get all of them.`,
    });
  }
  if (of.indices !== undefined) return selectIndices(source, info, { ...of, indices: of.indices });
  const size = Math.min(info.size, of.limit ?? info.size, of.atMost ?? info.size);
  return {
    env: of.env,
    config: of.config,
    name: size === info.size ? info.name : `${info.name}[0..${size})`,
    purpose: info.purpose,
    tasks: Array.from({ length: size }, (_, index): TaskRef => ({ panel: info.name, index })),
  };
}

function selectIndices(
  source: TaskSource,
  { name, purpose }: PanelInfo,
  { env, config, limit, atMost, indices }: PanelRequest & { readonly indices: readonly number[] },
): SelectedTasks {
  const refuse = (what: string, fix: string): never => {
    throw new UsageError({ where: `panel "${name}" of ${env}`, what, fix });
  };
  if (limit !== undefined || atMost !== undefined)
    refuse('a number of tasks and the indices of tasks are both given.', 'Give one of the two.');
  if (indices.length === 0) refuse('no task is named.', 'Name at least one index.');
  const sorted = indices.toSorted((a, b) => a - b);
  const twice = sorted.find((index, at) => index === sorted[at - 1]);
  if (twice !== undefined) refuse(`task ${twice} is named twice.`, 'Name each task once.');
  const tasks = sorted.map((index): TaskRef => ({ panel: name, index }));
  for (const task of tasks) assertTask(source, env, task);
  return { env, config, name: `${name}[${describeIndices(sorted)}]`, purpose, tasks };
}

/** `17,42,60..64`: neighbours of at least three are written as a range. */
function describeIndices(sorted: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const index of sorted) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === index - 1) run[1] = index;
    else runs.push([index, index]);
  }
  return runs
    .map(([first, last]) =>
      first === last ? `${first}` : `${first}${last === first + 1 ? ',' : '..'}${last}`,
    )
    .join(',');
}

function assertCount(count: number, of: PanelRequest): void {
  if (Number.isInteger(count) && count > 0) return;
  throw new UsageError({
    where: `panel "${of.name}" of ${of.env}`,
    what: `the number of tasks must be an integer of at least 1, not ${count}.`,
    fix: 'Give an integer of at least 1.',
  });
}

/** Finds a panel. Throws a {@link UsageError} with the known panels, or with the reason why the panel is empty. */
export function findPanel(
  source: Pick<TaskSource, 'panels' | 'unavailablePanels'>,
  env: string,
  name: string,
): PanelInfo {
  const info = source.panels.find((panel) => panel.name === name);
  if (info !== undefined) return info;
  const names = source.panels.map((panel) => panel.name);
  const unavailablePanels = source.unavailablePanels?.find((panel) => panel.name === name);
  if (unavailablePanels !== undefined) {
    const others = names.length === 0 ? '' : `, or choose one of ${names.join(', ')}`;
    throw new UsageError({
      where: `panel "${name}" of ${env}`,
      what: `the panel is empty: ${unavailablePanels.why}.`,
      fix: `${unavailablePanels.fix}${others}.`,
    });
  }
  if (names.length === 0) {
    throw new UsageError({
      where: `panel "${name}" of ${env}`,
      what: 'the env has no panels.',
      fix: 'Give it at least one; training needs one of purpose train and one of purpose dev.',
    });
  }
  throw new UsageError({
    where: `panel "${name}" of ${env}`,
    what: 'this panel does not exist.',
    fix: `${didYouMean(nearest(name, names))}Choose one of ${names.join(', ')}.`,
  });
}

/** Throws a {@link UsageError} for a task that its panel does not have. */
export function assertTask(
  source: Pick<TaskSource, 'panels' | 'unavailablePanels'>,
  env: string,
  task: TaskRef,
): void {
  const info = findPanel(source, env, task.panel);
  if (Number.isInteger(task.index) && task.index >= 0 && task.index < info.size) return;
  throw new UsageError({
    where: `task ${task.index} of panel "${task.panel}" of ${env}`,
    what: 'this task does not exist.',
    fix: `Choose an integer from 0 to ${info.size - 1}.`,
  });
}
