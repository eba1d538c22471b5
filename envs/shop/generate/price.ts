import { pythonFloat } from '../../engines/python-text/python-text.ts';
import type { Draw } from './draw.ts';
import type { Line } from './line.ts';

/** The price of a product, or the two ends of its range, in dollars. Siblings differ by up to two thirds. */
export function drawPricing(line: Line, hasOptions: boolean, draw: Draw): readonly number[] {
  const [cheapest, dearest] = line.type.table.prices;
  const percent = line.members > 1 ? 75 + draw.below(70) : 100;
  const dollars = Math.floor(((cheapest + (dearest - cheapest) * line.priceShare) * percent) / 100);
  const low = (100 * dollars + drawCents(draw)) / 100;
  if (!hasOptions || !draw.chance(31)) return [low];
  const high = Math.floor((dollars * (112 + draw.below(90))) / 100) + 1;
  return [low, (100 * high + drawCents(draw)) / 100];
}

/** In the original's format: `$19.99`, or `$10.0 to $20.0`. */
export const priceTextOf = (pricing: readonly number[]): string =>
  pricing.map((price) => `$${pythonFloat(price)}`).join(' to ');

function drawCents(draw: Draw): number {
  const draught = draw.below(100);
  if (draught < 48) return 99;
  if (draught < 58) return 95;
  if (draught < 68) return 0;
  return draught < 75 ? 49 : draw.below(100);
}
