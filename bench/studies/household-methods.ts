/**
 * Which method learns the household world fastest: every variant with the same seeds, tasks and settings, through the command
 * line as users have it. Takes a few minutes a run and a core: see README.md beside this file.
 *
 * usage: node dist/bench/studies/household-methods.js [--seeds 5] [--jobs 2] [--folder runs/study] [--variants a,b]
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { summariseStudy, type RunFigures } from './summary.ts';
import { readRunFigures } from './read-figures.ts';

/** What is added to `cairn train household`. */
const variants: Readonly<Record<string, readonly string[]>> = {
  'gigpo-information': ['--anchor', 'information'],
  'gigpo-observation': ['--anchor', 'observation'],
  'gigpo-state': ['--anchor', 'state'],
  grpo: ['--credit', 'grpo'],
  // No clone to be held to, and nothing to be gained from being held to random weights.
  'gigpo-without-demonstrations': ['--warm-start', '0', '--with', 'update.klWeight=0'],
  'cloning-alone': ['--iterations', '0', '--with', 'warmStart.epochs=6000', '--with', 'warmStart.evaluateEvery=100', '--with', 'warmStart.patience=60'],
};

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5' },
    jobs: { type: 'string', default: '2' },
    folder: { type: 'string', default: path.join('runs', 'study') },
    variants: { type: 'string', default: Object.keys(variants).join(',') },
    out: { type: 'string' },
  },
});

const seeds = Array.from({ length: Number(values.seeds) }, (_, seed) => seed);
// Seed by seed, so that a study that is cut short compares whole seeds.
const queue = seeds.flatMap((seed) => values.variants.split(',').map((variant) => ({ variant, seed })));
const figures: RunFigures[] = [];
await mkdir(values.folder, { recursive: true });
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
const summary = summariseStudy(figures);
if (values.out !== undefined) await writeFile(values.out, `${JSON.stringify(summary, undefined, 2)}\n`);
process.stdout.write(`${JSON.stringify(summary, undefined, 2)}\n`);

async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { variant, seed } = next;
    const folder = path.join(values.folder, `${variant}-${seed}`);
    if (!existsSync(path.join(folder, 'report.html'))) {
      await rm(folder, { recursive: true, force: true });
      await runTraining(folder, variant, seed);
    }
    const run = await readRunFigures(folder, variant, seed);
    figures.push(run);
    const rates = run.results.map(({ agent, success }) => `${agent} ${success.rate}`);
    process.stderr.write(`${variant} seed ${seed}: ${rates.join(', ')}\n`);
  }
}

async function runTraining(folder: string, variant: string, seed: number): Promise<void> {
  const more = variants[variant];
  if (more === undefined) throw new Error(`no variant ${variant}; there are ${Object.keys(variants).join(', ')}`);
  const main = path.join('dist', 'cli', 'main.js');
  // `dev` often: the study reads from it when a threshold is passed.
  const often = ['--with', 'evaluation.every=5', '--with', 'evaluation.tasks=128'];
  const command = [main, 'train', 'household', '--seed', String(seed), '--run', folder, '--backend', 'wasm', '--quiet', ...often, ...more];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
  if (code !== 0) throw new Error(`${variant} seed ${seed} ended with ${String(code)}`);
}

