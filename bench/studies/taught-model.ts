import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { StudyRun } from './stored-run.ts';
import { makeNano, runCommand } from './train-run.ts';

/** What makes a training one of a language model. */
export const tokenFlags = ['--policy', 'token'] as const;

const begun = new Map<string, Promise<void>>();

/**
 * Makes the `nano` model of that seed and teaches it by the searcher, unless it is there. The variants of a seed begin alike: jobs that
 * run side by side wait for one model.
 * @returns the flags that train it
 */
export async function beginTaught(
  { seed, folder }: StudyRun,
  env: string,
  workerCount: number,
): Promise<readonly string[]> {
  const taught = path.join(path.dirname(folder), `taught-${seed}`);
  const teaching = begun.get(taught) ?? teach(taught, { seed, env, workerCount });
  begun.set(taught, teaching);
  await teaching;
  return ['--model', taught];
}

async function teach(
  taught: string,
  { seed, env, workerCount }: { seed: number; env: string; workerCount: number },
): Promise<void> {
  const workers = ['--with', `policy.workers=${workerCount}`];
  const [context, episodes] = env === 'household' ? ([4096, '3500'] as const) : ([1024, '3000'] as const);
  const model = path.join(path.dirname(taught), `model-${seed}`);
  if (existsSync(path.join(taught, 'checkpoints', 'final.json'))) return;
  await Promise.all([model, taught].map(async (made) => rm(made, { recursive: true, force: true })));
  await makeNano(model, { env, context, seed });
  await runCommand([
    'sft',
    env,
    '--model',
    model,
    '--episodes',
    episodes,
    '--seed',
    String(seed),
    '--backend',
    'wasm',
    '--final-panel',
    'unseen',
    ...workers,
    '--run',
    taught,
  ]);
}
