import type { PanelInfo } from '../../../core/task.ts';
import type { Goal } from '../../goals/goal.ts';
import type { GoalPanel } from '../../goals/goal-panel.ts';
import { goalsPerProduct, type GoalMaker, type GoalUse } from './goal-maker.ts';
import { blockSize } from './line.ts';

const sizes = { dev: 256, test: 500, train: 100_000 } as const;

/** Of a thousand products, so many at most are held for the panel. */
const shares = { dev: 128, test: 256 } as const;

const purposes: Readonly<Record<GoalUse, PanelInfo['purpose']>> = { train: 'train', dev: 'dev', test: 'held-out' };

/** Blocks of products that a panel's goals are made for: places `from` to `from + count` of the scattered order. */
interface BlockRange {
  readonly from: number;
  readonly count: number;
}

/**
 * The panels `train` (up to 100,000 goals), `dev` (256) and `test` (500, held out).
 *
 * What they share: the types of products with their categories, attributes, options and turns of phrase, and names of brands.
 * What no two of them share: a product; a line of products by one maker, whose members differ in little; an instruction; a pairing
 * of beginning and end of instructions. Goals of different panels may ask for the same attributes of the same type, since there are
 * not many.
 *
 * Products go to panels by whole blocks, evenly scattered over the catalogue; what is left over at its end gets no goal. At 1,000
 * products `test` has 256 of them and `dev` 128, for most of which there are two goals.
 */
export function generatedPanels(goals: GoalMaker, products: number): readonly GoalPanel[] {
  const blocks = Math.floor(products / blockSize);
  const count = (use: 'dev' | 'test'): number => Math.min(sizes[use], Math.floor((blocks * shares[use]) / 1000));
  const test: BlockRange = { from: 0, count: count('test') };
  const dev: BlockRange = { from: test.count, count: count('dev') };
  const train: BlockRange = { from: test.count + dev.count, count: blocks - test.count - dev.count };
  const scatter = scatterer(blocks);
  const trainGoals = Math.min(sizes.train, train.count * blockSize * goalsPerProduct);
  const panel = (use: GoalUse, range: BlockRange, extent: { readonly first: number; readonly size: number }): GoalPanel => ({
    name: use,
    ...extent,
    purpose: purposes[use],
    summary: `${extent.size} goals for ${Math.min(extent.size, range.count * blockSize)} products that no other panel asks for`,
    goal: (index) => goalOf(index, { use, range, size: extent.size, goals, scatter }),
  });
  return [
    panel('train', train, { first: sizes.test + sizes.dev, size: trainGoals }),
    panel('dev', dev, { first: sizes.test, size: sizes.dev }),
    panel('test', test, { first: 0, size: sizes.test }),
  ];
}

interface PanelGoals {
  readonly use: GoalUse;
  readonly range: BlockRange;
  readonly size: number;
  readonly goals: GoalMaker;
  readonly scatter: (place: number) => number;
}

/** Goals go round the blocks first, then round the products of each, and only then a second time to the same product. */
function goalOf(index: number, { use, range, size, goals, scatter }: PanelGoals): Goal {
  if (!Number.isInteger(index) || index < 0 || index >= size) throw new RangeError(`the panel ${use} has no goal ${index}`);
  const block = scatter(range.from + (index % range.count));
  const round = Math.floor(index / range.count);
  return goals.make(block * blockSize + (round % blockSize), Math.floor(round / blockSize), use);
}

/** A bijection of the numbers below the count that puts neighbours far apart. */
function scatterer(count: number): (place: number) => number {
  let step = Math.floor(count * 0.618) | 1;
  while (greatestDivisor(step, count) > 1) step += 2;
  return (place) => (place * step) % count;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
