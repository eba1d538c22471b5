import { quoted } from './file-error.ts';
import { isFalsy } from './is-falsy.ts';

/** How prices are counted that the original reads as others than they are, and that are read so here, too, since the user said so. */
export const takenAsOriginal = 'odd prices, read as the original does';

/** Prices that the original's code foresees and reads by a rule of its own: they are read as it reads them, and counted. */
export type PricingOddity =
  | 'more than two prices, of which the first two count'
  | 'two prices that are no range, taken for one'
  | 'price ranges that fall, drawn from as they stand'
  | typeof takenAsOriginal;

export interface Pricing {
  readonly kind: 'pricing';
  /** In dollars: the price, or the two that the one to pay is drawn between. */
  readonly prices: readonly number[];
  readonly oddity: PricingOddity | undefined;
}

/** A pricing that is none, or that the original takes for another than it is. */
export interface OddPricing {
  readonly kind: 'odd-pricing';
  /** A sentence with the item as its subject. */
  readonly why: string;
  /** What the original makes of it; undefined where its code stops with an error. */
  readonly inOriginal: readonly number[] | undefined;
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
 * decimal commas and digits apart from the price are odd here. A range that falls, `$5.00 - $4.00`, is read as it stands: the
 * original draws between its ends, too.
 *
 * @param oddAsOriginal takes an odd price for what the original takes it for, if it is a price to it at all
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

/** Of each part after a `$` the digits and points, as one number; digits other than 0 to 9, and what no number can hold, are not read. */
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

/** The price at the head of a part, and what stands behind it; undefined where there is none, or other digits too. */
function readPart(part: string): { readonly price: number; readonly rest: string } | undefined {
  const match = pricePattern.exec(part);
  if (match === null) return undefined;
  const [, whole = '', fraction = '', rest = ''] = match;
  if (whole === '' && fraction.length < 2) return undefined;
  return { price: Number(`${whole.replaceAll(',', '')}${fraction}`), rest };
}
