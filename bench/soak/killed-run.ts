import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { inTemporaryFolder } from '../report/temporary-folder.ts';

/** The built command, beside this build. */
const cairn = fileURLToPath(new URL('../../cli/main.js', import.meta.url));

const words = [
  'lights-out',
  '--set',
  'size=3',
  '--backend',
  'wasm',
  '--iterations',
  '8',
  '--groups',
  '4',
  '--group-size',
  '2',
  '--warm-start',
  '2',
];
const changes = [
  'finalPanels=[]',
  'evaluation.tasks=4',
  'evaluation.every=4',
  'warmStart.epochs=2',
  'checkpoints.every=2',
  'trajectories.every=1',
];
const job = ['train', ...words, ...changes.flatMap((change) => ['--with', change]), '--quiet'];

/** The metrics of a small run that nobody disturbs. */
export async function undisturbed(): Promise<string> {
  return inTemporaryFolder('soak', async (folder) => {
    await train([...job, '--run', path.join(folder, 'run')], undefined);
    return readFile(path.join(folder, 'run', 'metrics.jsonl'), 'utf8');
  });
}

/** The same run, killed again and again after `delaysMs`, then let go to its end: its metrics. */
export async function killedAndResumed(delaysMs: readonly number[]): Promise<string> {
  return inTemporaryFolder('soak', async (folder) => {
    const run = path.join(folder, 'run');
    for (const delay of delaysMs) await train(await startWords(run), delay);
    await train(await startWords(run), undefined);
    return readFile(path.join(run, 'metrics.jsonl'), 'utf8');
  });
}

/** A run that was killed before it had its config starts again. */
async function startWords(run: string): Promise<readonly string[]> {
  const names = await readdir(run).catch(() => []);
  return names.some((name) => name === 'config.json')
    ? ['train', '--resume', run, '--quiet']
    : [...job, '--run', run];
}

async function train(commandLine: readonly string[], killAfterMs: number | undefined): Promise<void> {
  const child = spawn(process.execPath, [cairn, ...commandLine], { stdio: ['ignore', 'ignore', 'inherit'] });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const [code] = (await once(child, 'exit')) as readonly unknown[];
  clearTimeout(timer);
  if (killAfterMs === undefined && code !== 0)
    throw new Error(`cairn ${commandLine.join(' ')} ended with ${String(code)}`);
}
