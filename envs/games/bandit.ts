import { z } from 'zod';
import type { Searcher } from '../core/env.ts';
import { drawNormal, type Rng } from '../core/rng.ts';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { gameCatalogue, gameRecipes } from './recipes.ts';

/** Names of the arms: shelves of a shop, in the manner of EVOLvE's clothes shopping. */
const things = [
  'scarf', 'coat', 'shirt', 'skirt', 'jacket', 'belt', 'hat', 'glove', 'sock', 'boot', 'dress', 'vest', 'cape', 'shawl', 'sweater', 'jeans', 'shorts', 'robe', 'tie', 'apron',
] as const; // prettier-ignore
const colours = ['red', 'blue', 'green', 'grey', 'white', 'black', 'brown', 'golden'] as const;

interface Shop {
  readonly arms: { readonly names: readonly string[]; readonly means: readonly number[] };
  /** Pulls and paid total of each arm. */
  readonly pulls: readonly number[];
  readonly paid: readonly number[];
  /** Regret so far: what the best arm would have paid on average, less what the pulled arms pay on average. */
  readonly regret: number;
}

const config = z.strictObject({
  arms: z.int().min(2).max(20).default(5).describe('number of arms'),
  gap: z
    .number()
    .gt(0)
    .max(1)
    .default(0.5)
    .describe("gap between the best mean and the others; EVOLvE's easy bandits have 0.5, its hard ones 0.2"),
  pays: z
    .enum(['bernoulli', 'gaussian'])
    .default('bernoulli')
    .describe('1 or 0, or a number with a standard deviation of 1'),
  turns: z.int().min(5).max(1_000).default(50).describe('pulls of an episode'),
  reward: z
    .enum(['regret', 'pay'])
    .default('regret')
    .describe('what a pull earns: minus its expected regret, or what it paid'),
});
type Config = z.output<typeof config>;

function draw(rng: Rng, { arms, gap }: Config): Shop {
  const names = rng.shuffle(things.flatMap((thing) => colours.map((colour) => `${colour} ${thing}`)));
  const best = rng.int(arms);
  // EVOLvE's bandits: the best arm pays 0.5 + gap / 2 on average, the others 0.5 - gap / 2.
  const means = Array.from({ length: arms }, (_, arm) => 0.5 + (arm === best ? gap / 2 : -gap / 2));
  return {
    arms: { names: names.slice(0, arms), means },
    pulls: means.map(() => 0),
    paid: means.map(() => 0),
    regret: 0,
  };
}

const round = (value: number): number => Math.round(value * 1_000) / 1_000;

const describe = ({ arms: { names }, pulls, paid }: Shop): string =>
  names
    .map((name, arm) => {
      const count = pulls[arm] ?? 0;
      return count === 0
        ? `${name}: never shown`
        : `${name}: shown ${count} times, mean pay ${round((paid[arm] ?? 0) / count)}`;
    })
    .join('\n');

interface SeenArm {
  readonly name: string;
  readonly pulls: number;
  readonly mean: number;
}

const readArms = (observation: string): SeenArm[] =>
  observation.split('\n').map((line) => {
    const [name = '', rest = ''] = line.split(': ');
    const [, pulls = 0, mean = 0] = /shown (\d+) times, mean pay (-?[\d.]+)/.exec(rest) ?? [];
    return { name, pulls: Number(pulls), mean: Number(mean) };
  });

/** UCB1 (Auer, Cesa-Bianchi and Fischer 2002): the arm with the greatest mean plus square root of 2 ln t / n. It is the oracle of EVOLvE. */
export function upperBoundArm(arms: readonly SeenArm[], scale = 1): string {
  const total = arms.reduce((sum, { pulls }) => sum + pulls, 0);
  const bound = ({ pulls, mean }: SeenArm): number =>
    pulls === 0 ? Number.POSITIVE_INFINITY : mean + scale * Math.sqrt((2 * Math.log(total)) / pulls);
  return arms.reduce((best, arm) => (bound(arm) > bound(best) ? arm : best), arms[0] as SeenArm).name;
}

/**
 * A bandit without a context, after EVOLvE (2024): each pull shows an article and is paid at random. An episode is solved when its regret
 * is at most half of the regret of pulling arms at random. The rewards are minus the expected regrets of the pulls, so that the score of an
 * episode is minus its cumulative regret.
 */
export const banditEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-bandit-v1',
    config,
    instruction: ({ turns }) =>
      `A shop window shows one article at a time, and each showing pays at random. Some article pays more on average than the others. Earn as much as you can in ${turns} showings.`,
    draw,
    apart: ({ arms }) => arms,
  }),
  summary: 'A bandit without a context, with its regret as the score',
  deterministic: false,
  turnLimit: ({ turns }) => turns,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['bandit', 'luck']),
  unchecked: {
    secrets: 'the hidden means are numbers, and a mean pay that a player sees can be the same one',
  },
  observe: describe,
  actions: ({ arms }) => arms.names.map((name) => `show ${name}`),
  // the regret of the worst arm
  refuse: ({ arms: { means } }, _action, settings) => ({
    reward: settings.reward === 'pay' ? { pay: 0 } : { regret: Math.min(...means) - Math.max(...means) },
  }),
  step: ({ arms, pulls, paid, regret }, action, { rng }, settings) => {
    const arm = arms.names.indexOf(action.slice('show '.length));
    const mean = arms.means[arm] ?? 0;
    const pay = settings.pays === 'bernoulli' ? (rng.uniform() < mean ? 1 : 0) : mean + drawNormal(rng);
    const best = Math.max(...arms.means);
    const state = {
      arms,
      pulls: pulls.with(arm, (pulls[arm] ?? 0) + 1),
      paid: paid.with(arm, round((paid[arm] ?? 0) + pay)),
      regret: round(regret + best - mean),
    };
    const reward = settings.reward === 'pay' ? { pay } : { regret: mean - best };
    const done = state.pulls.reduce((sum, count) => sum + count, 0);
    if (done < settings.turns) return { state, reward };
    const random =
      settings.turns * (best - arms.means.reduce((sum, one) => sum + one, 0) / arms.means.length);
    return { state, reward, outcome: state.regret <= random / 2 ? 'solved' : 'failed' };
  },
  information: ({ pulls, paid }) => [[...pulls], [...paid]],
  // which articles stand out: names of articles are new in every task
  features: (observation) => {
    const arms = readArms(observation);
    const shown = arms.filter(({ pulls }) => pulls > 0);
    const [best, second] = shown.toSorted((one, other) => other.mean - one.mean);
    const [fewest] = arms.toSorted((one, other) => one.pulls - other.pulls);
    return {
      fields: {
        turn: arms.reduce((sum, { pulls }) => sum + pulls, 0),
        'never shown': arms.length - shown.length,
        'best mean': best?.name ?? '',
        'second mean': second?.name ?? '',
        'fewest showings': fewest?.name ?? '',
        lead: best === undefined || second === undefined ? 0 : round(best.mean - second.mean),
      },
    };
  },
  target: (action) => ({ verb: 'show', fields: { article: action.slice('show '.length) } }),
  experts: {
    searcher: (): Searcher<string, string> => ({
      act: ({ observation }) => `show ${upperBoundArm(readArms(observation), 0.4)}`,
    }),
  },
  audit: {
    swapHidden: (shop, rng) => {
      const means = rng.shuffle(shop.arms.means);
      return { state: { ...shop, arms: { ...shop.arms, means } }, reveals: () => true };
    },
  },
});
