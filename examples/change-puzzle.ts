import { definePuzzle } from 'cairn-gym/envs';
import { z } from 'zod';

const sum = (coins: readonly number[]): number => coins.reduce((total, coin) => total + coin, 0);

const change = definePuzzle({
  name: 'my-lab/change',
  category: 'arithmetic',
  summary: 'Pay an amount with some of the coins',
  question: z.strictObject({ coins: z.array(z.int().min(1)), amount: z.int().min(1) }),
  levels: [4, 6, 9], // coins
  generate: (rng, count) => {
    const coins = Array.from({ length: count }, () => 1 + rng.int(90));
    const solution = coins.filter(() => rng.int(2) === 0);
    const paid = solution.length === 0 ? coins : solution;
    return { question: { coins, amount: sum(paid) }, solution: paid };
  },
  rules: 'Choose coins that are worth the amount together. Each coin can be used once.',
  render: ({ coins, amount }) => `Coins: ${coins.join(' ')}\nAmount: ${amount}`,
  answer: {
    format: 'the chosen coins, with blanks between them.',
    write: (chosen) => chosen.join(' '),
    read: (text) => (/^\d+( \d+)*$/.test(text) ? text.split(' ').map(Number) : undefined),
  },
  verify: ({ coins, amount }, chosen) => {
    const left = [...coins];
    const areThere = chosen.every((coin) => left.includes(coin) && left.splice(left.indexOf(coin), 1));
    return areThere && sum(chosen) === amount;
  },
  audit: {
    guess: ({ coins }, rng) => rng.shuffle(coins).slice(rng.int(coins.length)),
    chance: (level) => [0.2, 0.1, 0.05][level - 1] ?? 0,
    mutants: (solution) => ({
      'a coin missing': solution.length > 1 ? solution.slice(1) : undefined,
      'a coin twice': [...solution, solution[0] ?? 0],
    }),
    equivalents: (solution) => ({ 'another order': solution.toReversed().join(' ') }),
  },
});

export const environments = change.envs;
export const audit = change.audit({ distinct: 200 });
