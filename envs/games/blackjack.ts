import { z } from 'zod';
import { drawnTasks } from '../kit/drawn-tasks.ts';
import { defineTextEnv } from '../kit/text-env.ts';
import type { Rng } from '../core/rng.ts';
import { gameCatalogue, gameRecipes } from './recipes.ts';

/** An endless deck: an ace is 1, and the jack, the queen and the king are 10. */
const deck = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10] as const;
const draw = (rng: Rng): number => rng.pick(deck);

interface Table {
  readonly player: readonly number[];
  /** The first card lies face up. */
  readonly dealer: readonly number[];
  readonly isOver: boolean;
}

const config = z.strictObject({
  natural: z
    .boolean()
    .default(false)
    .describe('whether a win with an ace and a ten at once pays 1.5; without effect where sab is true'),
  sab: z
    .boolean()
    .default(true)
    .describe(
      'whether a natural wins unless the dealer has one too, as in Sutton and Barto and in Blackjack-v1',
    ),
});

const plainSum = (hand: readonly number[]): number => hand.reduce((sum, card) => sum + card, 0);
const hasUsableAce = (hand: readonly number[]): boolean => hand.includes(1) && plainSum(hand) + 10 <= 21;
const sumOf = (hand: readonly number[]): number => plainSum(hand) + (hasUsableAce(hand) ? 10 : 0);
const scoreOf = (hand: readonly number[]): number => (sumOf(hand) > 21 ? 0 : sumOf(hand));
const isNatural = (hand: readonly number[]): boolean => hand.length === 2 && sumOf(hand) === 21;

/** What sticking earns when the dealer has drawn. */
function payOf(player: readonly number[], dealer: readonly number[], natural: boolean, sab: boolean): number {
  const pay = Math.sign(scoreOf(player) - scoreOf(dealer));
  if (sab) return isNatural(player) && !isNatural(dealer) ? 1 : pay;
  return natural && isNatural(player) && pay === 1 ? 1.5 : pay;
}

const nameOf = (card: number): string => (card === 1 ? 'an ace' : card === 8 ? 'an 8' : `a ${card}`);

function describe({ player, dealer, isOver }: Table): string {
  const sum = sumOf(player);
  const hand = `You have ${sum}${hasUsableAce(player) ? ' with a usable ace' : ''}.`;
  if (!isOver) return `${hand} The dealer shows ${nameOf(dealer[0] ?? 0)}.`;
  return sum > 21 ? `${hand} You are bust.` : `${hand} The dealer has ${sumOf(dealer)}.`;
}

interface Seen {
  readonly sum: number;
  readonly ace: boolean;
  readonly dealer: number;
}

function readTable(observation: string): Seen {
  const [, sum = 0, card = 'ace'] = /have (\d+).* shows an? (\w+)/.exec(observation) ?? [];
  return {
    sum: Number(sum),
    ace: observation.includes('usable ace'),
    dealer: card === 'ace' ? 1 : Number(card),
  };
}

/** The distribution of the dealer's final sum: from 17 to 21, and 0 for a bust. */
function dealerSums(
  sum: number,
  ace: boolean,
  memory = new Map<number, Map<number, number>>(),
): Map<number, number> {
  if (sum >= 17) return new Map([[sum > 21 ? 0 : sum, 1]]);
  const known = memory.get(sum * 2 + (ace ? 1 : 0));
  if (known !== undefined) return known;
  const chances = new Map<number, number>();
  for (const card of deck) {
    const [next, nextAce] = withCard(sum, ace, card);
    for (const [final, chance] of dealerSums(next, nextAce, memory))
      chances.set(final, (chances.get(final) ?? 0) + chance / deck.length);
  }
  memory.set(sum * 2 + (ace ? 1 : 0), chances);
  return chances;
}

/** The sum of a hand after one more card. */
function withCard(sum: number, ace: boolean, card: number): readonly [sum: number, ace: boolean] {
  if (card === 1 && sum + 11 <= 21) return [sum + 11, true];
  const next = sum + card;
  return next > 21 && ace ? [next - 10, false] : [next, ace];
}

/** The expected pay of the best play (Example 5.1 of Sutton and Barto), and whether it takes a card. */
function bestPlay({ sum, ace, dealer }: Seen, memory: Map<string, number>): 'hit' | 'stick' {
  const final = dealerSums(...withCard(0, false, dealer));
  const stick = (mine: number): number =>
    [...final].reduce((pay, [theirs, chance]) => pay + chance * Math.sign(mine - theirs), 0);
  const worth = (mine: number, usable: boolean): number => {
    if (mine > 21) return -1;
    const key = `${mine} ${usable}`;
    const known = memory.get(key);
    if (known !== undefined) return known;
    const value = Math.max(stick(mine), hit(mine, usable));
    memory.set(key, value);
    return value;
  };
  const hit = (mine: number, usable: boolean): number =>
    deck.reduce((pay, card) => pay + worth(...withCard(mine, usable, card)) / deck.length, 0);
  return hit(sum, ace) > stick(sum) ? 'hit' : 'stick';
}

/**
 * Blackjack of Gymnasium 1.4 (Example 5.1 of Sutton and Barto): cards come from an endless deck, the dealer draws to 17, and a win pays 1,
 * a draw 0 and a loss -1. An episode is solved when it is won.
 */
export const blackjackEnv = defineTextEnv({
  ...drawnTasks({
    id: 'game-blackjack-v1',
    config,
    instruction:
      'Get closer to 21 than the dealer, but not over it. Hit takes a card, and stick ends your turn. The dealer then draws to 17 or more. An ace counts 1 or 11.',
    draw: (rng): Table => ({
      dealer: [draw(rng), draw(rng)],
      player: [draw(rng), draw(rng)],
      isOver: false,
    }),
    // Hands that look the same are in one panel: the order of the player's cards and the hidden card do not count.
    apart: ({ player, dealer }) => [sumOf(player), hasUsableAce(player), dealer[0]],
  }),
  summary: 'Blackjack as in Gymnasium: take cards or stop, against a dealer who draws to 17',
  deterministic: false,
  turnLimit: 21,
  recipes: gameRecipes,
  catalogue: gameCatalogue(['cards', 'luck']),
  unchecked: { secrets: 'the hidden card is a number, and cards that a player sees can have the same one' },
  observe: describe,
  actions: () => ['hit', 'stick'],
  step: ({ player, dealer }, action, { rng }, { natural, sab }) => {
    if (action === 'hit') {
      const hand = [...player, draw(rng)];
      return sumOf(hand) > 21
        ? { state: { player: hand, dealer, isOver: true }, outcome: 'failed', reward: { pay: -1 } }
        : { state: { player: hand, dealer, isOver: false } };
    }
    const cards = [...dealer];
    while (sumOf(cards) < 17) cards.push(draw(rng));
    const pay = payOf(player, cards, natural, sab);
    return {
      state: { player, dealer: cards, isOver: true },
      outcome: pay > 0 ? 'solved' : 'failed',
      reward: { pay },
    };
  },
  information: ({ player, dealer, isOver }) =>
    isOver
      ? [sumOf(player), sumOf(dealer)]
      : [sumOf(player), hasUsableAce(player), dealer[0] ?? 0, player.length === 2],
  features: (observation) => ({ fields: { ...readTable(observation) } }),
  target: (action) => ({ verb: action }),
  experts: {
    searcher: () => ({ act: ({ observation }) => bestPlay(readTable(observation), new Map()) }),
  },
  audit: {
    swapHidden: (table, rng) =>
      table.isOver
        ? undefined
        : {
            state: { ...table, dealer: [table.dealer[0] ?? 1, draw(rng)] },
            reveals: (action) => action === 'stick',
          },
  },
});
