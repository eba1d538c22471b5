import type { AnyEnvDefinition, Searcher } from '../../envs/core/env.ts';
import { createRng, type Rng } from '../../envs/core/rng.ts';
import type { Ongoing, Opening } from '../../envs/core/step.ts';
import { gameEnvs } from '../../envs/games/games.ts';
import { openEnv } from '../../envs/open.ts';
import { describeMachine } from '../report/machine.ts';
import { printReport } from '../report/print-report.ts';
import { benchContext } from '../stepping/step-speed.ts';

// Scores of random play and of the searcher on the panel `unseen` of each game. Steps of random play in a second of one core.
// `npm run perf -- games`

const episodes = 100;
/** The rate is the best of some rounds of at least this many milliseconds: other work on the machine only slows a round down. */
const [rounds, roundMs] = [5, 60];

type AnyTurn = Opening<unknown, unknown> | Ongoing<unknown, unknown>;
type Choose = (turn: AnyTurn) => unknown;

/** Milliseconds of the processor that this process has used. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const randomly =
  (rng: Rng): Choose =>
  ({ admissible = [] }) =>
    admissible[Math.floor(rng.uniform() * admissible.length)];

async function measured(definition: AnyEnvDefinition) {
  const host = await openEnv(definition, {}, benchContext);
  const env = await host.create();
  const play = async (index: number, choose: Choose) => {
    const luck = { ...benchContext, rng: createRng(7).fork(index) };
    let turn: AnyTurn = await env.reset({ panel: 'unseen', index: index % 100 }, luck);
    let [score, steps] = [0, 0];
    const start = processorMs();
    for (;;) {
      const result = await env.step(choose(turn), luck);
      score += result.reward.total;
      steps += 1;
      if (result.kind !== 'ongoing')
        return {
          score,
          steps,
          spent: processorMs() - start,
          solved: result.kind === 'terminated' && result.outcome === 'solved',
        };
      turn = result;
    }
  };
  const played = async (chooser: (index: number) => Choose) => {
    let [score, solved, steps] = [0, 0, 0];
    for (let index = 0; index < episodes; index += 1) {
      const one = await play(index, chooser(index));
      score += one.score;
      solved += one.solved ? 1 : 0;
      steps += one.steps;
    }
    const mean = (sum: number): number => Math.round((100 * sum) / episodes) / 100;
    return { solved: mean(solved), score: mean(score), steps: mean(steps) };
  };
  const random = await played((index) => randomly(createRng(1).fork(index)));
  const searcher = await played((index) => {
    const made: Searcher<unknown, unknown> | undefined = host.experts?.searcher?.(createRng(2).fork(index));
    return (turn) => made?.act(turn);
  });
  let best = 0;
  const rng = createRng(3);
  for (let round = 0; round < rounds; round += 1) {
    let [spent, steps] = [0, 0];
    for (let index = 0; spent < roundMs; index += 1) {
      const one = await play(index, randomly(rng));
      spent += one.spent;
      steps += one.steps;
    }
    best = Math.max(best, (steps / spent) * 1_000);
  }
  await env.close();
  await host.close();
  return { random, searcher, stepsPerSecond: Math.round(best) };
}

const only = process.env['CAIRN_GAMES']?.split(',');
const games: Record<string, Awaited<ReturnType<typeof measured>>> = {};
for (const definition of gameEnvs.filter(({ id }) => only?.includes(id) !== false))
  games[definition.id] = await measured(definition);
const rates = Object.values(games)
  .map(({ stepsPerSecond }) => stepsPerSecond)
  .toSorted((one, other) => one - other);
printReport({
  what: 'games: random play and the searcher on 100 unseen tasks, and steps of random play a second on one core',
  ...describeMachine(),
  medianStepsPerSecond: rates[Math.floor(rates.length / 2)] ?? 0,
  games,
});
