import type Dockerode from 'dockerode';
import type { Duplex } from 'node:stream';
import { FaultError, messageOf } from '../../envs/core/errors.ts';
import { sleep, withinMs } from '../../envs/core/waiting.ts';
import { containerOf, memoryOf, pidsOf, type CellLimits, type CellPlan } from './cell-config.ts';
import { statusOf, type Daemon } from './daemon.ts';
import { failed } from '../faults.ts';
import { FrameReader } from './frames.ts';
import { lackedMemory } from './memory-lack.ts';
import { assertConfined, hasRoom, readingOf, type Reading } from './monitor.ts';
import { hasOwnKernel } from './runtime.ts';
import { removeVolume, type WorkVolume } from './work-volume.ts';

/**
 * Time limit of the monitor's answer and of killing, in milliseconds, on a busy machine. Lower where the
 * daemon's limit is lower.
 */
const monitorMs = 10_000;
const killMs = 10_000;
/** Time limit for the daemon to report why a container that is gone did not start, in milliseconds. */
const reasonMs = 2_000;
const beatsInSilence = 5;
/** Attempts to see the last process gone, 20 ms apart. */
const killLooks = 50;
/** Processes and threads that a killer needs. Without room for them the container is killed instead. */
const roomForKiller = 8;
const removalLooks = 500;

/**
 * One container, in which one program runs at a time. This process holds the stdin of the container's
 * monitor. When that ends, for any reason, the container ends and removes itself.
 */
export class Cell {
  readonly plan: CellPlan;
  readonly id: string;
  /** Rejects when the container is gone. */
  readonly gone: Promise<never>;
  readonly #daemon: Daemon;
  readonly #attached: Duplex;
  readonly #questions: { readonly resolve: (line: string) => void }[] = [];
  #line = '';
  #live = true;
  #isStarved = false;
  /** Something in it could not be killed from inside. */
  #spoiled = false;
  /** Programs that may not have started yet. */
  readonly #unsettled = new Set<Dockerode.Exec>();
  #limits: CellLimits;
  #ended: Promise<void> | undefined;

  private constructor(parts: {
    readonly daemon: Daemon;
    readonly plan: CellPlan;
    readonly id: string;
    readonly attached: Duplex;
  }) {
    this.plan = parts.plan;
    this.id = parts.id;
    this.#daemon = parts.daemon;
    this.#attached = parts.attached;
    this.#limits = parts.plan.limits;
    const closed = new Promise<void>((resolve) => {
      this.#attached
        .on('error', () => resolve())
        .on('close', resolve)
        .on('end', resolve);
    });
    this.gone = closed.then(() => this.#tellEnd());
    this.gone.catch(() => undefined);
    const beats = setInterval(
      () => this.#live && this.#attached.write('beat\n'),
      this.plan.settings.silenceMs / beatsInSilence,
    ).unref();
    this.#attached.on('close', () => clearInterval(beats));
    const frames = new FrameReader((_stream, bytes) => this.#hear(Buffer.from(bytes).toString('latin1')));
    this.#attached.on('data', (chunk: Buffer) => frames.push(chunk));
  }

  /** Creates and starts a container. Nothing is left of it when that fails. */
  static async start(daemon: Daemon, plan: CellPlan): Promise<Cell> {
    let attached: Duplex | undefined;
    plan.volume.holders += 1;
    try {
      const container = await daemon.ask('make a container', (docker, abortSignal) =>
        docker.createContainer({ ...containerOf(plan), abortSignal }),
      );
      attached = (await daemon.ask('attach to a container', (_docker, abortSignal) =>
        container.attach({ stream: true, stdin: true, stdout: true, hijack: true, abortSignal }),
      )) as Duplex; // a socket, whatever its type declaration says
      const cell = new Cell({ daemon, plan, id: container.id, attached });
      const ready = cell.#next();
      const starting = daemon.ask('start a container', (_docker, abortSignal) =>
        container.start({ abortSignal }),
      );
      const lost = cell.gone.catch((thrown: unknown) =>
        Promise.race([starting, sleep(reasonMs)]).then(() => Promise.reject(thrown)),
      ); // the daemon knows best why the container ended
      await Promise.race([starting, lost]);
      assertConfined(await cell.#answered(ready), hasOwnKernel(plan.settings));
      return cell;
    } catch (thrown) {
      // the first failure is reported; the rest is swept later
      await putAway(daemon, plan.name, plan.volume).catch(() => undefined);
      attached?.on('error', () => undefined).destroy();
      throw atOpen(thrown);
    }
  }

  get live(): boolean {
    return this.#live;
  }

  /** Whether the kernel ended the container because memory ran out. Known once `gone` rejects. */
  get isStarved(): boolean {
    return this.#isStarved;
  }

  async #tellEnd(): Promise<never> {
    const endedItself = this.#live;
    this.#live = false;
    this.#isStarved = endedItself && (await lackedMemory(this.#daemon, this.id));
    throw failed('exec', `its container has ended${this.#isStarved ? ' because memory ran out' : ''}`);
  }

  /** The counts of the kernel so far. */
  async read(): Promise<Reading> {
    const next = this.#next();
    this.#attached.write('\n');
    return readingOf(await this.#answered(next));
  }

  /** Whether the work folder has room for another file. Call it when nothing runs. */
  async hasRoom(): Promise<boolean> {
    const next = this.#next();
    this.#attached.write('room\n');
    return hasRoom(await this.#answered(next));
  }

  /** Starts a program as the sandbox's user, with its streams attached. */
  async launch(command: readonly string[], { stdin }: { readonly stdin: boolean }): Promise<Launched> {
    const what = {
      Cmd: [...command],
      User: `${this.plan.user}:${this.plan.user}`,
      AttachStdin: stdin,
      AttachStdout: true,
      AttachStderr: true,
      WorkingDir: '/',
    };
    const made = await this.#whileLive(
      this.#daemon.ask('prepare a program', (docker, abortSignal) =>
        docker.getContainer(this.id).exec({ ...what, abortSignal }),
      ),
    );
    const starting = this.#daemon.ask('start a program', (_docker, abortSignal) =>
      made.start({ hijack: true, stdin, abortSignal }),
    );
    const stream = await this.#whileLive(starting).catch((thrown: unknown) => {
      this.#spoiled = true; // it may start later
      starting.then(
        (late) => late.on('error', () => undefined).destroy(),
        () => undefined,
      );
      throw thrown;
    });
    this.#unsettled.add(made);
    return { stream, exitCode: () => this.#exitCodeOf(made) };
  }

  /** Changes the limits of programs from those of the last one. */
  async setLimits(limits: CellLimits): Promise<void> {
    if (limits.memoryBytes === this.#limits.memoryBytes && limits.pids === this.#limits.pids) return;
    const { settings, limits: made } = this.plan;
    const wanted = {
      ...memoryOf({ ...limits, diskBytes: made.diskBytes }, settings),
      PidsLimit: pidsOf(limits, settings),
    };
    await this.#whileLive(
      this.#daemon.ask('change the limits of a container', (docker, abortSignal) =>
        docker.getContainer(this.id).update({ ...wanted, abortSignal }),
      ),
    );
    this.#limits = limits;
  }

  /** Kills everything that runs in it. Where that is impossible, only the end of the container helps. */
  async empty(): Promise<Emptied> {
    const unknown: Emptied = { isEmpty: false, ran: undefined };
    if (this.#spoiled) return unknown;
    const found = await withinMs(
      this.#least(killMs),
      this.#killAll(),
      () => new Error('something is left'),
    ).catch(() => unknown);
    this.#spoiled = !found.isEmpty;
    return found;
  }

  async #killAll(): Promise<Emptied> {
    for (const made of this.#unsettled) await this.#begun(made);
    this.#unsettled.clear();
    const { processes } = await this.read();
    if (processes === 0) return { isEmpty: true, ran: false };
    if (processes > this.#limits.pids - roomForKiller) return { isEmpty: false, ran: true };
    // the kernel kills all at once, so nothing can be started in between
    const killer = await this.launch(['sh', '-c', 'kill -9 -1'], { stdin: false });
    killer.stream.on('error', () => undefined).resume();
    for (let look = 0; look < killLooks; look += 1) {
      if ((await killer.exitCode()) !== undefined && (await this.read()).processes === 0)
        return { isEmpty: true, ran: true };
      await sleep(20);
    }
    return { isEmpty: false, ran: true };
  }

  /**
   * Waits until a program has started or ended. The daemon answers before a program runs, and a program that
   * does not run yet would be overlooked.
   */
  async #begun(made: Dockerode.Exec): Promise<void> {
    for (;;) {
      const { Pid, ExitCode } = await this.#inspect(made);
      if (Pid > 0 || ExitCode !== null) return; // otherwise it has neither ended nor started yet
      await sleep(5);
    }
  }

  /**
   * Kills it with everything in it and waits until it is gone. Where the daemon cannot do that, the end of
   * its stdin ends it.
   */
  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    this.#live = false;
    await putAway(this.#daemon, this.id, this.plan.volume).catch(() => undefined);
    this.#attached.destroy();
  }

  /** Undefined while it runs. */
  async #exitCodeOf(made: Dockerode.Exec): Promise<number | undefined> {
    const { Running, ExitCode } = await this.#inspect(made);
    if (Running || ExitCode === null) return undefined;
    this.#unsettled.delete(made);
    return ExitCode;
  }

  #inspect(made: Dockerode.Exec): Promise<Dockerode.ExecInspectInfo> {
    return this.#whileLive(
      this.#daemon.ask('inspect a program', (_docker, abortSignal) => made.inspect({ abortSignal })),
    );
  }

  #whileLive<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.gone]);
  }

  #answered(next: Promise<string>): Promise<string> {
    const ms = this.#least(monitorMs);
    return this.#whileLive(
      withinMs(ms, next, () => {
        this.#spoiled = true;
        this.#daemon.suspect();
        return failed('exec', `its container did not answer within ${ms / 1000} s`);
      }),
    );
  }

  #least(ms: number): number {
    return Math.min(ms, this.plan.settings.answerMs);
  }

  #next(): Promise<string> {
    return new Promise((resolve) => void this.#questions.push({ resolve }));
  }

  #hear(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = lines.pop() ?? '';
    for (const line of lines) this.#questions.shift()?.resolve(line);
  }
}

/** The result of killing everything in a container. */
export interface Emptied {
  /** True when none of its processes is left. */
  readonly isEmpty: boolean;
  /** Whether there was anything to kill; undefined where the daemon or the container did not answer. */
  readonly ran: boolean | undefined;
}

/** A started program. */
export interface Launched {
  /** Both directions: the program's stdin, and frames of its two output streams. */
  readonly stream: Duplex;
  /** Undefined while it runs. */
  readonly exitCode: () => Promise<number | undefined>;
}

/** Removes a container, and its work folder where no other container holds it. */
async function putAway(daemon: Daemon, idOrName: string, volume: WorkVolume): Promise<void> {
  volume.holders -= 1;
  await remove(daemon, idOrName);
  if (volume.holders === 0) await removeVolume(daemon, volume.name);
}

/**
 * Kills and removes a container by id or name, with the volumes that its image declares. A missing container
 * is no failure.
 */
export async function remove(daemon: Daemon, idOrName: string): Promise<void> {
  const inTheWorks = 409;
  const notThere = 404;
  for (let look = 1; ; look += 1) {
    try {
      await daemon.ask('remove a container', (docker, abortSignal) =>
        docker.getContainer(idOrName).remove({ force: true, v: true, abortSignal }),
      );
      return;
    } catch (thrown) {
      if (statusOf(thrown) === notThere) return;
      if (statusOf(thrown) !== inTheWorks || look === removalLooks) throw thrown;
      await sleep(20); // it is being removed already; ask again until it is gone
    }
  }
}

/** The error for a failure while a sandbox was opened. */
export function atOpen(thrown: unknown): Error {
  if (FaultError.is(thrown) && thrown.fault.kind === 'sandbox-failed')
    return new FaultError({ ...thrown.fault, stage: 'open' }, { cause: thrown.cause });
  return failed('open', messageOf(thrown), thrown);
}
