import { createRng, defineTextEnv } from 'cairn-gym/envs';

const ordersOf = (letters: string): string[] =>
  letters === ''
    ? ['']
    : [...letters].flatMap((it) => ordersOf(letters.replace(it, '')).map((rest) => it + rest));
const orders = createRng(0).shuffle(ordersOf('abcde').slice(1)); // no two panels share one, and none is sorted already
const firsts: Readonly<Record<string, number>> = { train: 0, dev: 59, unseen: 89 };

const sort = defineTextEnv({
  id: 'my-lab/sort-v1',
  summary: 'Sort five letters by moving them to the front',
  turnLimit: 20,
  panels: { train: 59, dev: 30, unseen: 30 },
  task: ({ panel, index }) => ({
    instruction: 'Put the letters in order by moving one after the other to the front.',
    start: [...(orders[(firsts[panel] ?? 0) + index] ?? '')],
  }),
  observe: (letters) => letters.join(' '),
  actions: (letters) => letters.map((it) => `front ${it}`),
  step: (letters, action) => {
    const first = action.slice('front '.length);
    const state = [first, ...letters.filter((it) => it !== first)];
    return state.join('') === 'abcde' ? { state, outcome: 'solved', reward: { sorted: 1 } } : { state };
  },
});

export const environments = [sort];
