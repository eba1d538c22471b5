import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readRunFigures } from './read-figures.ts';
import { summariseStudy, type RunFigures } from './summary.ts';

/** What is compared: a recipe, and what each variant adds to `cairn train RECIPE`. */
export interface Study {
  readonly recipe: string;
  readonly variants: Readonly<Record<string, readonly string[]>>;
}

interface Run {
  readonly variant: string;
  readonly seed: number;
}

/** Evaluates on `dev` often: the study reads from it when a threshold is passed. */
const often = ['--with', 'evaluation.every=5', '--with', 'evaluation.tasks=128'];

/**
 * Trains every variant with every seed through the command line as users have it, several at once, and prints the summary, which
 * goes into a file as well where `--out` names one. Runs that are there already, whole, are read and not done again.
 */
export async function runStudy({ recipe, variants }: Study): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '5' },
      'first-seed': { type: 'string', default: '0' },
      jobs: { type: 'string', default: '2' },
      folder: { type: 'string', default: path.join('runs', `study-${recipe}`) },
      variants: { type: 'string', default: Object.keys(variants).join(',') },
      out: { type: 'string' },
    },
  });
  const chosen = values.variants.split(',');
  const unknown = chosen.filter((variant) => variants[variant] === undefined);
  if (unknown.length > 0) throw new Error(`no variant ${unknown.join(', ')}; there are ${Object.keys(variants).join(', ')}`);
  const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => Number(values['first-seed']) + at);
  // Seed by seed, so that a study that is cut short compares whole seeds.
  const queue = seeds.flatMap((seed) => chosen.map((variant): Run => ({ variant, seed })));
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  await mkdir(values.folder, { recursive: true });
  const figures: RunFigures[] = [];
  await Promise.all(
    Array.from({ length: Number(values.jobs) }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const folder = path.join(values.folder, `${next.variant}-${next.seed}`);
        if (!existsSync(path.join(folder, 'report.html'))) await train(recipe, next, { folder, flags: variants[next.variant] ?? [] });
        const run = await readRunFigures(folder, next.variant, next.seed);
        figures.push(run);
        const rates = run.results.map(({ agent, success }) => `${agent} ${success.rate}`);
        process.stderr.write(`${next.variant} seed ${next.seed}: ${rates.join(', ')}\n`);
      }
    }),
  );
  const summary = `${JSON.stringify({ commit, recipe, ...summariseStudy(figures) }, undefined, 2)}\n`;
  if (values.out !== undefined) await writeFile(values.out, summary);
  process.stdout.write(summary);
}

async function train(recipe: string, { variant, seed }: Run, into: { readonly folder: string; readonly flags: readonly string[] }): Promise<void> {
  await rm(into.folder, { recursive: true, force: true });
  const main = path.join('dist', 'cli', 'main.js');
  const command = [main, 'train', recipe, '--seed', String(seed), '--run', into.folder, '--backend', 'wasm', '--quiet', ...often, ...into.flags];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
  if (code !== 0) throw new Error(`${variant} seed ${seed} ended with ${String(code)}`);
}
