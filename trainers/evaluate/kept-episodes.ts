import * as fileSystem from 'node:fs/promises';
import { join } from 'node:path';
import { readTrajectories } from '../../agents/rollout/store/read-store.ts';
import type { GroupResult } from '../../agents/rollout/rollout-plan.ts';
import { openTrajectoryStore, type TrajectoryStore } from '../../agents/rollout/store/store.ts';
import { listStoreFiles, type StorePosition } from '../../agents/rollout/store/store-files.ts';
import type { Trajectory, TrajectoryGroup } from '../../agents/rollout/trajectory.ts';
import type { LossListener, TornTail } from '../../agents/rollout/store/walk-groups.ts';
import type { TaskRef } from '../../envs/core/task.ts';
import { assertFreeSpace } from '../../files/free-space.ts';
import { acquireLock } from '../../files/lock.ts';
import { makeFolder, removeMade } from '../../files/make-folder.ts';
import { goOnHere, readRecord, recordName, writeRecord, type KeptSession } from './kept-record.ts';
import type { EpisodeRow, RetriedFault } from '../results/result.ts';
import { episodeRow, retriedFault } from '../results/summarise.ts';
import { addTokens, tokensOf, type TokenCounts } from '../results/token-counts.ts';

/** Name of the store: its files are `episodes-00001.jsonl.gz` and so on, which `cairn-gym inspect` reads. */
const storeName = 'episodes';

/** What identifies an evaluation. */
export interface KeptIdentity {
  readonly evaluation: Readonly<Record<string, unknown>>;
  /** Seed of its episodes. */
  readonly seed: number;
  readonly tasks: readonly TaskRef[];
  readonly episodesPerTask: number;
}

/**
 * The episodes of an evaluation in a folder, stored as they end. An evaluation that was interrupted or killed
 * continues with the missing ones. A task is done when all its episodes ended without a fault. Episodes of
 * other tasks are replayed, and the later ones count. A complete evaluation writes nothing, so it can be
 * shown from a read-only folder.
 */
export interface KeptEpisodes extends AsyncDisposable {
  /** Episodes of finished tasks. */
  readonly rows: readonly EpisodeRow[];
  /** How often those were retried because of a fault. */
  readonly retried: number;
  /**
   * Tokens that text agents used in replaced attempts, of any task: those recorded by earlier sessions, and
   * episodes of tasks left with a fault.
   */
  readonly replacedTokens: TokenCounts | undefined;
  /** The faults of those attempts, except any lost by a kill. */
  readonly retries: readonly RetriedFault[];
  /** Episodes in the folder that are done, or ended in a fault. */
  readonly episodes: number;
  /** Seconds of earlier sessions. */
  readonly seconds: number;
  /** Replies of all sessions that had tool calls and no text; those of this session as last recorded. */
  readonly toolCallsOnly: number;
  /** Versions of all sessions by name, several joined by commas; those of this session as last recorded. */
  readonly versions: Readonly<Record<string, string>>;
  isDone(task: TaskRef): boolean;
  /** Stores the group. Throws afterwards if a recent record could not be written. */
  keep(result: GroupResult<unknown, unknown>): Promise<void>;
  /**
   * Starts to record this session's duration, as `seconds` returns it. It is written every second, so that a
   * kill loses no more.
   */
  startClock(seconds: () => number): void;
  /** Records the total duration of this session. */
  stopClock(): void;
  /** Records how many replies of this session had tool calls and no text. */
  noteToolCallsOnly(replies: number): void;
  /** Records the tokens that text agents used in replaced attempts of this session, added to earlier ones. */
  noteReplaced(tokens: TokenCounts | undefined): void;
  /** Records what computes its episodes; does nothing if none is missing. */
  noteVersions(versions: Readonly<Record<string, string>>): void;
  /** Writes the record and releases the folder. A second call does nothing. */
  close(): Promise<void>;
}

/** Interval between writes of the record while the clock runs. */
const recordMs = 1_000;

/** Free space that a folder of episodes needs: one of a thousand episodes takes a few times as much. */
const leastBytes = 2 ** 20;

/**
 * Opens the folder, new or with earlier episodes of the same evaluation. `losses` receives reports of a
 * half-written group and of damage, whose tasks are replayed. If a new folder cannot be set up, for example
 * for lack of space, nothing of it remains.
 */
export async function openKeptEpisodes(
  folder: string,
  identity: KeptIdentity,
  losses: Required<LossListener>,
): Promise<KeptEpisodes> {
  const finished = await readFinished(folder, identity);
  if (finished !== undefined) return finished;
  await assertFreeSpace(folder, leastBytes);
  const made = await makeFolder(folder);
  try {
    const lock = await acquireLock(folder);
    try {
      return await openParts(folder, { identity, lock, losses });
    } catch (thrown) {
      await lock.release();
      throw thrown;
    }
  } catch (thrown) {
    await removeMade(made);
    throw thrown;
  }
}

/** An evaluation with all its episodes; undefined if some are missing. */
async function readFinished(folder: string, identity: KeptIdentity): Promise<KeptEpisodes | undefined> {
  const sessions = await readRecord(folder, identity.evaluation);
  if (sessions === undefined) return undefined;
  const { done, undone } = await readDone(folder, identity, {
    onTornTail: () => undefined,
    onDamage: () => undefined,
  });
  if (!identity.tasks.every((task) => done.has(nameOf(task)))) return undefined;
  return new FolderEpisodes(folder, { identity, writing: undefined, done, undone, sessions });
}

async function openParts(
  folder: string,
  {
    identity,
    lock,
    losses,
  }: Pick<Opened, 'identity'> & Pick<Writing, 'lock'> & { readonly losses: LossListener },
): Promise<KeptEpisodes> {
  const sessions = await readRecord(folder, identity.evaluation);
  if (sessions === undefined) await writeRecord(folder, identity.evaluation, []);
  try {
    const { done, undone, end } = await readDone(folder, identity, losses);
    const store = await openTrajectoryStore({
      folder,
      name: storeName,
      maxTotalBytes: Number.MAX_SAFE_INTEGER, // results are never removed
      goOn: goOnHere,
      ...(end === undefined ? {} : { resumeAt: end }),
    });
    return new FolderEpisodes(folder, {
      identity,
      writing: { store, lock },
      done,
      undone,
      sessions: sessions ?? [],
    });
  } catch (thrown) {
    if (sessions === undefined) await fileSystem.rm(join(folder, recordName), { force: true });
    throw thrown;
  }
}

/** What is kept in memory of a task's episodes after reading. */
interface DoneTask {
  readonly rows: readonly EpisodeRow[];
  readonly retried: number;
}

/** What only a folder with missing episodes needs. */
interface Writing {
  readonly store: TrajectoryStore;
  readonly lock: AsyncDisposable;
}

interface Opened {
  readonly identity: KeptIdentity;
  /** Undefined if nothing is missing. */
  readonly writing: Writing | undefined;
  readonly done: ReadonlyMap<string, DoneTask>;
  /** Tokens of stored episodes that do not count. */
  readonly undone: TokenCounts | undefined;
  readonly sessions: readonly KeptSession[];
}

class FolderEpisodes implements KeptEpisodes {
  readonly #folder: string;
  readonly #opened: Opened;
  #episodes: number;
  #session: KeptSession = { seconds: 0, versions: {} };
  #clock: { readonly seconds: () => number; readonly timer: NodeJS.Timeout } | undefined;
  #recording: Promise<void> | undefined;
  /** Why the latest record could not be written, if it could not. */
  #unrecorded: { readonly thrown: unknown } | undefined;
  #closing: Promise<void> | undefined;

  constructor(folder: string, opened: Opened) {
    this.#folder = folder;
    this.#opened = opened;
    this.#episodes = this.rows.length;
  }

  get episodes(): number {
    return this.#episodes;
  }

  get rows(): readonly EpisodeRow[] {
    return [...this.#opened.done.values()].flatMap(({ rows }) => rows);
  }

  get retried(): number {
    return [...this.#opened.done.values()].reduce((sum, task) => sum + task.retried, 0);
  }

  get replacedTokens(): TokenCounts | undefined {
    return addTokens([
      this.#opened.undone,
      ...this.#opened.sessions.map((session) => session.replacedTokens),
    ]);
  }

  get retries(): readonly RetriedFault[] {
    return this.#opened.sessions.flatMap(({ retries = [] }) => retries);
  }

  get seconds(): number {
    return this.#opened.sessions.reduce((sum, { seconds }) => sum + seconds, 0);
  }

  get toolCallsOnly(): number {
    return [...this.#opened.sessions, this.#session].reduce(
      (sum, { toolCallsOnly = 0 }) => sum + toolCallsOnly,
      0,
    );
  }

  get versions(): Readonly<Record<string, string>> {
    const all = [...this.#opened.sessions, this.#session].flatMap(({ versions }) => Object.entries(versions));
    const names = [...new Set(all.map(([name]) => name))];
    return Object.fromEntries(
      names.map((name) => [
        name,
        [...new Set(all.flatMap(([other, version]) => (other === name ? [version] : [])))].join(', '),
      ]),
    );
  }

  isDone(task: TaskRef): boolean {
    return this.#opened.done.has(nameOf(task));
  }

  async keep({ group, replaced }: GroupResult<unknown, unknown>): Promise<void> {
    await this.#opened.writing?.store.append(group);
    this.#episodes += group.members.length;
    if (isWhole(group, this.#opened.identity.episodesPerTask)) await this.#noteRetries(replaced);
    if (this.#unrecorded !== undefined) throw this.#unrecorded.thrown;
  }

  startClock(seconds: () => number): void {
    this.stopClock();
    if (this.#opened.writing === undefined) return;
    this.#clock = { seconds, timer: setInterval(() => this.#recordNow(), recordMs).unref() };
  }

  stopClock(): void {
    this.#readClock();
    clearInterval(this.#clock?.timer);
    this.#clock = undefined;
  }

  noteToolCallsOnly(replies: number): void {
    const { toolCallsOnly: _before, ...session } = this.#session;
    this.#session = replies === 0 ? session : { ...session, toolCallsOnly: replies };
  }

  noteReplaced(tokens: TokenCounts | undefined): void {
    const replacedTokens = addTokens([this.#session.replacedTokens, tokens]);
    if (replacedTokens !== undefined) this.#session = { ...this.#session, replacedTokens };
  }

  noteVersions(versions: Readonly<Record<string, string>>): void {
    if (this.#opened.writing === undefined) return; // nothing is computed
    this.#session = { ...this.#session, versions };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing === undefined) await this.close(); // otherwise the caller of `close` has its result
  }

  async #close(): Promise<void> {
    this.stopClock();
    await this.#recording;
    const { writing } = this.#opened;
    if (writing === undefined) return;
    try {
      await writing.store.close();
      await this.#record();
    } finally {
      await writing.lock[Symbol.asyncDispose]();
    }
  }

  #readClock(): void {
    if (this.#clock !== undefined) this.#session = { ...this.#session, seconds: this.#clock.seconds() };
  }

  /** Retries are rare, so each is written at once. */
  async #noteRetries(replaced: readonly Trajectory[]): Promise<void> {
    const retries = replaced.flatMap((tried) => retriedFault(this.#opened.identity.seed, tried) ?? []);
    if (retries.length === 0) return;
    this.#session = { ...this.#session, retries: [...(this.#session.retries ?? []), ...retries] };
    await this.#recording; // a write that is in progress does not include them
    this.#recordNow();
    await this.#recording;
  }

  /** A record that could not be written is reported at the next episode, unless a later one succeeded. */
  #recordNow(): void {
    this.#readClock();
    this.#recording ??= this.#record()
      .then(() => (this.#unrecorded = undefined))
      .catch((thrown: unknown) => void (this.#unrecorded = { thrown }))
      .finally(() => (this.#recording = undefined));
  }

  #record(): Promise<void> {
    return writeRecord(this.#folder, this.#opened.identity.evaluation, [
      ...this.#opened.sessions,
      this.#session,
    ]);
  }
}

const nameOf = ({ panel, index }: TaskRef): string => `${panel}/${index}`;

/**
 * The finished tasks, the tokens of other episodes, and where to continue writing; a new store has no end.
 */
async function readDone(
  folder: string,
  identity: KeptIdentity,
  losses: LossListener,
): Promise<Pick<Opened, 'done' | 'undone'> & { readonly end: StorePosition | undefined }> {
  const done = new Map<string, DoneTask>();
  let undone: TokenCounts | undefined;
  const last = (await listStoreFiles(fileSystem, folder, storeName)).at(-1);
  if (last === undefined) return { done, undone, end: undefined };
  let torn: TornTail | undefined;
  for await (const group of readTrajectories(folder, storeName, {
    ...losses,
    onTornTail: (tail) => void (torn = tail),
  })) {
    if (isWhole(group, identity.episodesPerTask))
      done.set(nameOf(group.task), doneTask(group, identity.seed));
    else undone = addTokens([undone, ...group.members.map(tokensOf)]);
  }
  if (torn !== undefined) losses.onTornTail(torn);
  return {
    done,
    undone,
    end: {
      file: last.number,
      bytes: torn === undefined ? (await fileSystem.stat(last.path)).size : torn.offset,
    },
  };
}

const isWhole = ({ members }: TrajectoryGroup, episodesPerTask: number): boolean =>
  members.length === episodesPerTask && members.every(({ stop }) => stop.kind !== 'faulted');

const doneTask = ({ members }: TrajectoryGroup, seed: number): DoneTask => ({
  rows: members.map((member) => episodeRow(seed, member)),
  retried: members.reduce((sum, { path }) => sum + Number(/\/try-(\d+)$/.exec(path)?.[1] ?? 0), 0),
});
