import { createRng } from '../../core/rng.ts';

const caps = createRng(233).fork('shop-price-cap');

/** Where an instruction names no price, nothing is too dear. */
export const noCap = 1_000_000;

const highest = 990;

/** What a goal says of the price. */
export interface PriceCap {
  readonly priceUpper: number;
  /** The end of the instruction; empty where no price is named. */
  readonly text: string;
}

/**
 * The price that a goal must not pass: the larger of two of the next four multiples of 10 above the price, up to 990. Where fewer
 * than two are left, none is named. The original draws the two from a generator that nothing seeds, so that its caps differ from
 * run to run; here the draw is a function of the product and of the number of its instruction, and so the same everywhere.
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
