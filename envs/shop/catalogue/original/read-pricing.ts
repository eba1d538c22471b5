import { fileError, quoted, type FilePlace } from './file-error.ts';
import { isFalsy } from './is-falsy.ts';

/** Prices that the original's code foresees and reads by a rule of its own: they are read as it reads them, and counted. */
export type PricingOddity = 'more than two prices, of which the first two count' | 'two prices that are no range, taken for one';

export interface Pricing {
  /** In dollars: the price, or the two that the one to pay is drawn between. */
  readonly prices: readonly number[];
  readonly oddity: PricingOddity | undefined;
}

/** A number of dollars, its thousands apart or not, and after it anything that is no digit and no point. */
const pricePattern = /^\s*(\d{1,15}|\d{1,3}(?:,\d{3}){1,4})?(\.\d*)?([^\p{Nd}.]*)$/u;
/** No list of prices comes near it; the patterns here take a time that grows with the square of a text. */
const longestText = 1_000;
/** What stands between the prices of a range. */
const rangePattern = /^\s*(?:[-\u2010-\u2015\u2212]|to)?\s*$/iu;
/** Of what stands before a price and is not between two. */
const signAtEnd = /[-+\u2010-\u2015\u2212]\s*$/u;
/** Of what stands between two prices, where one dash makes a range. */
const signBetween = /(?:\+|[-\u2010-\u2015\u2212]\s*[-\u2010-\u2015\u2212])\s*$/u;

/**
 * No price counts as $100. Of a text such as `$19.99 - $27.99` each part after a `$` is a price, of which the first two count.
 * The original drops all but digits and points, and so takes `$-5` for 5, `$1e3` for 13 and `$12,34` for 1234: signs, exponents,
 * decimal commas, digits apart from the price and ranges that fall are refused here, with a `UsageError` that names the item.
 */
export function readPricing(pricing: unknown, place: FilePlace): Pricing {
  if (isFalsy(pricing)) return { prices: [100], oddity: undefined };
  if (typeof pricing !== 'string') throw fileError(place, 'its pricing is not a text.');
  if (pricing.length > longestText) throw fileError(place, `its pricing ${quoted(pricing)} is no price.`);
  const [before = '', ...parts] = pricing.split('$');
  if (parts.length === 0) throw fileError(place, `its pricing ${quoted(pricing)} has no $.`);
  const read = parts.map(readPart);
  const known = read.filter((part) => part !== undefined);
  const isSigned = [before, known.at(-1)?.rest ?? ''].some((text) => signAtEnd.test(text)) || known.some(({ rest }) => signBetween.test(rest));
  if (isSigned || known.length < read.length) throw fileError(place, `its pricing ${quoted(pricing)} is no price.`);
  const prices = known.slice(0, 2).map(({ price }) => price);
  const [first = 0, second = first] = prices;
  const isRange = prices.length === 2 && rangePattern.test(known[0]?.rest ?? '');
  if (isRange && second < first) throw fileError(place, `its pricing ${quoted(pricing)} is a range that falls.`);
  return { prices, oddity: oddityOf(known.length, isRange) };
}

function oddityOf(parts: number, isRange: boolean): PricingOddity | undefined {
  if (parts > 2) return 'more than two prices, of which the first two count';
  return parts === 2 && !isRange ? 'two prices that are no range, taken for one' : undefined;
}

/** The price at the head of a part, and what stands behind it; undefined where there is none, or other digits too. */
function readPart(part: string): { readonly price: number; readonly rest: string } | undefined {
  const match = pricePattern.exec(part);
  if (match === null) return undefined;
  const [, whole = '', fraction = '', rest = ''] = match;
  if (whole === '' && fraction.length < 2) return undefined;
  return { price: Number(`${whole.replaceAll(',', '')}${fraction}`), rest };
}
