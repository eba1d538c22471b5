import { createRng } from '../../core/rng.ts';

const caps = createRng(233).fork('shop-price-cap');

/** The maximum price where an instruction states none. */
export const noCap = 1_000_000;

const highest = 990;

/** The price limit of a goal. */
export interface PriceCap {
  readonly priceUpper: number;
  /** The end of the instruction; empty where no price is stated. */
  readonly text: string;
}

/**
 * The maximum price of a goal: the larger of two draws from the next four multiples of 10 above the price, up
 * to 990. Where fewer than two remain, no maximum is stated. The original draws from an unseeded generator,
 * so its limits differ between runs. Here the draw is a function of the product and of the number of its
 * instruction, and so the same everywhere.
 */
export function priceCap(price: number, asin: string, instruction: number): PriceCap {
  const choices: number[] = [];
  for (let cap = 10 * Math.max(1, Math.floor(price / 10)); cap <= highest && choices.length < 4; cap += 10)
    if (cap > price) choices.push(cap);
  if (choices.length < 2) return { priceUpper: noCap, text: '' };
  const [first, second] = caps.fork(asin).fork(instruction).shuffle(choices) as [number, number];
  const priceUpper = Math.max(first, second);
  return { priceUpper, text: `, and price lower than ${priceUpper.toFixed(2)} dollars` };
}
