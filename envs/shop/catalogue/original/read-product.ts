import { z } from 'zod';
import { pythonFloat, pythonStrip } from '../../../engines/python-text/python-text.ts';
import type { Product, ProductOption, Review } from '../product.ts';
import { isAsin } from '../store/asin-table.ts';
import { fileError, quoted, type FilePlace } from './file-error.ts';
import { isFalsy } from './is-falsy.ts';
import { readPricing, type OddPricing, type PricingOddity } from './read-pricing.ts';

/** What other files say of a product. */
export interface ProductNotes {
  readonly attributes: readonly string[] | undefined;
  readonly reviews: readonly Review[];
  readonly rating: string;
  /** Is told of what the original reads in a way of its own, such as more than two prices. */
  readonly tally?: ((name: PricingOddity) => void) | undefined;
  /** The names of the item's options in the order of the file; asked only where an object has them in another. */
  readonly optionNames?: () => readonly string[];
  /** Whether an odd price is what the original makes of it, where it makes anything. */
  readonly oddAsOriginal?: boolean;
}

/** Ids that are passed over: as in the original a scraper's empty cell and what is longer than Amazon's ids, and an empty one, which nobody could click. */
export type PassedOver = 'nan' | 'long' | 'empty';

/** Attributes of a product that the attributes file does not have. */
const noAttributes: readonly string[] = ['DUMMY_ATTR'];

/** A name that an object of JavaScript has before all others. */
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

/** The id of an item of the products file, or why the original passes over it. Throws a `UsageError` when it has none. */
export function readAsin(item: unknown, place: FilePlace): { readonly asin: string } | PassedOver {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw fileError(place, 'it is no product: it is not an object { … }.');
  const asin: unknown = 'asin' in item ? item.asin : undefined;
  if (typeof asin !== 'string')
    throw fileError(place, asin === undefined ? 'it has no field asin.' : 'its asin is not a text.');
  if (asin === 'nan') return 'nan';
  if (asin === '') return 'empty';
  if (asin.length > 10 && Array.from(asin).length > 10) return 'long'; // counted in characters, as Python does
  if (!isAsin(asin))
    throw fileError({ ...place, name: asin }, 'its asin has other characters than printable ASCII.');
  return { asin };
}

/**
 * A product as the original makes it of an item of its products file. What stops the original with a Python error, such as a
 * missing field, throws a `UsageError` that names the item and the field; what is not used, such as images, is not looked at. Of an
 * item with a price that cannot be taken this price is what comes back.
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
 * Names in lower case, those without values left out; values in lower case, stripped, `/` written as ` | `. In the order of the file:
 * where two options share a value, the later one gets it.
 */
function readOptions(
  options: unknown,
  place: FilePlace,
  namesInOrder?: () => readonly string[],
): readonly ProductOption[] {
  if (isFalsy(options)) return [];
  if (typeof options !== 'object' || Array.isArray(options))
    throw fileError(place, 'its customization_options are not an object { … }.');
  const values = new Map<string, readonly string[]>(); // a name that comes again keeps its place and takes the later values
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
