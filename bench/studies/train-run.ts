import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { constants, loadavg } from 'node:os';
import path from 'node:path';
import { usageFile, type StudyRun, type Usage } from './stored-run.ts';

/** Commands that run now: who stops a study by a signal stops them too. */
const running = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(128 + constants.signals[signal]);
  });
}

function startCairn(words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [path.join('dist', 'cli', 'main.js'), ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  running.add(child);
  return child;
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise<number | null>((resolve, reject) => child.on('error', reject).on('exit', resolve)).finally(() =>
    running.delete(child),
  );

/**
 * Runs a command of the command line. Throws if it fails.
 *
 * @param seconds the time after which it is asked to stop cleanly; no limit if undefined
 * @returns whether it ended by itself
 */
export async function runCommand(words: readonly string[], seconds?: number): Promise<boolean> {
  const child = startCairn([...words, '--quiet']);
  let isAsked = false;
  const ask = (): void => void (isAsked = child.kill('SIGINT'));
  const timer = seconds === undefined ? undefined : setTimeout(ask, 1_000 * seconds);
  const code = await ended(child).finally(() => clearTimeout(timer));
  if (code !== 0 && !isAsked) throw new Error(`cairn ${words.join(' ')} ended with ${String(code)}`);
  return code === 0;
}

/** Makes a `nano` model in the folder, with a tokenizer of what agents read and write in that env. */
export async function makeNano(
  folder: string,
  { env, context, seed }: { readonly env: string; readonly context: number; readonly seed: number },
): Promise<void> {
  const of = ['--tokenizer', 'from-env', env, '--context', String(context), '--seed', String(seed)];
  await runCommand(['model', 'init', 'nano', ...of, '--out', folder]);
}

/** What is checked out here. */
export const currentCommit = (): string =>
  execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();

/** Trains through the command line as users have it, into a folder that it empties first, and puts down there what that took. */
export async function trainRun(
  recipe: string,
  { variant, seed, folder }: StudyRun,
  flags: readonly string[],
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  const load = loadavg()[0] ?? 0;
  const commit = currentCommit();
  const start = performance.now();
  const child = startCairn([
    'train',
    recipe,
    '--seed',
    String(seed),
    '--run',
    folder,
    '--backend',
    'wasm',
    '--quiet',
    ...flags,
  ]);
  let processorSeconds = 0;
  const watch = setInterval(
    () =>
      void processorSecondsOf(child.pid).then(
        (seconds) => (processorSeconds = Math.max(processorSeconds, seconds)),
      ),
    500,
  );
  const code = await ended(child).finally(() => clearInterval(watch));
  if (code !== 0) throw new Error(`${variant} seed ${seed} ended with ${String(code)}`);
  const usage: Usage = {
    processorSeconds,
    seconds: Math.round((performance.now() - start) / 1000),
    load: Math.round(load * 10) / 10,
    commit,
  };
  await writeFile(usageFile(folder), JSON.stringify(usage));
}

/** Of user and system, as Linux counts them in hundredths; 0 where there is no such count. */
async function processorSecondsOf(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Math.round((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100);
}
