/**
 * Runs the three commands that train a language model on a GPU, with one seed: `cairn model init`, `cairn
 * sft` and `cairn train --policy token`. If the GPU is available for minutes only, `--seconds` stops the
 * program cleanly. Started again with the same folder, it resumes. See README.md in this folder.
 *
 * usage: node dist/bench/studies/household-gpu.js [--env household-small] [--preset nano] [--context 1024] [--episodes 3000] [--passes BY THE RECIPE] [--iterations 200]
 *        [--seed 0] [--backend webgpu] [--seconds 100000] [--folder runs/household-gpu] [--out FILE] [-- MORE FLAGS OF cairn train]
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  metricsLineSchema,
  timingsLineSchema,
  type MetricsLine,
  type TimingsLine,
} from '../../trainers/run/metrics-schema.ts';
import { readJsonl } from '../../files/read-jsonl.ts';
import { median } from '../model/small-token-model.ts';
import { describeMachine } from '../report/machine.ts';
import { poolAgents, readStoredRun } from './stored-run.ts';
import { currentCommit, runCommand } from './train-run.ts';

const { values: options, positionals: more } = parseArgs({
  allowPositionals: true,
  options: {
    env: { type: 'string', default: 'household-small' },
    preset: { type: 'string', default: 'nano' },
    context: { type: 'string', default: '1024' },
    episodes: { type: 'string', default: '3000' },
    passes: { type: 'string' },
    iterations: { type: 'string', default: '200' },
    seed: { type: 'string', default: '0' },
    backend: { type: 'string', default: 'webgpu' },
    seconds: { type: 'string', default: '100000' },
    folder: { type: 'string', default: path.join('runs', 'household-gpu') },
    out: { type: 'string' },
  },
});
const { env, preset, seed, folder } = options;
const [model, taught, trained] = ['model', 'taught', 'trained'].map((name) => path.join(folder, name)) as [
  string,
  string,
  string,
];
const machine = describeMachine();
const endsAt = performance.now() + 1_000 * Number(options.seconds);
const secondsLeft = (): number => Math.max(1, (endsAt - performance.now()) / 1_000);

/** What is computed together: as many slots as there are episodes at once, and many tokens; neither changes a result. */
const common = [
  '--seed',
  seed,
  '--backend',
  options.backend,
  '--with',
  'policy.slots=128',
  '--with',
  'policy.tokensAtOnce=32768',
];
const commands = {
  init: [
    'model',
    'init',
    preset,
    '--tokenizer',
    'from-env',
    env,
    '--context',
    options.context,
    '--seed',
    seed,
    '--out',
    model,
  ],
  sft: [
    'sft',
    env,
    '--model',
    model,
    '--episodes',
    options.episodes,
    ...(options.passes === undefined ? [] : ['--epochs', options.passes]),
    ...common,
    '--run',
    taught,
  ],
  train: [
    'train',
    env,
    '--policy',
    'token',
    '--model',
    taught,
    '--iterations',
    options.iterations,
    ...common,
    '--with',
    'evaluation.every=10',
    ...more,
    '--run',
    trained,
  ],
};

/** Does what is not done yet. Returns whether all of it is. */
async function goOn(): Promise<boolean> {
  await mkdir(folder, { recursive: true });
  if (!existsSync(path.join(model, 'config.json'))) await runCommand(commands.init);
  return (await finish(taught, commands.sft)) && (await finish(trained, commands.train));
}

/** Runs a command that writes a run, from where that was, unless it is done. */
async function finish(run: string, words: readonly string[]): Promise<boolean> {
  if (existsSync(path.join(run, 'checkpoints', 'final.json'))) return true;
  const isBegun = existsSync(path.join(run, 'config.json'));
  return runCommand(isBegun ? [words[0] as string, '--resume', run] : words, secondsLeft());
}

interface Gpu {
  readonly memoryMiB: number;
  readonly utilisation: number;
}

/** By the driver's own account, of all that runs there; undefined where there is no `nvidia-smi`. */
function lookAtGpu(): Gpu | undefined {
  const { status, stdout } = spawnSync(
    'nvidia-smi',
    ['--query-gpu=memory.used,utilization.gpu', '--format=csv,noheader,nounits'],
    { encoding: 'utf8', timeout: 5_000 },
  );
  const [memoryMiB, utilisation] = (stdout ?? '').split(',').map(Number);
  return status === 0 && memoryMiB !== undefined && utilisation !== undefined
    ? { memoryMiB, utilisation }
    : undefined;
}

const secondsOf = (lines: readonly TimingsLine[], of: (line: TimingsLine) => number | undefined): number =>
  rounded(median(lines.flatMap((line) => of(line) ?? [])));
const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** What the run's own files say of an iteration: medians. */
function iterations(metrics: readonly MetricsLine[], timings: readonly TimingsLine[]) {
  const lines = metrics.filter((line) => line.kind === 'iteration');
  const timed = timings.filter((line) => line.kind === 'iteration');
  const [whole, rollout, update] = [
    secondsOf(timed, ({ seconds }) => seconds),
    secondsOf(timed, ({ phases }) => phases['rollout']),
    secondsOf(timed, ({ phases }) => phases['update']),
  ];
  const tokens = (name: string): number => median(lines.flatMap(({ figures }) => figures[name] ?? []));
  const [trainedOn, written] = [tokens('update/tokens'), tokens('update/tokens-written')];
  return {
    iterations: lines.length,
    secondsOfIteration: { whole, rollout, update },
    tokensOfIteration: { trained: trainedOn, written },
    tokensPerSecond: { trained: Math.round(trainedOn / update), written: Math.round(written / rollout) },
    largestBehaviourGap: Math.max(...lines.flatMap(({ figures }) => figures['update/behaviour-gap'] ?? [])),
  };
}

async function summarise(isWhole: boolean, seen: readonly Gpu[]) {
  const { lines: metrics } = await readJsonl(path.join(trained, 'metrics.jsonl'), metricsLineSchema);
  const { lines: timings } = await readJsonl(path.join(trained, 'timings.jsonl'), timingsLineSchema);
  const { lines: taughtTimings } = await readJsonl(path.join(taught, 'timings.jsonl'), timingsLineSchema);
  const run = await readStoredRun({ variant: 'gpu', seed: Number(seed), folder: trained });
  return {
    what: 'a language model taught by the searcher and trained by reward on a GPU, one seed',
    ...machine,
    commit: currentCommit(),
    backend: options.backend,
    commands: Object.values(commands).map((words) => ['cairn', ...words].join(' ')),
    isWhole,
    secondsOfSft: rounded(taughtTimings.reduce((sum, { seconds }) => sum + seconds, 0)),
    ...iterations(metrics, timings),
    secondsOfTraining: rounded(timings.reduce((sum, { seconds }) => sum + seconds, 0)),
    ...(seen.length === 0
      ? {}
      : {
          driverMiB: Math.max(...seen.map(({ memoryMiB }) => memoryMiB)),
          utilisation: median(seen.map(({ utilisation }) => utilisation)),
        }),
    curveColumns: ['iteration', 'environmentSteps', 'success on dev', 'low', 'high'],
    curve: run.evaluations.map(({ iteration, environmentSteps, success: { rate, low, high } }) =>
      [iteration, environmentSteps, rate, low, high].map(rounded),
    ),
    final: poolAgents([run], ({ panel, success, meanTurns }) => ({ panel, ...success, meanTurns })),
  };
}

const seen: Gpu[] = [];
const look = setInterval(() => seen.push(...[lookAtGpu()].filter((gpu) => gpu !== undefined)), 10_000);
const isWhole = await goOn().finally(() => clearInterval(look));
if (existsSync(path.join(trained, 'metrics.jsonl'))) {
  const summary = `${JSON.stringify(await summarise(isWhole, seen), undefined, 2)}\n`;
  if (options.out !== undefined) await writeFile(options.out, summary);
  process.stdout.write(summary);
}
if (!isWhole) process.stderr.write(`household-gpu: not done yet; the same command goes on with ${folder}\n`);
