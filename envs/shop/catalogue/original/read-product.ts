import { z } from 'zod';
import { pythonFloat, pythonStrip } from '../../../engines/python-text/python-text.ts';
import type { Product, ProductOption, Review } from '../product.ts';
import { isAsin } from '../store/asin-table.ts';
import { fileError, quoted, type FilePlace } from './file-error.ts';
import { isFalsy } from './is-falsy.ts';
import { readPricing, type OddPricing, type PricingOddity } from './read-pricing.ts';

/** The data of other files about a product. */
export interface ProductNotes {
  readonly attributes: readonly string[] | undefined;
  readonly reviews: readonly Review[];
  readonly rating: string;
  /** Receives what the original reads by special rules, such as more than two prices. */
  readonly tally?: ((name: PricingOddity) => void) | undefined;
  /**
   * The names of the item's options in the order of the file. It is called only where an object has another
   * order.
   */
  readonly optionNames?: () => readonly string[];
  /** Whether an odd price gets the original's value, where the original has one. */
  readonly oddAsOriginal?: boolean;
}

/**
 * Ids that are skipped. As in the original: the empty cell of a scraper, and ids that are longer than
 * Amazon's. Also an empty id, which nobody could click.
 */
export type PassedOver = 'nan' | 'long' | 'empty';

/** The attributes of a product that the attributes file does not have. */
const noAttributes: readonly string[] = ['DUMMY_ATTR'];

/** A name that a JavaScript object lists before all others. */
const wholeNumber = /^\d+$/;

const emptyText = z.null().transform(() => '');
const optionValue = z.looseObject({ value: z.string() });
const itemSchema = z.object({
  name: z.string(),
  full_description: z.string(),
  category: z.string().or(emptyText),
  product_category: z.string().or(emptyText),
  query: z.string(),
  small_description: z
    .string()
    .transform((text) => [text])
    .or(z.array(z.string())),
  customization_options: z.unknown(),
  pricing: z.unknown().optional(),
});

/**
 * The id of an item of the products file, or why the original skips it.
 *
 * @throws UsageError when it has none
 */
export function readAsin(item: unknown, place: FilePlace): { readonly asin: string } | PassedOver {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw fileError(place, 'it is no product: it is not an object { … }.');
  const asin: unknown = 'asin' in item ? item.asin : undefined;
  if (typeof asin !== 'string')
    throw fileError(place, asin === undefined ? 'it has no field asin.' : 'its asin is not a text.');
  if (asin === 'nan') return 'nan';
  if (asin === '') return 'empty';
  // counted in characters, as Python does
  if (asin.length > 10 && Array.from(asin).length > 10) return 'long';
  if (!isAsin(asin))
    throw fileError({ ...place, name: asin }, 'its asin has other characters than printable ASCII.');
  return { asin };
}

/**
 * Makes a product of an item of the products file, as the original does. Unused fields, such as images, are
 * ignored. For an item with an unusable price the result is that price.
 *
 * @throws UsageError that names the item and the field, where the original stops with a Python error, such as
 * a missing field
 */
export function readProduct(
  item: unknown,
  asin: string,
  notes: ProductNotes,
  place: FilePlace,
): Product | OddPricing {
  const parsed = itemSchema.safeParse(item);
  if (!parsed.success) throw fileError(place, fieldWords(parsed.error.issues[0], item));
  const fields = parsed.data;
  const found = readPricing(fields.pricing, notes.oddAsOriginal === true);
  if (found.kind === 'odd-pricing') return found;
  const { prices: pricing, oddity } = found;
  if (oddity !== undefined) notes.tally?.(oddity);
  return {
    asin,
    name: fields.name,
    query: pythonStrip(fields.query.toLowerCase()),
    category: fields.category,
    productCategory: fields.product_category,
    description: fields.full_description,
    bulletPoints: fields.small_description,
    attributes: notes.attributes ?? noAttributes,
    options: readOptions(fields.customization_options, place, notes.optionNames),
    pricing,
    priceText: pricing.map((price) => `$${pythonFloat(price)}`).join(' to '),
    reviews: notes.reviews,
    rating: notes.rating,
  };
}

function fieldWords(issue: z.core.$ZodIssue | undefined, item: unknown): string {
  const [field] = issue?.path ?? [];
  const name = String(field);
  if (typeof item === 'object' && item !== null && !(name in item)) return `it has no field ${name}.`;
  return `its ${name} is not what the published files hold there (${name === 'small_description' ? 'a text or a list of texts' : 'a text'}).`;
}

/**
 * Options with names in lower case, without those that have no values. Values are in lower case, stripped,
 * with `/` written as ` | `. The order is that of the file. Where two options share a value, the later one
 * gets it.
 */
function readOptions(
  options: unknown,
  place: FilePlace,
  namesInOrder?: () => readonly string[],
): readonly ProductOption[] {
  if (isFalsy(options)) return [];
  if (typeof options !== 'object' || Array.isArray(options))
    throw fileError(place, 'its customization_options are not an object { … }.');
  // a repeated name keeps its place and gets the later values
  const values = new Map<string, readonly string[]>();
  const contentsOf = options as Readonly<Record<string, unknown>>;
  const names = Object.keys(contentsOf);
  for (const name of wholeNumber.test(names[0] ?? '') ? (namesInOrder?.() ?? names) : names) {
    const contents = contentsOf[name];
    if (contents === null) continue;
    const parsed = z.array(optionValue).safeParse(isFalsy(contents) ? [] : contents);
    if (!parsed.success) throw fileError(place, `its option ${quoted(name)} is not a list of values.`);
    values.set(
      name.toLowerCase(),
      parsed.data.map(({ value }) => pythonStrip(value).replaceAll('/', ' | ').toLowerCase()),
    );
  }
  return Array.from(values, ([name, list]) => ({ name, values: list }));
}
