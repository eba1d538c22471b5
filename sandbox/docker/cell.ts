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

/** How long the monitor may take to answer, and killing to be done, on a machine that is busy; less where the daemon has less. */
const monitorMs = 10_000;
const killMs = 10_000;
/** What the daemon may take to say why a container did not start, once that is gone. */
const reasonMs = 2_000;
const beatsInSilence = 5;
/** Tries to see the last process gone, 20 ms apart. */
const killLooks = 50;
/** Processes and threads that a killer needs to start; where there is no room for them the container is killed instead. */
const roomForKiller = 8;
const removalLooks = 500;

/**
 * One container, in which one program runs at a time. While it is open, its monitor's stdin is held by this process; when that ends, in
 * whatever way, the container ends and removes itself.
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
  /** Something is left in it that could not be killed from within. */
  #spoiled = false;
  /** Programs of which it is not known that they have begun. */
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

  /** Makes a container and starts it; when that fails, nothing is left of it. */
  static async start(daemon: Daemon, plan: CellPlan): Promise<Cell> {
    let attached: Duplex | undefined;
    plan.volume.holders += 1;
    try {
      const container = await daemon.ask('make a container', (docker, abortSignal) =>
        docker.createContainer({ ...containerOf(plan), abortSignal }),
      );
      attached = (await daemon.ask('attach to a container', (_docker, abortSignal) =>
        container.attach({ stream: true, stdin: true, stdout: true, hijack: true, abortSignal }),
      )) as Duplex; // which is a socket, whatever its declaration says
      const cell = new Cell({ daemon, plan, id: container.id, attached });
      const ready = cell.#next();
      const starting = daemon.ask('start a container', (_docker, abortSignal) =>
        container.start({ abortSignal }),
      );
      const lost = cell.gone.catch((thrown: unknown) =>
        Promise.race([starting, sleep(reasonMs)]).then(() => Promise.reject(thrown)),
      ); // the daemon knows better why it has ended
      await Promise.race([starting, lost]);
      assertConfined(await cell.#answered(ready), hasOwnKernel(plan.settings));
      return cell;
    } catch (thrown) {
      await putAway(daemon, plan.name, plan.volume).catch(() => undefined); // what failed first is what matters; the rest is swept later
      attached?.on('error', () => undefined).destroy();
      throw atOpen(thrown);
    }
  }

  get live(): boolean {
    return this.#live;
  }

  /** Whether the kernel ended the container because its programs left no memory for it; known when `gone` rejects. */
  get isStarved(): boolean {
    return this.#isStarved;
  }

  async #tellEnd(): Promise<never> {
    const endedItself = this.#live;
    this.#live = false;
    this.#isStarved = endedItself && (await lackedMemory(this.#daemon, this.id));
    throw failed('exec', `its container has ended${this.#isStarved ? ' because memory ran out' : ''}`);
  }

  /** What the kernel has counted until now. */
  async read(): Promise<Reading> {
    const next = this.#next();
    this.#attached.write('\n');
    return readingOf(await this.#answered(next));
  }

  /** Whether the work folder has room for another file; asked when nothing runs. */
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
      this.#spoiled = true; // it may begin yet
      starting.then(
        (late) => late.on('error', () => undefined).destroy(),
        () => undefined,
      );
      throw thrown;
    });
    this.#unsettled.add(made);
    return { stream, exitCode: () => this.#exitCodeOf(made) };
  }

  /** Lets programs have less or more than the last one had. */
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

  /** Kills all that runs in it; where that cannot be done, only its own end helps. */
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
    const killer = await this.launch(['sh', '-c', 'kill -9 -1'], { stdin: false }); // all at once, by the kernel: nothing can be started in between
    killer.stream.on('error', () => undefined).resume();
    for (let look = 0; look < killLooks; look += 1) {
      if ((await killer.exitCode()) !== undefined && (await this.read()).processes === 0)
        return { isEmpty: true, ran: true };
      await sleep(20);
    }
    return { isEmpty: false, ran: true };
  }

  /** The daemon answers before a program runs: one that does not run yet would be overlooked. */
  async #begun(made: Dockerode.Exec): Promise<void> {
    for (;;) {
      const { Pid, ExitCode } = await this.#inspect(made);
      if (Pid > 0 || ExitCode !== null) return; // that it does not run says neither that it has ended nor that it will not begin
      await sleep(5);
    }
  }

  /** Kills it with all that runs in it, and waits until it is gone; where the daemon cannot, the end of its stdin ends it. */
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
      this.#daemon.ask('tell how a program fares', (_docker, abortSignal) => made.inspect({ abortSignal })),
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

/** What came of killing all that ran in a container. */
export interface Emptied {
  /** Nothing of its programs is left. */
  readonly isEmpty: boolean;
  /** Whether there was anything to kill; undefined where the daemon or the container did not tell. */
  readonly ran: boolean | undefined;
}

/** A program that was started. */
export interface Launched {
  /** Both ways: the program's stdin in, frames of its two streams out. */
  readonly stream: Duplex;
  /** Undefined while it runs. */
  readonly exitCode: () => Promise<number | undefined>;
}

/** Removes a container, and its work folder where no other holds it. */
async function putAway(daemon: Daemon, idOrName: string, volume: WorkVolume): Promise<void> {
  volume.holders -= 1;
  await remove(daemon, idOrName);
  if (volume.holders === 0) await removeVolume(daemon, volume.name);
}

/** Kills and removes a container, by id or name, with what volumes its image asks for; one that is gone already is no failure. */
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
      await sleep(20); // its own removal has begun; asked again until it is not there
    }
  }
}

/** What went wrong while a sandbox was opened. */
export function atOpen(thrown: unknown): Error {
  if (FaultError.is(thrown) && thrown.fault.kind === 'sandbox-failed')
    return new FaultError({ ...thrown.fault, stage: 'open' }, { cause: thrown.cause });
  return failed('open', messageOf(thrown), thrown);
}
