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

/** Name of the store: its files are `episodes-00001.jsonl.gz` and so on, which `cairn inspect` reads. */
const storeName = 'episodes';

/** What tells one evaluation from another. */
export interface KeptIdentity {
  readonly evaluation: Readonly<Record<string, unknown>>;
  /** Of the luck of its episodes. */
  readonly seed: number;
  readonly tasks: readonly TaskRef[];
  readonly episodesPerTask: number;
}

/**
 * The episodes of an evaluation in a folder, written down as they end, so that an evaluation that was interrupted, or killed, goes on
 * with those that are missing. A task is done when all its episodes have ended without a fault; those of other tasks are played again,
 * and what is written later counts. Where nothing is missing, nothing is written, so that it can be shown wherever it can be read.
 */
export interface KeptEpisodes extends AsyncDisposable {
  /** Episodes of tasks that are done. */
  readonly rows: readonly EpisodeRow[];
  /** How often those were tried again because the world failed. */
  readonly retried: number;
  /** What text agents used in tries that were played again, of whatever task: those that sessions before this one noted, and episodes of tasks that were left with a fault. */
  readonly replacedTokens: TokenCounts | undefined;
  /** The faults of those, as far as a kill let them be written down. */
  readonly retries: readonly RetriedFault[];
  /** Episodes in the folder by now that are done, or were played until a fault. */
  readonly episodes: number;
  /** Seconds that earlier sessions took. */
  readonly seconds: number;
  /** Replies of all sessions that called tools and said nothing; those of this one as far as they were noted. */
  readonly toolCallsOnly: number;
  /** Versions of all sessions by name, several joined by commas; those of this one as far as they were noted. */
  readonly versions: Readonly<Record<string, string>>;
  isDone(task: TaskRef): boolean;
  /** Writes the group down. Throws, once it is written, where what was noted of late could not be. */
  keep(result: GroupResult<unknown, unknown>): Promise<void>;
  /**
   * Begins to note how long this session has taken, as `seconds` says it. What is noted is written every second, so that a kill loses
   * no more of it.
   */
  startClock(seconds: () => number): void;
  /** Notes how long this session has taken in all. */
  stopClock(): void;
  /** Notes how many replies of this session called tools and said nothing. */
  noteToolCallsOnly(replies: number): void;
  /** Notes what text agents used in tries of this session that were played again, beside what was noted of them before. */
  noteReplaced(tokens: TokenCounts | undefined): void;
  /** Notes what computes its episodes; nothing where none is missing. */
  noteVersions(versions: Readonly<Record<string, string>>): void;
  /** Writes what was noted and lets go of the folder. A second call does nothing. */
  close(): Promise<void>;
}

/** How often what was noted is written while the clock runs. */
const recordMs = 1_000;

/** Room that a folder of episodes must have: one of a thousand takes a few times as much. */
const leastBytes = 2 ** 20;

/**
 * Opens the folder, new or with the beginning of the same evaluation in it; `losses` hears of a group that was half written, and
 * of damage, whose tasks are played again.
 * Where a new one cannot be begun, such as for want of space, nothing of it is left.
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

/** An evaluation that has all its episodes; undefined where some are missing. */
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
      maxTotalBytes: Number.MAX_SAFE_INTEGER, // nothing of a result is thrown away
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

/** What is left of a task's episodes once they were read. */
interface DoneTask {
  readonly rows: readonly EpisodeRow[];
  readonly retried: number;
}

/** What only a folder needs in which episodes are missing. */
interface Writing {
  readonly store: TrajectoryStore;
  readonly lock: AsyncDisposable;
}

interface Opened {
  readonly identity: KeptIdentity;
  /** Undefined where nothing is missing. */
  readonly writing: Writing | undefined;
  readonly done: ReadonlyMap<string, DoneTask>;
  /** What episodes used that are there and count for nothing. */
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
    if (this.#closing === undefined) await this.close(); // else who called it was told how that ended
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

  /** Retries are few, so that each is written at once. */
  async #noteRetries(replaced: readonly Trajectory[]): Promise<void> {
    const retries = replaced.flatMap((tried) => retriedFault(this.#opened.identity.seed, tried) ?? []);
    if (retries.length === 0) return;
    this.#session = { ...this.#session, retries: [...(this.#session.retries ?? []), ...retries] };
    await this.#recording; // one that is under way does not have them
    this.#recordNow();
    await this.#recording;
  }

  /** A record that could not be written is told at the next episode, unless one after it could be. */
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

/** The tasks whose episodes are all there, what others used, and where to go on writing; a store that is not there yet has no end. */
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
