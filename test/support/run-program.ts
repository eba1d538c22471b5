import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Spawned {
  readonly cwd?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Called with the child once it runs; stdin stays open until it is ended there. Without it stdin is empty. */
  readonly drive?: (child: ReturnType<typeof spawn>) => void;
}

/** Runs a program to its end. */
export async function run(program: string, words: readonly string[], options: Spawned = {}): Promise<Ran> {
  const child = spawn(program, words, {
    cwd: options.cwd ?? root,
    env: { ...process.env, ...options.environment },
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  if (options.drive === undefined) child.stdin.end();
  else options.drive(child);
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode, signal) =>
      exitCode === null ? reject(new Error(`${program} was ended by ${signal}`)) : resolve(exitCode),
    );
  });
  return { code, out, err };
}

/** Runs the built command as a process of its own. */
export const spawnCairn = (words: readonly string[], options: Spawned = {}): Promise<Ran> =>
  run(process.execPath, [path.join(root, 'dist', 'cli', 'main.js'), ...words], options);
