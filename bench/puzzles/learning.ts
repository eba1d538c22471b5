/**
 * Trains a choice policy on step-wise puzzles and games with their recipes, through the command line as users do. It sums up the results on
 * held-out panels. See README.md in this folder.
 *
 * usage: node dist/bench/puzzles/learning.js [ENV[=SEEDS] …] [--folder runs/learning] [--out FILE]
 *
 * ENV is an id without its version. SEEDS is the number of seeds, 1 by default. Without an ENV all step-wise puzzles and all games are
 * trained: those of `shown` with five seeds. Trainings whose folder is whole are read and not done again.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gameEnvs } from '../../envs/games/games.ts';
import { puzzles } from '../../envs/puzzle/puzzles.ts';
import { studentInterval } from '../../trainers/results/intervals.ts';
import type { EvaluationResult } from '../../trainers/results/result.ts';
import { describeMachine } from '../report/machine.ts';
import { poolAgents, readStoredRun, type StoredRun } from '../studies/stored-run.ts';
import { trainRun } from '../studies/train-run.ts';

/** Envs of different kinds that are shown with five seeds. */
const shown = [
  'puzzle-star-battle-moves',
  'puzzle-shortest-path-moves',
  'puzzle-hanoi-moves',
  'game-sokoban',
  'game-crafting',
  'game-frozen-lake',
];
const seedsShown = 5;
/** The result that a training writes last. */
const finalResult = 'unseen-searcher.json';

const nameOf = (id: string): string => id.replace(/-v\d+$/, '');
const all = [
  ...puzzles.flatMap(({ envs }) =>
    envs.map(({ id }) => nameOf(id)).filter((name) => name.endsWith('-moves')),
  ),
  ...gameEnvs.map(({ id }) => nameOf(id)),
];

/** Puzzles are trained on their easiest level. */
const flagsOf = (env: string): readonly string[] =>
  env.startsWith('puzzle-') ? ['--set', 'difficulty=1'] : [];

const percent = (rate: number): number => Math.round(1_000 * rate) / 10;
const points = (value: number): number | string => (Number.isFinite(value) ? percent(value) : 'unknown');

const ofAgent = ({ results }: StoredRun, agent: string): EvaluationResult | undefined =>
  results.find((result) => result.agent === agent);

/** What the trainings of one env showed. Shares are in percent, with 95 % intervals over seeds and tasks. */
function summarise(env: string, runs: readonly StoredRun[]) {
  const changes = runs.flatMap((run) => {
    const [before, after] = [ofAgent(run, 'cloned') ?? ofAgent(run, 'untrained'), ofAgent(run, 'GiGPO')];
    return before === undefined || after === undefined ? [] : [after.success.rate - before.success.rate];
  });
  const { mean, low, high } = studentInterval(changes);
  return {
    command: ['npx cairn-gym train', env, ...flagsOf(env), '--seed SEED'].join(' '),
    seeds: runs.map(({ seed }) => seed),
    change: { points: percent(mean), low: points(low), high: points(high) },
    agents: poolAgents(runs, ({ panel, success, score, meanTurns }, bySeed) => ({
      panel,
      success: [success.rate, success.low, success.high].map(percent),
      bySeed: bySeed.map((result) => percent(result.success.rate)),
      score: Math.round(100 * score.mean) / 100,
      turns: meanTurns,
    })),
    curves: runs.map(({ seed, evaluations }) => ({
      seed,
      dev: evaluations.map(({ iteration, success }) => [iteration, percent(success.rate)]),
    })),
  };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: 'string', default: path.join('runs', 'learning') },
    out: { type: 'string' },
  },
});
const wanted = (positionals.length > 0 ? positionals : all).map((word) => {
  const [env = '', count] = word.split('=');
  if (!all.includes(env)) throw new Error(`no env ${env}; there are ${all.join(', ')}`);
  return { env, seeds: Number(count ?? (positionals.length === 0 && shown.includes(env) ? seedsShown : 1)) };
});
await mkdir(values.folder, { recursive: true });
const found: Record<string, unknown> = {};
const commits = new Set<string>();
for (const { env, seeds } of wanted) {
  const runs: StoredRun[] = [];
  for (let seed = 0; seed < seeds; seed += 1) {
    const run = { variant: env, seed, folder: path.join(values.folder, `${env}-${seed}`) };
    if (!existsSync(path.join(run.folder, 'results', finalResult))) await trainRun(env, run, flagsOf(env));
    const stored = await readStoredRun(run);
    if (stored.usage?.commit !== undefined) commits.add(stored.usage.commit);
    runs.push(stored);
  }
  const summary = summarise(env, runs);
  found[env] = summary;
  process.stderr.write(`${env}: ${summary.change.points} points\n`);
}
const record = `${JSON.stringify({ ...describeMachine(), commits: [...commits], envs: found }, undefined, 2)}\n`;
if (values.out !== undefined) await writeFile(values.out, record);
process.stdout.write(record);
