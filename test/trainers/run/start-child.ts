import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles `child.ts` into `folder`, because Node 20 cannot run it as it is. Returns the program's path. */
export async function bundleChild(folder: string): Promise<string> {
  const outfile = join(folder, 'child.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('child.ts', import.meta.url))],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return outfile;
}

/** A child that has said its first line. */
export interface StartedChild extends AsyncDisposable {
  readonly pid: number;
  readonly firstLine: string;
  /** SIGKILL, and wait until it is gone. A second call does nothing. */
  kill(): Promise<void>;
  /** Ends its input and waits until it has ended by itself. */
  letGo(): Promise<void>;
}

export async function startChild(program: string, mode: string, folder: string): Promise<StartedChild> {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    process.execPath,
    [program, mode, folder],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const gone = once(child, 'exit');
  const firstLine = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([line]) => String(line)),
    gone.then(() => 'ended without a word'),
  ]);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await gone;
  };
  return {
    pid: child.pid ?? 0,
    firstLine,
    kill,
    letGo: async () => {
      child.stdin.end();
      await gone;
    },
    [Symbol.asyncDispose]: kill,
  };
}
