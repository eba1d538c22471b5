import { z } from 'zod';
import type { Rng } from '../core/rng.ts';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import { gameCatalogue, gameRecipes } from './recipes.ts';

/** What is known of a viewer: one value of each trait. */
const traits = {
  age: ['young', 'middle-aged', 'old'],
  taste: ['adventurous', 'thoughtful', 'cheerful', 'romantic'],
  time: ['morning', 'evening', 'night'],
} as const;
const values = Object.values(traits);
const valueCount = values.reduce((sum, list) => sum + list.length, 0);
const films = [
  'The Lighthouse Keeper', 'Two Rivers', 'Midnight Bakery', 'The Iron Orchard', 'A Map of Snow', 'Paper Boats', 'The Ninth Violin', 'Desert Mail', 'The Quiet Engine', 'Harbour Lights', 'The Glass Stair', 'Wild Thyme',
] as const; // prettier-ignore

interface Cinema {
  /** The weight of each value of a trait, for each film: the mean pay is a logistic function of their sum. */
  readonly taste: { readonly films: readonly string[]; readonly weights: readonly (readonly number[])[] };
  /** The viewer of this turn: the index of a value for each trait. */
  readonly viewer: readonly number[];
  /** How often each viewer was shown a film and liked it, by viewer and film: `{ '021 3': [2, 1] }`. */
  readonly seen: Readonly<Record<string, readonly [shown: number, liked: number]>>;
  /** The film that was shown last, and whether it was liked; empty at the start. */
  readonly last: readonly number[];
  readonly turn: number;
  /** The cumulative regret, and that of random play. */
  readonly regret: number;
  readonly random: number;
}

const config = z.strictObject({
  films: z.int().min(2).max(12).default(5).describe('films to recommend'),
  turns: z.int().min(5).max(500).default(60).describe('viewers of an episode'),
  reward: z
    .enum(['regret', 'pay'])
    .default('regret')
    .describe('what a recommendation earns: minus its expected regret, or whether it was liked'),
});
type Config = z.output<typeof config>;

const drawViewer = (rng: Rng): number[] => values.map((list) => rng.int(list.length));

/** The place of each value of a viewer among all values. */
function placesOf(viewer: readonly number[]): number[] {
  let before = 0;
  return viewer.map((value, trait) => {
    const place = before + value;
    before += values[trait]?.length ?? 0;
    return place;
  });
}

const likes = (weights: readonly number[], viewer: readonly number[]): number =>
  1 / (1 + Math.exp(-placesOf(viewer).reduce((sum, place) => sum + (weights[place] ?? 0), 0)));

function draw(rng: Rng, { films: count }: Config): Cinema {
  const weights = Array.from({ length: count }, () =>
    Array.from({ length: valueCount }, () => Math.round((rng.uniform() * 4 - 2) * 100) / 100),
  );
  return {
    taste: { films: rng.shuffle(films).slice(0, count), weights },
    viewer: drawViewer(rng),
    seen: {},
    last: [],
    turn: 0,
    regret: 0,
    random: 0,
  };
}

const viewerText = (viewer: readonly number[]): string =>
  viewer.map((value, trait) => values[trait]?.[value] ?? '').join(', ');

function describe({ taste: { films: names }, viewer, last }: Cinema): string {
  const [film, liked] = last;
  const result = film === undefined ? '' : `${names[film]} was ${liked === 1 ? 'liked' : 'not liked'}.\n`;
  return `${result}The viewer is ${viewerText(viewer)}.`;
}

function readViewer(observation: string): number[] {
  const words = /The viewer is (.*)\.$/.exec(observation)?.[1]?.split(', ') ?? [];
  return values.map((list, trait) => list.findIndex((value) => value === words[trait]));
}

/** LinUCB (Li et al. 2010), one ridge regression for each film over the values of the traits. */
class LinearBandit {
  readonly #inverse: number[][];
  readonly #sums = Array.from({ length: valueCount }, () => 0);

  constructor() {
    this.#inverse = Array.from({ length: valueCount }, (_, row) =>
      Array.from({ length: valueCount }, (_unused, column) => (row === column ? 1 : 0)),
    );
  }

  /** The sums of the columns of the inverse at the places. */
  #times(places: readonly number[]): number[] {
    return this.#inverse.map((row) => places.reduce((sum, place) => sum + (row[place] ?? 0), 0));
  }

  bound(places: readonly number[], width: number): number {
    const product = this.#times(places);
    const mean = product.reduce((sum, value, at) => sum + value * (this.#sums[at] ?? 0), 0);
    const spread = places.reduce((sum, place) => sum + (product[place] ?? 0), 0);
    return mean + width * Math.sqrt(spread);
  }

  /** Learns a pay by the formula of Sherman and Morrison. */
  learn(places: readonly number[], pay: number): void {
    const product = this.#times(places);
    const scale = 1 + places.reduce((sum, place) => sum + (product[place] ?? 0), 0);
    for (const [row, cells] of this.#inverse.entries())
      for (const column of cells.keys())
        cells[column] = (cells[column] ?? 0) - ((product[row] ?? 0) * (product[column] ?? 0)) / scale;
    for (const place of places) this.#sums[place] = (this.#sums[place] ?? 0) + pay;
  }
}

/**
 * A bandit with a context, after EVOLvE (2024): recommend a film to a viewer with three known traits. EVOLvE takes viewers and films from
 * MovieLens; here the weights are drawn, so that no data is needed. An episode is solved when its regret is at most 0.7 of that of random
 * recommendations.
 */
export const contextualBanditEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-contextual-bandit-v1',
    config,
    instruction: ({ turns }) =>
      `Recommend one film to each of ${turns} viewers. Whether a viewer likes a film depends on the age, the taste and the time of day. Find out which film suits whom.`,
    draw: (rng, settings): Cinema => draw(rng, settings),
    apart: ({ taste }) => taste,
  }),
  summary: 'A bandit with a context, with its regret as the score',
  deterministic: false,
  turnLimit: ({ turns }) => turns,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['bandit', 'luck']),
  unchecked: { secrets: 'the hidden weights are numbers, and the state key has them' },
  observe: describe,
  actions: ({ taste }) => taste.films.map((film) => `recommend ${film}`),
  // the regret of the worst film
  refuse: ({ taste, viewer }, _action, settings) => {
    const chances = taste.weights.map((weights) => likes(weights, viewer));
    return {
      reward:
        settings.reward === 'pay' ? { pay: 0 } : { regret: Math.min(...chances) - Math.max(...chances) },
    };
  },
  step: ({ taste, viewer, seen, turn, regret, random }, action, { rng }, settings) => {
    const film = taste.films.indexOf(action.slice('recommend '.length));
    const chances = taste.weights.map((weights) => likes(weights, viewer));
    const best = Math.max(...chances);
    const pay = rng.uniform() < (chances[film] ?? 0) ? 1 : 0;
    const place = `${viewer.join('')} ${film}`;
    const [shown, liked] = seen[place] ?? [0, 0];
    const state: Cinema = {
      taste: taste as Cinema['taste'],
      viewer: drawViewer(rng),
      seen: { ...seen, [place]: [shown + 1, liked + pay] },
      last: [film, pay],
      turn: turn + 1,
      regret: regret + best - (chances[film] ?? 0),
      random: random + best - chances.reduce((sum, one) => sum + one, 0) / chances.length,
    };
    const reward = settings.reward === 'pay' ? { pay } : { regret: (chances[film] ?? 0) - best };
    if (state.turn < settings.turns) return { state, reward };
    return { state, reward, outcome: state.regret <= 0.7 * state.random ? 'solved' : 'failed' };
  },
  // What a player knows depends on how often each viewer was shown each film, and not on the order.
  information: ({ viewer, seen, last }) => [viewer.join(''), last.join(' '), seen],
  features: (observation) => {
    const viewer = readViewer(observation);
    return {
      fields: Object.fromEntries(
        Object.keys(traits).map((trait, at) => [trait, values[at]?.[viewer[at] ?? 0] ?? '']),
      ),
    };
  },
  target: (action) => ({ verb: 'recommend', value: action.slice('recommend '.length) }),
  experts: {
    searcher: () => {
      const arms = new Map<string, LinearBandit>();
      let last: { readonly arm: LinearBandit; readonly places: readonly number[] } | undefined;
      return {
        act: ({ observation, admissible = [] }) => {
          last?.arm.learn(last.places, observation.includes(' was liked.') ? 1 : 0);
          const places = placesOf(readViewer(observation));
          const bounds = admissible.map((action) => {
            const arm = arms.get(action) ?? new LinearBandit();
            arms.set(action, arm);
            return { action, arm, bound: arm.bound(places, 0.4) };
          });
          const best = bounds.toSorted((one, other) => other.bound - one.bound)[0];
          if (best === undefined) return '';
          last = { arm: best.arm, places };
          return best.action;
        },
      };
    },
  },
  audit: {
    swapHidden: (cinema, rng) => ({
      state: { ...cinema, taste: { ...cinema.taste, weights: rng.shuffle(cinema.taste.weights) } },
      reveals: () => true,
    }),
  },
});
