import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { noGuarantees, type Guarantees } from '../guarantees.ts';

/** A process that was started, with all its streams. */
export interface Launched {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it is gone; with how it ended, in words. Never rejects. */
  readonly exited: Promise<string>;
  /** Kills it, from outside. */
  readonly kill: () => void;
}

/** How the processes of interpreters are started, and what holds them there. */
export interface Launcher {
  /** Names the provider whose interpreters it starts. */
  readonly name: string;
  readonly guarantees: Guarantees;
  /** Why it cannot be used here and how to fix it; undefined when it can. */
  readonly unavailable: (signal: AbortSignal) => Promise<string | undefined>;
  /**
   * Starts a program with an empty environment.
   * @param reads folders that it has to be able to read, itself apart, and links to some of them; the first, no link, becomes its own
   */
  readonly launch: (command: readonly [string, ...string[]], reads: readonly string[]) => Launched;
}

/**
 * A process like any other. That programs cannot leave their interpreter is no promise here: it hangs on the interpreter alone, and one
 * hole in that is a process of ours with our files and our network.
 */
export const plainLauncher: Launcher = {
  name: 'wasm',
  guarantees: { ...noGuarantees, boundary: 'process', environment: 'cleared' },
  unavailable: () => Promise.resolve(undefined),
  launch: ([program, ...words], [home = path.parse(program).root]) =>
    launched(spawn(program, words, { env: {}, cwd: home, stdio: 'pipe', detached: true, windowsHide: true })),
};

/** The process was started with three pipes and heads a group of its own, so that keys pressed at a terminal do not reach it. */
export function launched(child: ChildProcessWithoutNullStreams): Launched {
  child.stdin.on('error', () => undefined); // it may end while something is written to it: `exited` tells
  const exited = new Promise<string>((resolve) => {
    child.once('error', (thrown) => resolve(`it could not be started (${thrown.message})`));
    child.once('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : signal));
  });
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    kill: () => void child.kill('SIGKILL'),
  };
}
