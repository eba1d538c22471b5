import { createContext, StepContext } from '../../envs/core/context.ts';
import type { Env, EnvHost } from '../../envs/core/env.ts';
import { createRng } from '../../envs/core/rng.ts';
import type { Ongoing, Opening } from '../../envs/core/step.ts';

/** What is played: by chance, on one core, round after round. */
export interface Play {
  readonly rounds: number;
  readonly episodesARound: number;
  /** Episodes take so many tasks of `train` in turn. */
  readonly tasks: number;
  /** No episode has more steps. */
  readonly longest: number;
}

export interface Spread {
  readonly median: number;
  readonly best: number;
  readonly worst: number;
}

export interface StepSpeed {
  /** By the clock, within `step` and what makes its texts whole. */
  readonly stepsASecond: Spread;
  /** Of the whole process, resets and this loop included: steadier than the clock on a machine that others use too. */
  readonly stepsAProcessorSecond: Spread;
  readonly resetsASecond: Spread;
  readonly steps: number;
}

interface Round {
  readonly steps: number;
  readonly stepNanoseconds: number;
  readonly resetNanoseconds: number;
  readonly processorNanoseconds: number;
  readonly sum: number;
}

export const benchContext = createContext({ seed: 1, now: () => performance.now() });
export const benchLuck = new StepContext(benchContext);

const warmUps = 3;

/** A text that was put together from parts is copied into one piece when a character of it is read. */
const flatten = (text: string | undefined): number =>
  text === undefined || text === '' ? 0 : text.charCodeAt(text.length - 1);

/** How fast an env steps, with its observation, admissible list and both keys really built at every step. */
export async function measureSpeed(host: EnvHost<string, string>, play: Play): Promise<StepSpeed> {
  const env = await host.create();
  for (let round = 0; round < warmUps; round += 1) await playRound(env, -1 - round, play);
  const played: Round[] = [];
  for (let round = 0; round < play.rounds; round += 1) played.push(await playRound(env, round, play));
  await env.close();
  return {
    stepsASecond: spread(played.map(({ steps, stepNanoseconds }) => (steps / stepNanoseconds) * 1e9)),
    stepsAProcessorSecond: spread(
      played.map(({ steps, processorNanoseconds }) => (steps / processorNanoseconds) * 1e9),
    ),
    resetsASecond: spread(
      played.map(({ resetNanoseconds }) => (play.episodesARound / resetNanoseconds) * 1e9),
    ),
    steps: played.reduce((total, { steps }) => total + steps, 0),
  };
}

/** Whole episodes by chance; only the calls of the env, and flattening what they return, are timed. */
async function playRound(
  env: Env<string, string>,
  round: number,
  { episodesARound, tasks, longest }: Play,
): Promise<Round> {
  const rng = createRng(round);
  let [steps, stepNanoseconds, resetNanoseconds, sum] = [0, 0, 0, 0];
  const processor = process.cpuUsage();
  for (let episode = 0; episode < episodesARound; episode += 1) {
    const choices = Array.from({ length: longest }, () => rng.uniform());
    const start = process.hrtime.bigint();
    let turn: Opening<string, string> | Ongoing<string, string> = await env.reset(
      { panel: 'train', index: (Math.abs(round) * episodesARound + episode) % tasks },
      benchContext,
    );
    const begun = process.hrtime.bigint();
    for (const choice of choices) {
      const list: readonly string[] = turn.admissible ?? [];
      const result = await env.step(list[Math.floor(choice * list.length)] ?? 'look', benchLuck);
      steps += 1;
      sum += flatten(result.observation) + flatten(result.stateKey);
      if (result.kind !== 'ongoing') break;
      sum += flatten(result.anchorKey);
      turn = result;
    }
    stepNanoseconds += Number(process.hrtime.bigint() - begun);
    resetNanoseconds += Number(begun - start);
  }
  const { user, system } = process.cpuUsage(processor);
  return { steps, stepNanoseconds, resetNanoseconds, processorNanoseconds: (user + system) * 1000, sum };
}

function spread(rates: readonly number[]): Spread {
  const sorted = rates.toSorted((a, b) => a - b);
  const rounded = (rate: number | undefined): number => Math.round(rate ?? Number.NaN);
  return {
    median: rounded(sorted[Math.floor(sorted.length / 2)]),
    best: rounded(sorted.at(-1)),
    worst: rounded(sorted[0]),
  };
}
