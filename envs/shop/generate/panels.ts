import type { PanelInfo } from '../../core/task.ts';
import type { Goal } from '../goals/goal.ts';
import type { GoalPanel } from '../goals/goal.ts';
import { goalsPerProduct, type GoalMaker, type GoalUse } from './goal-maker.ts';
import { blockSize } from './line.ts';

const sizes = { dev: 256, test: 500, train: 100_000 } as const;

/** The number of products for each panel, per thousand products. The rest is for `train`. */
const shares = { test: 256, dev: 128 } as const;

/** Blocks of a thousand products. Every further thousand is assigned to panels in the same way. */
const period = 1000 / blockSize;

const purposes: Readonly<Record<GoalUse, PanelInfo['purpose']>> = {
  train: 'train',
  dev: 'dev',
  test: 'held-out',
};

/**
 * The panels `train` (up to 100,000 goals), `dev` (256) and `test` (500, held out).
 *
 * They share the types of products with their categories, attributes, options and phrases, and the names of
 * brands. No two of them share a product, an instruction, or a combination of start and end of instructions.
 * Nor do they share a line of products by one maker, whose members differ little. Goals of different panels
 * may ask for the same attributes of the same type, because there are few.
 *
 * Whole blocks of products are assigned to panels, scattered evenly over the catalogue, by their position
 * alone. So products of training in a small catalogue are not held out in a larger one of the same seed. At
 * 1,000 products `test` has 256 of them and `dev` 128, most with two goals. An incomplete last block gets no
 * goal.
 */
export function generatedPanels(goals: GoalMaker, products: number): readonly GoalPanel[] {
  const dealt = dealBlocks(Math.floor(products / blockSize));
  const panel = (
    use: GoalUse,
    blocks: readonly number[],
    extent: { readonly first: number; readonly size: number },
  ): GoalPanel => ({
    name: use,
    ...extent,
    purpose: purposes[use],
    summary: `${extent.size} goals for ${Math.min(extent.size, blocks.length * blockSize)} products that no other panel asks for`,
    goal: (index) => goalOf(index, { use, blocks, size: extent.size, goals }),
  });
  const trainGoals = Math.min(sizes.train, dealt.train.length * blockSize * goalsPerProduct);
  return [
    panel('train', dealt.train, { first: sizes.test + sizes.dev, size: trainGoals }),
    panel('dev', dealt.dev.slice(0, sizes.dev), { first: sizes.test, size: sizes.dev }),
    panel('test', dealt.test.slice(0, sizes.test), { first: 0, size: sizes.test }),
  ];
}

/** The blocks of each panel, in an order that is scattered over the catalogue. */
function dealBlocks(count: number): Readonly<Record<GoalUse, readonly number[]>> {
  const dealt: Record<GoalUse, number[]> = { test: [], dev: [], train: [] };
  const ends = { test: (shares.test / 1000) * period, dev: ((shares.test + shares.dev) / 1000) * period };
  const periods = Math.ceil(count / period);
  const [within, among] = [scatterer(period), scatterer(periods)];
  for (let turn = 0; turn < periods; turn += 1) {
    for (let place = 0; place < period; place += 1) {
      const block = among(turn) * period + within(place);
      if (block < count) dealt[place < ends.test ? 'test' : place < ends.dev ? 'dev' : 'train'].push(block);
    }
  }
  return dealt;
}

interface PanelGoals {
  readonly use: GoalUse;
  readonly blocks: readonly number[];
  readonly size: number;
  readonly goals: GoalMaker;
}

/**
 * Goals cycle through the blocks first, then through the products of each. Only then a product gets a second
 * goal.
 */
function goalOf(index: number, { use, blocks, size, goals }: PanelGoals): Goal {
  if (!Number.isInteger(index) || index < 0 || index >= size)
    throw new RangeError(`the panel ${use} has no goal ${index}`);
  const block = blocks[index % blocks.length] as number;
  const round = Math.floor(index / blocks.length);
  return goals.make(block * blockSize + (round % blockSize), Math.floor(round / blockSize), use);
}

/** A bijection of the integers below the count that separates neighbours. */
function scatterer(count: number): (place: number) => number {
  let step = Math.floor(count * 0.618) | 1;
  while (greatestDivisor(step, count) > 1) step += 2;
  return (place) => (place * step) % count;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
