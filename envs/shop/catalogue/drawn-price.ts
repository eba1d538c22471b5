import { createRng } from '../../core/rng.ts';
import type { Product } from './product.ts';

/** The price in dollars of a product without a price. */
const unknownPrice = 100;

const prices = createRng(233).fork('shop-price');

/**
 * The cost of a product in dollars: its price, or a point of its range. The original draws that point from an
 * unseeded generator, so that it differs between runs. Here it is a function of the product's id and the same
 * everywhere.
 */
export function drawnPrice({ asin, pricing }: Pick<Product, 'asin' | 'pricing'>): number {
  const [low, high] = pricing;
  if (low === undefined) return unknownPrice;
  return high === undefined ? low : low + (high - low) * prices.fork(asin).uniform();
}
