import { createRng } from '../../core/rng.ts';
import type { Product } from './product.ts';

/** Without a price a product costs this many dollars. */
const unknownPrice = 100;

const prices = createRng(233).fork('shop-price');

/**
 * What buying the product costs, in dollars: its price, or a point of its range. The original draws that point from a generator that
 * nothing seeds, so that it differs from run to run; here the draw is a function of the product's id and so the same everywhere.
 */
export function drawnPrice({ asin, pricing }: Pick<Product, 'asin' | 'pricing'>): number {
  const [low, high] = pricing;
  if (low === undefined) return unknownPrice;
  return high === undefined ? low : low + (high - low) * prices.fork(asin).uniform();
}
