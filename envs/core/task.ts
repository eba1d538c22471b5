import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { UsageError } from './errors.ts';
import { canonicalJson, type Json } from './json.ts';
import { didYouMean, nearest } from './near-miss.ts';

/** Which problem: explicit data, so that a group shares one, an evaluation lists them and a curriculum picks them. */
export interface TaskRef {
  readonly panel: string;
  readonly index: number;
}

/** A list of tasks that an env offers. */
export interface PanelInfo {
  readonly name: string;
  readonly size: number;
  /** `train` and `dev` may be looked at as often as one likes; a held-out panel is run once, at the end. */
  readonly purpose: 'train' | 'dev' | 'held-out';
  readonly summary: string;
}

/** A task, described without playing it. */
export interface TaskInfo {
  /** Tables break results down by it, such as `heat`. */
  readonly family: string;
  /** What is wanted, in the words of the opening; left out where only playing tells it. */
  readonly instruction?: string;
  /** The whole canonical content: equal content, equal task. It may hold hidden facts, so it never reaches an agent. */
  readonly content: Json;
}

/** An ordered list of tasks, the same on every machine, and the fingerprint that is stored with every result on it. */
export interface TaskPanel {
  readonly env: string;
  readonly config: Json;
  readonly name: string;
  readonly purpose: PanelInfo['purpose'];
  readonly tasks: readonly TaskRef[];
  /** The family of each task. */
  readonly families: readonly string[];
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

  /** Nothing can be added after. */
  toString(): string {
    return `sha256:${this.#hash.digest('hex')}`;
  }
}

/** A panel of which no task could be used. */
export interface EmptiedPanel {
  readonly name: string;
  /** Why no task is left, as a sentence without its full stop. */
  readonly why: string;
  /** What brings some back, likewise. */
  readonly mend: string;
}

/** What a panel is read from: the panels of an opened env and the description of each task. */
export interface TaskSource {
  readonly panels: readonly PanelInfo[];
  /**
   * What fingerprints hold of the config, where it has more than what tells results apart, such as the paths of a machine; all of the
   * config when left out.
   */
  readonly identity?: Json;
  /** Panels that would be there, had not all their tasks been left out: who asks for one hears why. */
  readonly emptied?: readonly EmptiedPanel[];
  describeTask(task: TaskRef): TaskInfo;
}

/** How much of which panel is read. */
export interface PanelRequest {
  readonly env: string;
  readonly config: Json;
  readonly name: string;
  /** Its first tasks, exactly so many; more than it has are refused. All when left out. */
  readonly limit?: number;
  /** Its first tasks, so many or all that it has: a bound for panels of any size. */
  readonly atMost?: number;
}

/**
 * The panel of that name, or its first tasks, with the fingerprint of exactly those.
 * @throws UsageError on an unknown panel, and on a count that is no count or above the panel's size
 */
export function readPanel(source: TaskSource, of: PanelRequest): TaskPanel {
  const reading = new PanelReading(source, of);
  while (reading.readOn()) continue;
  return reading.panel();
}

/** Tasks that are described before others get a turn. */
const tasksATurn = 256;

/** {@link readPanel} for panels of any size: others get a turn now and then, and `signal` ends it. */
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

/** A panel of which each task is described once, one after the other. */
class PanelReading {
  readonly #source: TaskSource;
  readonly #selected: Omit<TaskPanel, 'families' | 'fingerprint'>;
  readonly #families: string[] = [];
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
    const { family, content } = this.#source.describeTask(task);
    this.#families.push(family);
    this.#fingerprint.add(content);
    return true;
  }

  /** After the last task. */
  panel(): TaskPanel {
    return { ...this.#selected, families: this.#families, fingerprint: this.#fingerprint.toString() };
  }
}

function selectTasks(source: TaskSource, of: PanelRequest): Omit<TaskPanel, 'families' | 'fingerprint'> {
  const info = findPanel(source, of.env, of.name);
  for (const count of [of.limit, of.atMost]) if (count !== undefined) assertCount(count, of);
  if (of.limit !== undefined && of.limit > info.size) {
    throw new UsageError({
      where: `panel "${of.name}" of ${of.env}`,
      what: `${of.limit} tasks are asked for, and it has ${info.size}.`,
      mend: `Ask for at most ${info.size}, or leave the number out for all of them.`,
    });
  }
  const size = Math.min(info.size, of.limit ?? info.size, of.atMost ?? info.size);
  return {
    env: of.env,
    config: of.config,
    name: size === info.size ? info.name : `${info.name}[0..${size})`,
    purpose: info.purpose,
    tasks: Array.from({ length: size }, (_, index): TaskRef => ({ panel: info.name, index })),
  };
}

function assertCount(count: number, of: PanelRequest): void {
  if (Number.isInteger(count) && count > 0) return;
  throw new UsageError({
    where: `panel "${of.name}" of ${of.env}`,
    what: `${count} is no number of tasks.`,
    mend: 'Give a whole number above 0.',
  });
}

/** The panel's entry, or a {@link UsageError} that names the panels there are, and of one that was emptied says why. */
export function findPanel(
  source: Pick<TaskSource, 'panels' | 'emptied'>,
  env: string,
  name: string,
): PanelInfo {
  const info = source.panels.find((panel) => panel.name === name);
  if (info !== undefined) return info;
  const names = source.panels.map((panel) => panel.name);
  const emptied = source.emptied?.find((panel) => panel.name === name);
  if (emptied !== undefined) {
    const others = names.length === 0 ? '' : `, or choose one of ${names.join(', ')}`;
    throw new UsageError({
      where: `panel "${name}" of ${env}`,
      what: `it is empty: ${emptied.why}.`,
      mend: `${emptied.mend}${others}.`,
    });
  }
  if (names.length === 0) {
    throw new UsageError({
      where: `panel "${name}" of ${env}`,
      what: 'the env has no panels.',
      mend: 'Give it at least one; training needs one of purpose train and one of purpose dev.',
    });
  }
  throw new UsageError({
    where: `panel "${name}" of ${env}`,
    what: 'there is no such panel.',
    mend: `${didYouMean(nearest(name, names))}Choose one of ${names.join(', ')}.`,
  });
}

/** Refuses a task that its panel does not hold. */
export function assertTask(source: Pick<TaskSource, 'panels' | 'emptied'>, env: string, task: TaskRef): void {
  const info = findPanel(source, env, task.panel);
  if (Number.isInteger(task.index) && task.index >= 0 && task.index < info.size) return;
  throw new UsageError({
    where: `task ${task.index} of panel "${task.panel}" of ${env}`,
    what: 'there is no such task.',
    mend: `Choose a whole number from 0 to ${info.size - 1}.`,
  });
}
