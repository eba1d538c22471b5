import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { Duplex, type Writable } from 'node:stream';
import { messageOf } from '../../envs/core/errors.ts';
import { sleep } from '../../envs/core/waiting.ts';
import { failed } from '../faults.ts';
import { closedFolder } from '../misuse.ts';
import type { Limits } from '../sandbox.ts';
import { systemPath, type Box, type Pipes } from './box.ts';
import {
  commandWords,
  descriptors,
  strayDescriptors,
  type BoundProgram,
  type ProgramStart,
} from './command-words.ts';
import type { ControlGroup, ControlGroups } from './control-groups.ts';
import { beginningOf, usageBelow, type Usage } from './usage.ts';

/** What all programs of one provider are started with. */
export interface Surroundings {
  /** An open file with the filter of system calls. */
  readonly filter: number;
  readonly groups: ControlGroups | undefined;
  readonly programs: readonly BoundProgram[];
}

/**
 * The last reading of a program. The code is in the convention of shells; undefined where the program ended
 * with its supervisor.
 */
export interface LastSeen {
  readonly code: number | undefined;
  /** The last counts of the kernel. */
  readonly usage: Usage;
}

const startMs = 20_000;
const goneMs = 20_000;

/** A program in its own namespaces, from its first process to the last of its children. */
export class RunningProgram {
  readonly stdout: Socket;
  readonly stderr: Socket;
  /** Null where the input was given at the start. */
  readonly stdin: Writable | null;
  /**
   * Resolves once none of its processes runs any more. Rejects with a `FaultError` when it could not be
   * started, and with a `UsageError` when its folder cannot be entered.
   */
  readonly ended: Promise<LastSeen>;
  readonly #limits: Limits;
  readonly #folder: string;
  readonly #monitor: ChildProcess;
  readonly #group: ControlGroup | undefined;
  #first: { readonly pid: number; readonly beginning: string } | undefined;
  #isKilled = false;
  #isGone = false;
  #usage: Usage = { memoryBytes: 0, memoryKills: 0, refusedForks: 0, cpuMs: 0 };

  /**
   * Starts a program.
   *
   * @param parts.input a descriptor that the program reads, which is closed here; `pipe` for its `stdin`
   */
  static async begin(
    box: Box,
    start: ProgramStart,
    parts: { readonly surroundings: Surroundings; readonly input: () => number | 'pipe' | 'ignore' },
  ): Promise<RunningProgram> {
    const { surroundings } = parts;
    const words = commandWords(box.entry, start, {
      programs: surroundings.programs,
      isCounted: surroundings.groups !== undefined,
    });
    const pipes = await box.pipes();
    const handed: number[] = [...pipes.writers];
    let group: ControlGroup | undefined;
    try {
      const input = parts.input();
      if (typeof input === 'number') handed.push(input);
      // opened again, so that each program reads from its start
      const filter = openSync(`/proc/self/fd/${surroundings.filter}`, 'r');
      handed.push(filter);
      const stdio: ('ignore' | 'pipe' | number)[] = [input, ...pipes.writers, filter, 'pipe'];
      const strays = strayDescriptors().filter((stray) => stray >= stdio.length);
      if (strays.length > 0) {
        const nothing = openSync('/dev/null', 'r');
        handed.push(nothing);
        hide(stdio, strays, nothing);
      }
      group = surroundings.groups?.make(start.limits);
      const [joiner = 'nsenter', ...rest] = [...(group?.words ?? []), 'nsenter', ...words];
      const monitor = spawn(joiner, rest, { stdio, cwd: '/', env: { PATH: systemPath }, detached: true });
      return new RunningProgram(monitor, { pipes, group, start });
    } catch (thrown) {
      group?.remove();
      for (const reader of pipes.readers) closeSync(reader);
      pipes.giveBack();
      throw failed('exec', messageOf(thrown), thrown);
    } finally {
      for (const descriptor of handed) closeSync(descriptor);
    }
  }

  private constructor(
    monitor: ChildProcess,
    parts: { readonly pipes: Pipes; readonly group: ControlGroup | undefined; readonly start: ProgramStart },
  ) {
    const { pipes, group, start } = parts;
    this.#monitor = monitor;
    this.#group = group;
    this.#limits = start.limits;
    this.#folder = start.folder;
    const [stdout, stderr] = pipes.readers.map((fd) => new Socket({ fd, readable: true, writable: false }));
    if (stdout === undefined || stderr === undefined) throw new TypeError('pipes come in pairs');
    this.stdout = stdout;
    this.stderr = stderr;
    this.stdin = monitor.stdin;
    // the end of the program reports the same
    for (const stream of [stdout, stderr, this.stdin]) stream?.on('error', () => undefined);
    this.ended = this.#run().finally(() => {
      this.#isGone = true;
      for (const stream of [stdout, stderr, this.stdin]) stream?.destroy();
      pipes.giveBack();
    });
    this.ended.catch(() => undefined); // callers get the rejection
  }

  /** Whether any of its processes may run. */
  get live(): boolean {
    return !this.#isKilled && !this.#isGone;
  }

  /** What it uses now. */
  usage(): Usage {
    if (this.#first !== undefined && !this.#isGone)
      this.#usage = this.#group?.usage() ?? usageBelow(this.#first.pid, this.#limits.pids);
    return this.#usage;
  }

  /** Kills all its processes, even if it has not started yet. `ended` reports when they are gone. */
  kill(): void {
    this.#isKilled = true;
    if (this.#first !== undefined && beginningOf(this.#first.pid) === this.#first.beginning)
      signalSafely(this.#first.pid);
  }

  /** Kills it and waits until it is gone. */
  async end(): Promise<void> {
    this.kill();
    await this.ended.catch(() => undefined);
  }

  async #run(): Promise<LastSeen> {
    const exit = once(this.#monitor, 'exit');
    exit.catch(() => undefined);
    const status = new StatusReader(wayAt(this.#monitor, descriptors.status), (pid) => this.#admit(pid));
    const timer = setTimeout(
      () => void (this.#first === undefined && this.#monitor.kill('SIGKILL')),
      startMs,
    );
    const complaints: Buffer[] = [];
    const keep = (part: Buffer): void => void (complaints.length < 16 && complaints.push(part));
    this.stderr.on('data', keep);
    try {
      await Promise.all([exit, status.ended]);
      await this.#gone();
    } catch (thrown) {
      throw failed('exec', messageOf(thrown), thrown);
    } finally {
      clearTimeout(timer);
      this.#removeGroup();
    }
    await drained([this.stdout, this.stderr]);
    const first = Buffer.concat(complaints).toString().trim();
    if (status.code === undefined && !this.#isKilled && this.#usage.memoryKills === 0) {
      if (this.#folder !== '' && first.startsWith("bwrap: Can't chdir")) throw closedFolder(this.#folder);
      const message =
        first.startsWith('bwrap:') || (this.#first === undefined && first !== '')
          ? first
          : 'the supervisor of the program was killed';
      throw failed('exec', message);
    }
    return { code: status.code, usage: this.#usage };
  }

  /** Called once the first process exists. */
  #admit(pid: number): void {
    const beginning = beginningOf(pid);
    if (beginning !== undefined) this.#first = { pid, beginning };
    if (this.#isKilled) this.kill();
  }

  /** The first process ends its pid namespace: once it is gone, the kernel has ended all others. */
  async #gone(): Promise<void> {
    if (this.#first === undefined) return;
    const { pid, beginning } = this.#first;
    for (let waited = 0; beginningOf(pid) === beginning; waited += 1) {
      signalSafely(pid);
      if (waited > goneMs) throw new Error(`process ${pid} of a program does not end`);
      await sleep(1);
    }
    this.#usage = this.#group?.usage() ?? this.#usage;
    this.#isGone = true;
  }

  #removeGroup(tries = 100): void {
    if (this.#group === undefined || this.#group.remove() || tries === 0) return;
    setTimeout(() => this.#removeGroup(tries - 1), 10);
  }
}

function wayAt(monitor: ChildProcess, descriptor: number): Duplex {
  const ways: readonly unknown[] = monitor.stdio;
  const way = ways[descriptor];
  if (way instanceof Duplex) return way;
  throw new TypeError(`descriptor ${descriptor} is no pipe`);
}

/** Replaces descriptors that a child would inherit by an empty file. The other descriptors stay closed. */
function hide(stdio: ('ignore' | 'pipe' | number)[], strays: readonly number[], nothing: number): void {
  while (stdio.length <= Math.max(...strays)) stdio.push('ignore');
  for (const stray of strays) stdio[stray] = nothing;
}

function signalSafely(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended meanwhile
  }
}

/** Waits for the end of streams that no process can write to any more. */
async function drained(streams: readonly Socket[]): Promise<void> {
  for (const stream of streams) stream.resume();
  await Promise.all(
    streams.filter(({ closed }) => !closed).map((stream) => once(stream, 'close').catch(() => undefined)),
  );
}

/** Reads bwrap's status reports on a program: the id of its first process, then its exit code. */
class StatusReader {
  code: number | undefined;
  readonly ended: Promise<unknown>;
  #text = '';

  constructor(stream: Duplex, onFirst: (pid: number) => void) {
    let isKnown = false;
    stream.setEncoding('utf8').on('data', (part: string) => {
      this.#text += part;
      const [, pid] = /"child-pid": (\d+)[\s,}]/.exec(this.#text) ?? [];
      if (pid !== undefined && !isKnown) {
        isKnown = true;
        onFirst(Number(pid));
      }
      const [, code] = /"exit-code": (\d+)[\s,}]/.exec(this.#text) ?? [];
      if (code !== undefined) this.code = Number(code);
    });
    this.ended = new Promise((resolve) => stream.once('close', resolve).on('error', () => undefined));
  }
}
