import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { noGuarantees, type Guarantees } from '../guarantees.ts';

/** A started process with all its streams. */
export interface Launched {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when it is gone, with a description of its end. Never rejects. */
  readonly exited: Promise<string>;
  /** Kills it from outside. */
  readonly kill: () => void;
}

/** Starts and confines the processes of interpreters. */
export interface Launcher {
  /** The name of the provider whose interpreters it starts. */
  readonly name: string;
  readonly guarantees: Guarantees;
  /** Why it cannot be used here and how to fix that; undefined where it can be used. */
  readonly unavailable: (signal: AbortSignal) => Promise<string | undefined>;
  /**
   * Starts a program with an empty environment.
   *
   * @param reads folders that it must be able to read besides itself, and links to some of them; the first is
   * no link and becomes its working folder
   */
  readonly launch: (command: readonly [string, ...string[]], reads: readonly string[]) => Launched;
}

/**
 * Starts an ordinary process. It guarantees nothing about programs that escape their interpreter. That
 * depends on the interpreter alone, and one hole in it gives a program a process with our files and our
 * network.
 */
export const plainLauncher: Launcher = {
  name: 'wasm',
  guarantees: { ...noGuarantees, boundary: 'process', environment: 'cleared' },
  unavailable: () => Promise.resolve(undefined),
  launch: ([program, ...words], [home = path.parse(program).root]) =>
    launched(spawn(program, words, { env: {}, cwd: home, stdio: 'pipe', detached: true, windowsHide: true })),
};

/**
 * Wraps a process that was started with three pipes and as the leader of its own group. So keys pressed at a
 * terminal do not reach it.
 */
export function launched(child: ChildProcessWithoutNullStreams): Launched {
  child.stdin.on('error', () => undefined); // it may end during a write, which `exited` reports
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
