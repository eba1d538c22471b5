import { quoted } from './file-error.ts';
import { isFalsy } from './is-falsy.ts';

/**
 * The name under which prices are counted that the original misreads, and that are misread here too because
 * the user asked for it.
 */
export const takenAsOriginal = 'odd prices, read as the original does';

/** Prices for which the original's code has a special rule. They are read in the same way, and counted. */
export type PricingOddity =
  | 'more than two prices, of which the first two count'
  | 'two prices that are no range, taken for one'
  | 'price ranges that fall, drawn from as they stand'
  | typeof takenAsOriginal;

export interface Pricing {
  readonly kind: 'pricing';
  /** In dollars: the price, or the two ends of the range from which it is drawn. */
  readonly prices: readonly number[];
  readonly oddity: PricingOddity | undefined;
}

/** An invalid pricing, or one that the original misreads. */
export interface OddPricing {
  readonly kind: 'odd-pricing';
  /** A sentence with the item as its subject. */
  readonly why: string;
  /** The original's result; undefined where its code fails with an error. */
  readonly inOriginal: readonly number[] | undefined;
}

/** A number of dollars, with or without thousands separators. After it anything except digits and points. */
const pricePattern = /^\s*(\d{1,15}|\d{1,3}(?:,\d{3}){1,4})?(\.\d*)?([^\p{Nd}.]*)$/u;
/** No list of prices is that long. The patterns here take quadratic time. */
const longestText = 1_000;
/** The text between the prices of a range. */
const rangePattern = /^\s*(?:[-\u2010-\u2015\u2212]|to)?\s*$/iu;
/** A sign before a price that is not between two prices. */
const signAtEnd = /[-+\u2010-\u2015\u2212]\s*$/u;
/** A sign between two prices, where one dash makes a range. */
const signBetween = /(?:\+|[-\u2010-\u2015\u2212]\s*[-\u2010-\u2015\u2212])\s*$/u;

/**
 * Parses a pricing. A missing price counts as $100. In a text such as `$19.99 - $27.99`, each part after a
 * `$` is a price, and the first two count. The original drops everything except digits and points, and so
 * reads `$-5` as 5, `$1e3` as 13 and `$12,34` as 1234. Here signs, exponents, decimal commas and digits outside
 * of the price are odd. A descending range, `$5.00 - $4.00`, is read as it stands: the original draws between
 * its ends, too.
 *
 * @param oddAsOriginal reads an odd price as the original does, if the original reads a price at all
 */
export function readPricing(pricing: unknown, oddAsOriginal: boolean): Pricing | OddPricing {
  if (isFalsy(pricing)) return { kind: 'pricing', prices: [100], oddity: undefined };
  if (typeof pricing !== 'string')
    return { kind: 'odd-pricing', why: 'its pricing is not a text.', inOriginal: undefined };
  const odd = (is: string): Pricing | OddPricing => {
    const inOriginal = readAsOriginal(pricing);
    if (oddAsOriginal && inOriginal !== undefined)
      return { kind: 'pricing', prices: inOriginal, oddity: takenAsOriginal };
    return { kind: 'odd-pricing', why: `its pricing ${quoted(pricing)} ${is}.`, inOriginal };
  };
  if (pricing.length > longestText) return odd('is no price');
  const [before = '', ...parts] = pricing.split('$');
  if (parts.length === 0) return odd('has no $');
  const read = parts.map(readPart);
  const known = read.filter((part) => part !== undefined);
  const isSigned =
    [before, known.at(-1)?.rest ?? ''].some((text) => signAtEnd.test(text)) ||
    known.some(({ rest }) => signBetween.test(rest));
  if (isSigned || known.length < read.length) return odd('is no price');
  const prices = known.slice(0, 2).map(({ price }) => price);
  const [first = 0, second = first] = prices;
  const isRange = prices.length === 2 && rangePattern.test(known[0]?.rest ?? '');
  return { kind: 'pricing', prices, oddity: oddityOf(known.length, isRange, second < first) };
}

/**
 * Reads the digits and points of each part after a `$` as one number. Digits other than 0 to 9 are not read,
 * nor are numbers that are too large.
 */
function readAsOriginal(pricing: string): readonly number[] | undefined {
  const parts = pricing.split('$').slice(1);
  const texts = parts.map((part) => part.replaceAll(/[^\p{Nd}.]/gu, ''));
  const areNumbers =
    texts.length > 0 &&
    texts.every((text) => /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)$/.test(text) && Number.isFinite(Number(text)));
  return areNumbers ? texts.slice(0, 2).map(Number) : undefined;
}

function oddityOf(parts: number, isRange: boolean, falls: boolean): PricingOddity | undefined {
  if (parts > 2) return 'more than two prices, of which the first two count';
  if (parts === 2 && !isRange) return 'two prices that are no range, taken for one';
  return falls ? 'price ranges that fall, drawn from as they stand' : undefined;
}

/**
 * The price at the start of a part, and the text after it; undefined where there is none, or where other
 * digits follow.
 */
function readPart(part: string): { readonly price: number; readonly rest: string } | undefined {
  const match = pricePattern.exec(part);
  if (match === null) return undefined;
  const [, whole = '', fraction = '', rest = ''] = match;
  if (whole === '' && fraction.length < 2) return undefined;
  return { price: Number(`${whole.replaceAll(',', '')}${fraction}`), rest };
}
