import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { Writable } from 'node:stream';
import { bareWords, deviceWords } from '../bubblewrap/bare-words.ts';
import { countsProcesses, isRoot, newOwner } from '../bubblewrap/owner.ts';
import { findBubblewrap, fixOfRefusal, whyNoBubblewrap } from '../bubblewrap/refusal.ts';
import { isArchitecture, seccompFilter } from '../bubblewrap/seccomp.ts';
import { limitBounds } from '../limits.ts';
import { launched, type Launched, type Launcher } from './launch.ts';

/** Threads of Node itself, and the first process of the namespace. */
const ownThreads = 12;

/** The descriptor after the three standard streams, from which bwrap reads the system call filter. */
const filterDescriptor = 3;

const trialMs = 20_000;
const complaintBytes = 2 ** 12;

/**
 * Starts interpreters in namespaces of bubblewrap. They see only system programs, Node and the interpreters'
 * own files, all read-only. They have no network, can start no process, and can start no more threads than
 * the lowest allowed limit. A thread of the same process enforces the limits on memory and processor time, so
 * a program that escapes its interpreter could stop it. The wall clock is enforced from here.
 */
export function createBubblewrapLauncher(): Launcher {
  let trial: Promise<string | undefined> | undefined;
  return {
    name: 'wasm-bubblewrap',
    guarantees: {
      boundary: 'namespaces',
      user: 'unprivileged',
      files: 'private-root',
      network: 'none',
      environment: 'cleared',
      memory: 'advisory',
      cpu: 'advisory',
      pids: isCounted() ? 'enforced' : 'advisory',
      disk: 'enforced', // there is no writable place
      children: 'all-killed',
      kernel: 'filtered',
    },
    unavailable: async (signal) => {
      signal.throwIfAborted();
      trial ??= tryOnce();
      return trial;
    },
    launch: startWithin,
  };
}

/** Starts a Node that does nothing, because an installed bwrap may still be refused here. */
async function tryOnce(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'bubblewrap needs Linux';
  if (!isArchitecture(process.arch))
    return `the system call filter supports x64 and arm64, not ${process.arch}`;
  const none = whyNoBubblewrap();
  if (none !== undefined) return none;
  const { stdout, stderr, exited, kill } = startWithin([process.execPath, '--version'], []);
  const late = setTimeout(kill, trialMs);
  let complaint = '';
  stdout.resume();
  stderr.on('data', (part: Buffer) => (complaint = (complaint + part.toString()).slice(0, complaintBytes)));
  const how = await exited;
  clearTimeout(late);
  if (how === 'exit code 0') return undefined;
  const said = complaint.trim() || how;
  return `a trial in namespaces failed (${said}): ${fixOfRefusal(said)}. Also make ${process.execPath} readable for every user`;
}

function startWithin(command: readonly [string, ...string[]], reads: readonly string[]): Launched {
  const child = spawn(findBubblewrap() ?? 'bwrap', walls(command, reads), {
    env: {},
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
    ...(isRoot() && newOwner()),
  });
  const filter: unknown = (child.stdio as readonly unknown[])[filterDescriptor];
  if (!(filter instanceof Writable) || !hasStreams(child) || !isArchitecture(process.arch))
    throw new TypeError('bwrap was started without its pipes');
  filter.on('error', () => undefined); // it may have ended, which `exited` reports
  filter.end(seccompFilter(process.arch, { startsProcesses: false }));
  return launched(child);
}

const hasStreams = (child: {
  readonly stdin: unknown;
  readonly stdout: unknown;
  readonly stderr: unknown;
}): child is ChildProcessWithoutNullStreams =>
  child.stdin !== null && child.stdout !== null && child.stderr !== null;

/** Whether the kernel counts threads for one process alone. */
const isCounted = (): boolean => process.platform === 'linux' && countsProcesses();

/** The limit on threads where the kernel counts all processes of a user together. */
const uncounted = 256;

/** Mounts a link as a link, so that its target has the same name inside. */
function shown(place: string): readonly string[] {
  const behind = realpathSync(place);
  return behind === place ? ['--ro-bind', place, place] : ['--symlink', behind, place];
}

/** The arguments of bwrap. */
function walls(command: readonly [string, ...string[]], reads: readonly string[]): readonly string[] {
  const [program] = command;
  return [
    ...bareWords,
    ...(program.startsWith('/usr/') ? [] : ['--ro-bind', program, program]),
    ...reads.flatMap(shown),
    '--proc',
    '/proc',
    ...deviceWords,
    '--remount-ro',
    '/dev',
    '--remount-ro',
    '/',
    '--chdir',
    reads[0] ?? '/',
    '--seccomp',
    String(filterDescriptor),
    '--',
    '/usr/bin/prlimit',
    '--core=0',
    '--fsize=0',
    '--nofile=256',
    `--nproc=${isCounted() ? ownThreads + limitBounds.pids[0] : uncounted}`,
    '--',
    ...command,
  ];
}
