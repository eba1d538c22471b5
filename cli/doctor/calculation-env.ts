import { z } from 'zod';
import { createRng, type Rng } from '../../envs/core/rng.ts';
import { defineTextEnv } from '../../envs/kit/text-env.ts';

const state = z.strictObject({
  first: z.int(),
  /** With its sign: `7 - 12` has the terms 7 and -12. */
  second: z.int(),
  /** Five numbers, one of which is the result. */
  results: z.array(z.int()).length(5).readonly(),
});
type Calculation = z.output<typeof state>;

const valueOf = ({ first, second }: Pick<Calculation, 'first' | 'second'>): number => first + second;

/** Distances of wrong results from the right one, on each side. */
const distances = [1, 2, 3, 4, 5, 6] as const;

function draw(rng: Rng): Calculation {
  const first = rng.int(100);
  const second = (rng.int(2) === 0 ? 1 : -1) * (1 + rng.int(99));
  // as many are smaller as a draw says, so that every rank is right equally often
  const smaller = rng.int(5);
  const wrong = [
    ...rng
      .shuffle(distances)
      .slice(0, smaller)
      .map((distance) => -distance),
    ...rng.shuffle(distances).slice(0, 4 - smaller),
  ];
  const results = [0, ...wrong].map((distance) => first + second + distance);
  return { first, second, results: rng.shuffle(results) };
}

/** Seven of ten calculations are for training, two are held out, and one is for `dev`. */
function panelOf({ first, second }: Calculation): string {
  const rest = (37 * first + 11 * Math.abs(second) + (second < 0 ? 5 : 0)) % 10;
  return rest < 7 ? 'train' : rest === 7 ? 'dev' : 'unseen';
}

const write = ({ first, second }: Pick<Calculation, 'first' | 'second'>): string =>
  `${first} ${second < 0 ? '-' : '+'} ${Math.abs(second)}`;

function read(equation: string): { readonly first: number; readonly result: number } {
  const [, first = 0, result = 0] = /^(\d+) [-+] \d+ = (-?\d+)$/.exec(equation) ?? [];
  return { first: Number(first), result: Number(result) };
}

/**
 * Random calculations with five results to choose from, in one step. A choice policy learns them in seconds: it sees how far a result is
 * from the first term, and has to learn that this must be the second. After RandomCalculation ("Reasoning or Memorization?", 2025), whose
 * longer calculations are the puzzle `random-calculation`. They are drawn at random, so no model has met them.
 */
export const calculationEnv = defineTextEnv({
  id: 'control/calculation-v1',
  summary: 'Choose the result of a random calculation',
  state,
  observation: { schema: state, print: write },
  turnLimit: 1,
  panels: { train: 2_000, dev: 100, unseen: 400 },
  task: ({ panel, index }) => {
    const stream = createRng(0).fork('calculation').fork(panel).fork(index);
    for (let attempt = 0; ; attempt += 1) {
      const start = draw(stream.fork(attempt));
      if (panelOf(start) === panel) return { instruction: 'Which equation holds?', start };
    }
  },
  observe: (calculation) => calculation,
  actions: (calculation) => calculation.results.map((result) => `${write(calculation)} = ${result}`),
  step: (calculation, action) =>
    read(action).result === valueOf(calculation)
      ? { state: calculation, outcome: 'solved', reward: { right: 1 } }
      : { state: calculation, outcome: 'failed', reward: { right: 0 } },
  features: ({ first, second }) => ({ fields: { first, second } }),
  target: (equation) => {
    const { first, result } = read(equation);
    return { verb: 'equals', fields: { 'less the first': result - first } };
  },
  experts: {
    searcher: () => ({
      act: ({ observation }) => `${write(observation)} = ${valueOf(observation)}`,
    }),
  },
});
