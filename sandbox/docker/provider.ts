import { randomBytes } from 'node:crypto';
import { messageOf, UsageError } from '../../envs/core/errors.ts';
import { abortable } from '../../envs/core/waiting.ts';
import { freshUser } from '../fresh-user.ts';
import { assertMeets, type Guarantees } from '../guarantees.ts';
import { assertHolds, assertLimits } from '../limits.ts';
import { afterDisposalOf, assertClock, assertWhole, foreignSnapshot } from '../misuse.ts';
import type { Language, OpenOptions, Sandbox, SandboxProvider } from '../sandbox.ts';
import { atOpen, Cell } from './cell.ts';
import { Cells } from './cells.ts';
import type { CellLimits, CellPlan } from './cell-config.ts';
import { connect, type Daemon } from './daemon.ts';
import { bytesForArchive } from './archive-bytes.ts';
import { unpack } from './files.ts';
import { assertAble, findInterpreters, interpretersOf } from './image.ts';
import { sweepLeft, sweepOf } from './leftovers.ts';
import { settle, type DockerOptions, type DockerSettings } from './options.ts';
import { disown, own } from './owner.ts';
import { Pool } from './pool.ts';
import { hasOwnKernel } from './runtime.ts';
import { DockerSandbox, DockerSnapshot } from './sandbox.ts';
import { WorkVolume } from './work-volume.ts';

const name = 'docker';

/**
 * The guarantees of containers. They share the kernel through a filter. gVisor has a kernel of its own. It
 * does not support our filter, has a loopback, and does not count refused processes. Those are counted from
 * here.
 */
const guaranteesOf = (ownKernel: boolean): Guarantees => ({
  boundary: 'container',
  user: 'unprivileged',
  files: 'private-root',
  network: ownKernel ? 'loopback' : 'none',
  environment: 'cleared',
  memory: 'enforced',
  cpu: 'enforced',
  pids: ownKernel ? 'advisory' : 'enforced',
  disk: 'enforced',
  children: 'all-killed',
  kernel: ownKernel ? 'separate' : 'filtered',
});

/**
 * Creates a provider that runs programs in containers of a Docker daemon, each sandbox in a new one.
 * Containers end with this process, however it ends. Leftovers of this process or of earlier ones are removed
 * at the first opening and at disposal.
 */
export function createDockerProvider(options: DockerOptions): SandboxProvider {
  assertClock(name, options.now);
  const settings = settle(options);
  assertSettings(settings);
  return new DockerProvider(settings);
}

/** Timers cannot wait longer. */
const longestMs = 2_000_000_000;
/** The lowest and highest value of each integer option. */
const optionBounds = {
  warm: [0, 1_000],
  most: [1, 100_000],
  lifetimeMs: [1_000, longestMs],
  silenceMs: [1_000, longestMs],
  answerMs: [1, longestMs],
} as const;
/** The fewest processors that a daemon gives a container. */
const fewestCpus = 0.01;

function assertSettings(settings: DockerSettings): void {
  for (const option of Object.keys(optionBounds) as (keyof typeof optionBounds)[])
    assertWhole(name, { name: option, value: settings[option], bounds: optionBounds[option] });
  if (Number.isFinite(settings.cpus) && settings.cpus >= fewestCpus) return;
  throw new UsageError({
    where: `sandbox provider "${name}", cpus`,
    what: `it must be a number of at least ${fewestCpus}, not ${String(settings.cpus)}.`,
    fix: 'Give a number of processors, such as 0.5, or omit it.',
  });
}

/** What the first look at a daemon finds. */
interface Ready {
  readonly daemon: Daemon;
  readonly languages: readonly Language[];
}

class DockerProvider implements SandboxProvider {
  readonly name = name;
  readonly guarantees: Guarantees;
  readonly #settings: DockerSettings;
  readonly #pool: Pool;
  /** The label of this provider alone. Another provider of the same process keeps its containers. */
  readonly #owner = own();
  readonly #open = new Set<DockerSandbox>();
  readonly #waiting: (() => void)[] = [];
  readonly #closing = new AbortController();
  readonly #births = new WeakMap<Cell, number>();
  #places = 0;
  #ready: Promise<Ready> | undefined;
  #closed: Promise<void> | undefined;

  constructor(settings: DockerSettings) {
    this.#settings = settings;
    this.guarantees = guaranteesOf(hasOwnKernel(settings));
    this.#pool = new Pool((limits) => this.#makeCell(limits), {
      size: settings.warm,
      isFresh: (cell) => settings.now() - (this.#births.get(cell) ?? 0) < settings.lifetimeMs / 2,
    });
  }

  async unavailable(signal: AbortSignal): Promise<string | undefined> {
    this.#assertOpen();
    try {
      await abortable(
        signal,
        this.#look().then((daemon) => daemon[Symbol.dispose]()),
      );
      return undefined;
    } catch (thrown) {
      signal.throwIfAborted();
      if (UsageError.is(thrown)) throw thrown;
      return messageOf(thrown);
    }
  }

  async open({ limits, needs, signal: callers, from }: OpenOptions): Promise<Sandbox> {
    this.#assertOpen();
    callers.throwIfAborted();
    assertMeets(this, needs);
    assertLimits(limits);
    const archive = from === undefined ? undefined : archiveOf(from);
    if (archive !== undefined) assertHolds(limits, bytesForArchive(archive));
    const signal = AbortSignal.any([callers, this.#closing.signal]);
    await this.#enter(signal);
    try {
      const { languages } = await abortable(signal, this.#prepare());
      const first = await this.#pool.take(limits, signal);
      if (signal.aborted) await first.end(); // no other reference to it exists
      signal.throwIfAborted();
      const cells = new Cells(first, (cell) => this.#makeCell(first.plan.limits, cell));
      const interpreters = interpretersOf(languages, limits.memoryBytes);
      const sandbox = new DockerSandbox({
        cells,
        guarantees: this.guarantees,
        limits,
        interpreters,
        now: this.#settings.now,
        onClose: () => this.#leave(sandbox),
      });
      this.#open.add(sandbox);
      if (archive !== undefined) await this.#fill(sandbox, { cells, archive, signal });
      return sandbox;
    } catch (thrown) {
      this.#freePlace();
      throw thrown;
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(afterDisposalOf(name));
    const ready = await this.#ready?.catch(() => undefined);
    await Promise.all([
      ...[...this.#open].map((sandbox) => sandbox[Symbol.asyncDispose]()),
      this.#pool.end(),
    ]);
    if (ready !== undefined) {
      using daemon = ready.daemon;
      // running containers have lost their stdin and end by themselves; the next opening removes the rest
      await sweepOf(daemon, this.#owner).catch(() => undefined);
    }
    disown(this.#owner);
  }

  async #fill(
    sandbox: DockerSandbox,
    {
      cells,
      archive,
      signal,
    }: { readonly cells: Cells; readonly archive: Uint8Array; readonly signal: AbortSignal },
  ): Promise<void> {
    try {
      const cell = await cells.take(signal);
      try {
        await unpack(cell, archive, signal);
      } finally {
        await cells.giveBack(cell);
      }
    } catch (thrown) {
      this.#places += 1; // `open` returns it, as the sandbox does
      await sandbox[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  /** Examines the daemon again. */
  async #look(): Promise<Daemon> {
    const daemon = await connect(this.#settings.host, this.#settings.answerMs);
    try {
      await assertAble(daemon, this.#settings);
      return daemon;
    } catch (thrown) {
      daemon[Symbol.dispose]();
      throw thrown;
    }
  }

  /** Runs once for all sandboxes; again after a failure. */
  #prepare(): Promise<Ready> {
    this.#ready ??= this.#begin().catch((thrown: unknown) => {
      this.#ready = undefined;
      throw UsageError.is(thrown) ? thrown : atOpen(thrown);
    });
    return this.#ready;
  }

  async #begin(): Promise<Ready> {
    const daemon = await this.#look();
    try {
      await sweepLeft(daemon);
      return { daemon, languages: await this.#languages(daemon) };
    } catch (thrown) {
      daemon[Symbol.dispose]();
      throw thrown;
    }
  }

  async #languages(daemon: Daemon): Promise<readonly Language[]> {
    const probe = await Cell.start(
      daemon,
      this.#plan({ memoryBytes: 64 * 2 ** 20, pids: 16, diskBytes: 2 ** 20 }),
    );
    try {
      return await findInterpreters(probe);
    } finally {
      await probe.end();
    }
  }

  /** @param beside a container whose work folder the new one shares */
  async #makeCell(limits: CellLimits, beside?: Cell): Promise<Cell> {
    const { daemon } = await this.#prepare();
    const birth = this.#settings.now(); // read before anything exists that would have to be removed
    const cell = await Cell.start(daemon, this.#plan(limits, beside));
    this.#births.set(cell, birth);
    return cell;
  }

  #plan({ memoryBytes, pids, diskBytes }: CellLimits, beside?: Cell): CellPlan {
    return {
      settings: this.#settings,
      owner: this.#owner,
      name: `cairn-${randomBytes(12).toString('hex')}`,
      limits: { memoryBytes, pids, diskBytes },
      user: beside?.plan.user ?? freshUser(),
      volume: beside?.plan.volume ?? new WorkVolume(),
      ...(beside !== undefined && { beside: beside.id }),
    };
  }

  /** Waits for a free place among the open sandboxes. */
  async #enter(signal: AbortSignal): Promise<void> {
    while (this.#places >= this.#settings.most)
      await abortable(signal, new Promise<void>((resolve) => void this.#waiting.push(resolve)));
    this.#places += 1;
  }

  #leave(sandbox: DockerSandbox): void {
    if (this.#open.delete(sandbox)) this.#freePlace();
  }

  #freePlace(): void {
    this.#places -= 1;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #assertOpen(): void {
    this.#closing.signal.throwIfAborted();
  }
}

function archiveOf(from: NonNullable<OpenOptions['from']>): Uint8Array {
  if (from instanceof DockerSnapshot) return from.archive();
  throw foreignSnapshot(name, from);
}
