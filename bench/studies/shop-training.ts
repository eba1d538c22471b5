/**
 * What training comes to in the shop, and how much of it the demonstrations give: every variant with the same seeds and tasks,
 * through the command line as users have it: see README.md beside this file.
 *
 * usage: node dist/bench/studies/shop-training.js [--seeds 5] [--first-seed 0] [--jobs 2] [--folder runs/study-shop] [--variants a,b]
 *        [--out FILE]
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseResult, type EvaluationResult } from '../../trainers/evaluate/result.ts';
import { poolSeeds } from '../../trainers/evaluate/summarise.ts';
import { metricsLineSchema } from '../../trainers/run-folder/metrics-schema.ts';
import { readJsonl } from '../../trainers/run-folder/read-jsonl.ts';

/** What is added to `cairn train shop`. */
const variants: Readonly<Record<string, readonly string[]>> = {
  recipe: [],
  'more-demonstrations': ['--warm-start', '64'],
  // No clone to be held to, and nothing to be gained from being held to random weights.
  'without-demonstrations': ['--warm-start', '0', '--with', 'update.klWeight=0'],
};

interface Run {
  readonly variant: string;
  readonly seed: number;
  readonly folder: string;
}

/** Of one training: what it took, how it went on `dev`, and what its contestants came to on the held-out panel. */
interface RunFigures extends Run {
  readonly usage: Usage | undefined;
  readonly curve: readonly (readonly [iteration: number, environmentSteps: number, score: number, success: number])[];
  readonly results: readonly EvaluationResult[];
}

interface Usage {
  /** Of all threads, by the system's count. */
  readonly processorSeconds: number;
  readonly seconds: number;
  /** Load of the machine when it began. */
  readonly load: number;
}

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '5' },
    'first-seed': { type: 'string', default: '0' },
    jobs: { type: 'string', default: '2' },
    folder: { type: 'string', default: path.join('runs', 'study-shop') },
    variants: { type: 'string', default: Object.keys(variants).join(',') },
    out: { type: 'string' },
  },
});

const chosen = values.variants.split(',');
const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => Number(values['first-seed']) + at);
// Variant by variant: the recipe is what the study is about.
const queue = chosen.flatMap((variant) => seeds.map((seed): Run => ({ variant, seed, folder: path.join(values.folder, `${variant}-${seed}`) })));
const figures: RunFigures[] = [];
await mkdir(values.folder, { recursive: true });
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
const summary = `${JSON.stringify(summarise(), undefined, 2)}\n`;
if (values.out !== undefined) await writeFile(values.out, summary);
process.stdout.write(summary);

async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (!existsSync(path.join(next.folder, 'report.html'))) {
      const usage = await train(next);
      await writeFile(path.join(next.folder, 'usage.json'), JSON.stringify(usage));
    }
    figures.push(await readFigures(next));
    process.stderr.write(`${next.variant} seed ${next.seed} is done\n`);
  }
}

async function train({ variant, seed, folder }: Run): Promise<Usage> {
  const flags = variants[variant];
  if (flags === undefined) throw new Error(`no variant ${variant}; there are ${Object.keys(variants).join(', ')}`);
  await rm(folder, { recursive: true, force: true });
  const main = path.join('dist', 'cli', 'main.js');
  const load = loadavg()[0] ?? 0;
  const start = performance.now();
  const child = spawn(process.execPath, [main, 'train', 'shop', '--seed', String(seed), '--run', folder, '--backend', 'wasm', '--quiet', ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let processorSeconds = 0;
  const watch = setInterval(() => void processorSecondsOf(child.pid).then((seconds) => (processorSeconds = Math.max(processorSeconds, seconds))), 500);
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('exit', resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`${variant} seed ${seed} ended with ${String(code)}`);
  return { processorSeconds, seconds: Math.round((performance.now() - start) / 1000), load: Math.round(load * 10) / 10 };
}

/** Of user and system, as Linux counts them in hundredths; 0 where there is no such count. */
async function processorSecondsOf(pid: number | undefined): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Math.round((Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100);
}

async function readFigures(run: Run): Promise<RunFigures> {
  const { lines } = await readJsonl(path.join(run.folder, 'metrics.jsonl'), metricsLineSchema);
  const evaluations = lines.filter((line) => line.kind === 'evaluation');
  const files = (await readdir(path.join(run.folder, 'results'))).toSorted();
  const usage = await readFile(path.join(run.folder, 'usage.json'), 'utf8').catch(() => undefined);
  return {
    ...run,
    usage: usage === undefined ? undefined : (JSON.parse(usage) as Usage),
    curve: evaluations.map(({ iteration, environmentSteps, score, success }) => [iteration, environmentSteps, score.mean, success.rate]),
    results: await Promise.all(files.map(async (file) => parseResult(JSON.parse(await readFile(path.join(run.folder, 'results', file), 'utf8')), file))),
  };
}

function summarise(): Readonly<Record<string, unknown>> {
  return {
    what: 'cairn train shop: mean score and success on the held-out panel, with 95 % intervals over seeds and tasks',
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    command: `node dist/bench/studies/shop-training.js --seeds ${values.seeds} --first-seed ${values['first-seed']} --jobs ${values.jobs} --variants ${values.variants}`,
    node: process.version,
    cores: availableParallelism(),
    variants: Object.fromEntries(chosen.map((name) => [name, summariseVariant(figures.filter(({ variant }) => variant === name))])),
  };
}

function summariseVariant(unsorted: readonly RunFigures[]): unknown {
  const runs = unsorted.toSorted((a, b) => a.seed - b.seed);
  const agents = [...new Set(runs.flatMap(({ results }) => results.map(({ agent }) => agent)))];
  return {
    seeds: runs.map(({ seed }) => seed),
    usage: runs.map(({ usage }) => usage),
    final: Object.fromEntries(agents.map((agent) => [agent, poolAgent(runs, agent)])),
    curveColumns: ['iteration', 'environmentSteps', 'score on dev', 'success on dev'],
    curves: runs.map(({ seed, curve }) => ({ seed, curve })),
  };
}

function poolAgent(runs: readonly RunFigures[], agent: string): unknown {
  const ofSeeds = runs.flatMap(({ seed, results }) => results.filter((result) => result.agent === agent).map((result) => ({ seed, result })));
  const { panel, success, score, meanTurns } = poolSeeds(ofSeeds, { agent });
  const bySeed = ofSeeds.map(({ result }) => ({ score: result.score.mean, success: result.success.rate }));
  return { panel, score, success, meanTurns, bySeed };
}
