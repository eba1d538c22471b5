import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, constants, openSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { messageOf } from '../../envs/core/errors.ts';
import { openDeadline } from '../../envs/core/waiting.ts';
import { failed, impossible } from '../faults.ts';
import { filesIn, pageBytes } from '../pages.ts';
import type { Owner } from './owner.ts';

/**
 * A file system in memory for one sandbox. A keeper process holds it in a mount namespace of its own. All of
 * it disappears with that process.
 */
export interface Box extends AsyncDisposable {
  /** Arguments of `nsenter` that start a program in the keeper's namespaces. */
  readonly entry: readonly string[];
  /**
   * The folder with the sandbox's `work` and `tmp`, as this process reaches it. Its bytes and its number of
   * files are limited.
   */
  readonly files: string;
  /**
   * Two pipes for a program's output. Close the writers once the program has them. Call `giveBack` when the
   * program is gone.
   */
  pipes(): Promise<Pipes>;
  /**
   * Opens a nameless file with this content for reading. A process that opens it again cannot write to it
   * either.
   */
  input(content: string | Uint8Array): number;
  readonly live: boolean;
}

export interface Pipes {
  readonly readers: readonly [stdout: number, stderr: number];
  readonly writers: readonly [stdout: number, stderr: number];
  /** Returns the pipes for reuse. */
  readonly giveBack: () => void;
}

/** The path of the box for the keeper and the programs. */
export const boxFolder = '/tmp';

const startMs = 10_000;

/** A `PATH` with system programs alone, whatever this process uses. */
export const systemPath = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin';

/**
 * The keeper's script. It makes the pipes whose numbers it reads, line by line. It ends when this process
 * does.
 */
const script = (bytes: number, { uid, gid }: Owner): string =>
  [
    'set -e',
    `mount -t tmpfs -o nosuid,nodev,mode=0755 tmpfs ${boxFolder}`,
    `cd ${boxFolder}`,
    'mkdir files pipes input given',
    'mount --bind input given',
    'mount -o remount,bind,ro given',
    `mount -t tmpfs -o nosuid,nodev,mode=0755,size=${bytes},nr_inodes=${filesIn(bytes)} tmpfs files`,
    'mkdir files/work files/tmp',
    'chmod 1777 files/tmp',
    `chown ${uid}:${gid} files/work files/tmp`,
    'echo ready',
    `while read -r number; do mkfifo -m 0600 pipes/$number.out pipes/$number.err; chown ${uid}:${gid} pipes/$number.out pipes/$number.err; echo made; done`,
  ].join('\n');

/**
 * Opens a box. A process that is root mounts in a new mount namespace alone, so that it can write files that
 * belong to programs of `owner`. Another user becomes root of a new user namespace first.
 *
 * @throws FaultError with the system's message where namespaces are not allowed here
 */
export async function openBox(
  diskBytes: number,
  { owner, isRoot }: { readonly owner: Owner; readonly isRoot: boolean },
  signal: AbortSignal,
): Promise<Box> {
  const bytes = Math.max(1, Math.floor(diskBytes / pageBytes)) * pageBytes;
  const inside = isRoot ? owner : { uid: 0, gid: 0 };
  const words = [
    ...(isRoot ? [] : ['--user', '--map-root-user']),
    '--mount',
    '--propagation',
    'private',
    '--',
    'sh',
    '-c',
    script(bytes, inside),
  ];
  const keeper = spawn('unshare', words, {
    stdio: 'pipe',
    cwd: '/',
    env: { PATH: systemPath },
    detached: true,
  });
  const target = ['--target', String(keeper.pid), '--mount'];
  const entry = isRoot
    ? [...target, '--setgid', String(owner.gid), '--setuid', String(owner.uid)]
    : [...target, '--user', '--preserve-credentials'];
  const complaints: string[] = [];
  keeper.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text));
  keeper.stdin.on('error', () => undefined); // the exit of the keeper reports its end
  const lines = createInterface({ input: keeper.stdout });
  try {
    if ((await answer(keeper, lines, signal)) === 'ready')
      return new KeptBox(keeper, lines, { owner, entry });
    throw impossible('open', complaints.join('').trim() || 'unshare does not answer');
  } catch (thrown) {
    keeper.kill('SIGKILL');
    throw thrown;
  }
}

/**
 * The next line of the keeper. Undefined when the keeper ends or does not answer in time.
 *
 * @throws FaultError when it cannot be started
 */
async function answer(
  keeper: ChildProcess,
  lines: Interface,
  signal: AbortSignal,
): Promise<string | undefined> {
  using deadline = openDeadline(signal, { where: 'starting a sandbox', ms: startMs });
  const done = new AbortController();
  const given = { signal: done.signal };
  try {
    const line = once(lines, 'line', given).then(([text]) => text as string);
    const ended = once(keeper, 'close', given).then(
      () => undefined,
      (thrown: unknown) => failedToStart(thrown),
    );
    const late = once(deadline.signal, 'abort', given).then(() => undefined);
    return await Promise.race([line, ended, late].map((promise) => promise.catch(ignoreEnd(done.signal))));
  } finally {
    done.abort();
    signal.throwIfAborted();
  }
}

const ignoreEnd =
  (signal: AbortSignal) =>
  (thrown: unknown): undefined => {
    if (!signal.aborted) throw thrown;
  };

function failedToStart(thrown: unknown): undefined {
  if (thrown instanceof Error && thrown.name === 'AbortError') return undefined;
  throw impossible('open', messageOf(thrown), thrown);
}

class KeptBox implements Box {
  readonly entry: readonly string[];
  readonly files: string;
  readonly #keeper: ChildProcess;
  readonly #lines: Interface;
  readonly #owner: Owner;
  readonly #root: string;
  readonly #free: number[] = [];
  #made = 0;
  #inputs = 0;
  #making: Promise<unknown> = Promise.resolve();

  constructor(
    keeper: ChildProcess,
    lines: Interface,
    { owner, entry }: { readonly owner: Owner; readonly entry: readonly string[] },
  ) {
    this.entry = entry;
    this.#keeper = keeper;
    this.#lines = lines;
    this.#owner = owner;
    this.#root = `/proc/${keeper.pid}/root${boxFolder}`;
    this.files = `${this.#root}/files`;
  }

  get live(): boolean {
    return this.#keeper.exitCode === null && this.#keeper.signalCode === null;
  }

  async pipes(): Promise<Pipes> {
    const number = this.#free.pop() ?? (await this.#makePipes());
    const opened: number[] = [];
    try {
      for (const [flags, stream] of [
        [reading, 'out'],
        [reading, 'err'],
        [writing, 'out'],
        [writing, 'err'],
      ] as const) {
        opened.push(openSync(`${this.#root}/pipes/${number}.${stream}`, flags));
      }
    } catch (thrown) {
      for (const descriptor of opened) closeSync(descriptor);
      throw failed('exec', messageOf(thrown), thrown);
    }
    const [out = -1, err = -1, toOut = -1, toErr = -1] = opened;
    return { readers: [out, err], writers: [toOut, toErr], giveBack: () => void this.#free.push(number) };
  }

  /** Makes pipes one after the other, because the keeper answers in order. */
  #makePipes(): Promise<number> {
    const number = this.#made;
    this.#made += 1;
    const made = this.#making.then(async () => {
      this.#keeper.stdin?.write(`${number}\n`);
      if ((await answer(this.#keeper, this.#lines, neverAborts)) === 'made') return number;
      throw failed('exec', 'the keeper of the files has ended');
    });
    this.#making = made.catch(() => undefined);
    return made;
  }

  input(content: string | Uint8Array): number {
    const number = this.#inputs;
    this.#inputs += 1;
    const file = `${this.#root}/input/${number}`;
    try {
      writeFileSync(file, content, { mode: 0o400, flag: 'wx' });
      chownSync(file, this.#owner.uid, this.#owner.gid);
      // the same file on a read-only mount, because the size of this file system is not limited
      return openSync(`${this.#root}/given/${number}`, constants.O_RDONLY);
    } catch (thrown) {
      throw failed('exec', messageOf(thrown), thrown);
    } finally {
      rmSync(file, { force: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.live) return;
    const closed = once(this.#keeper, 'close');
    this.#keeper.kill('SIGKILL');
    await closed;
  }
}

const reading = constants.O_RDONLY | constants.O_NONBLOCK;
const writing = constants.O_WRONLY;
const { signal: neverAborts } = new AbortController();
